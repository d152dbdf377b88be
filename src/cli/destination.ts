/** Where a file that is fetched goes. */
import { lstat, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FtpTarget } from '../index.ts'
import { EXIT } from './exit-code.ts'
import { Failure, usageError } from './failure.ts'
import { isSafeName } from './local-name.ts'
import type { StandardOutput } from './standard-output.ts'

/** To a stream that is written to as the data come, or to a file that has its name only when it is whole. */
export type Destination =
  | { readonly kind: 'standard-output' }
  | { readonly kind: 'device'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string }

/** What the command line says about it. */
export interface DestinationOptions {
  readonly output: StandardOutput
  /** What `--output` says. */
  readonly wanted: string | undefined
  readonly force: boolean
  /** Several files cannot have one name. */
  readonly several: boolean
}

/** @throws Failure where the file has no safe name of its own, or one that is taken. */
export async function destinationFor(
  target: FtpTarget,
  { output, wanted, force, several }: DestinationOptions,
): Promise<Destination> {
  // /dev/stdout cannot be opened where it is a socket.
  if (wanted === '-' || wanted === '/dev/stdout' || (wanted === undefined && !output.isTerminal))
    return { kind: 'standard-output' }
  if (wanted !== undefined && !(await isFolder(wanted))) {
    if (several)
      throw usageError(`of several files each needs its own name: give a folder that is there to -o`, 'get')
    return (await isDevice(wanted)) ? { kind: 'device', path: wanted } : { kind: 'file', path: wanted }
  }
  const path = join(wanted ?? '.', ownName(target))
  if (!force && (await isThere(path))) {
    throw new Failure(EXIT.local, `${path} is there already; --force replaces it, -o FILE takes another name`)
  }
  return { kind: 'file', path }
}

function ownName({ name, type }: FtpTarget): string {
  if (name === '' || type?.kind === 'directory') {
    throw usageError(
      'the URL names a folder: list it with ftpwire ls, or save the list of names with -o FILE',
      'get',
    )
  }
  if (!isSafeName(name)) {
    throw new Failure(
      EXIT.local,
      `${JSON.stringify(name)} is not a safe name for a file here; choose one with -o FILE`,
    )
  }
  return name
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined && (path.endsWith('/') || path.endsWith(sep))) {
    throw new Failure(EXIT.local, `there is no folder ${path}`)
  }
  return found?.isDirectory() ?? false
}

/** A device or a pipe cannot be replaced by a file, and nothing below /dev and /proc should be. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return false
  if (!found.isFile()) return true
  const parts = [path, await realpath(path)]
  return parts.some((part) => /^\/(?:dev|proc)\//.test(part))
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}
