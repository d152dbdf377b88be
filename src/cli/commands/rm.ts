import type { FtpSession, WalkEntry } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { Failure, usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import { inFolder } from '../remote-path.ts'
import { DRY_RUN, NO_GLOB, RECURSIVE } from '../shared-options.ts'
import { matchesOf, type Match } from '../url-pattern.ts'
import { visible } from '../visible.ts'

/** `ftpwire rm`: files and folders go. */
export const rm: Command = {
  name: 'rm',
  operands: 'URL...',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'remove files, or with -r folders',
  description: [
    'Nothing is asked: -n shows what would go. Links are removed, never followed. A folder whose listing holds a ' +
      'name that is not safe is left, with that file in it.',
  ],
  options: [RECURSIVE, DRY_RUN, NO_GLOB],
  takes: 'connection',
  examples: [
    'ftpwire rm ftp://joe@ftp.example.com/old.txt',
    "ftpwire rm -n 'ftp://joe@ftp.example.com/logs/*.log'",
    'ftpwire rm -r ftp://joe@ftp.example.com/old/',
  ],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, values } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const sites = await Sites.open(invocation)
  const outcome = new Outcome(invocation)
  try {
    const matches: Match[] = []
    await outcome.each(operands, { counts: false, about: (url) => url }, async (url) => {
      matches.push(...(await matchesOf(url, sites, invocation)))
    })
    await outcome.each(matches, { about: ({ site }) => site.url }, async ({ site, entry }) => {
      const { segments, name } = site.target
      const isFolder = name === '' || entry?.type === 'dir'
      if (isFolder && !values.has('recursive'))
        throw new Failure(EXIT.usage, 'it is a folder: -r removes it', 'rm')
      const last = segments.at(-1)
      if (name === '' && (last === undefined || last === ''))
        throw usageError('the URL names no folder', 'rm')
      // A folder is removed from the one above it.
      const above = name === '' ? sites.beside(site, { segments: segments.slice(0, -1) }) : site
      const remover = new Remover(await sites.session(above), invocation)
      await remover.remove(name === '' ? (last ?? '') : name, isFolder)
    })
    return outcome.exitCode
  } finally {
    await sites.close()
  }
}

class Remover {
  readonly #session: FtpSession
  readonly #invocation: Invocation

  constructor(session: FtpSession, invocation: Invocation) {
    this.#session = session
    this.#invocation = invocation
  }

  async remove(path: string, isFolder: boolean): Promise<void> {
    const { values, signal } = this.#invocation
    const options = operationOptions(values, signal)
    const recursive = values.has('recursive')
    const folder = isFolder || (recursive && (await this.#session.stat(path, options)).type === 'dir')
    if (!folder) return this.#delete(path)
    const folders = [path]
    let unsafe = 0
    const found: WalkEntry[] = []
    // Removing while listing would pull the listing from under the walk.
    for await (const one of this.#session.walk(path, { signal })) found.push(one)
    for (const one of found) {
      if (!one.safe) unsafe++
      else if (one.type === 'dir') folders.push(inFolder(path, one.path))
      else await this.#delete(inFolder(path, one.path))
    }
    if (unsafe > 0) throw new Failure(EXIT.refused, `${unsafe} names in it are not safe, and were left`)
    for (const each of folders.toReversed()) await this.#removeFolder(each)
  }

  async #delete(path: string): Promise<void> {
    const { values, signal } = this.#invocation
    if (await this.#onlyShow(path)) return
    await this.#session.delete(path, operationOptions(values, signal))
  }

  async #removeFolder(path: string): Promise<void> {
    const { values, signal } = this.#invocation
    if (await this.#onlyShow(`${path}/`)) return
    await this.#session.rmdir(path, operationOptions(values, signal))
  }

  async #onlyShow(path: string): Promise<boolean> {
    const { output, values } = this.#invocation
    if (!values.has('dry-run')) return false
    await output.write(`${visible(path)}\n`)
    return true
  }
}
