/**
 * A download into a local file: resumed where it broke off, checked when it is whole.
 */
import { lstat } from 'node:fs/promises'
import { FtpError } from '../errors.ts'
import type { Download, Progress } from './download.ts'
import { FileSink } from './file-sink.ts'
import type { DownloadResult } from './incoming.ts'
import type { RemoteHash } from './remote-hash.ts'
import { Repeater } from './repeater.ts'
import { verifyFile, type Verification } from './verify-file.ts'

/** How a file is received. */
export interface ReceiveOptions {
  /** Go on where the local file ends, and leave what has come where it may be gone on with. */
  readonly resume?: boolean | undefined
  /** How often what broke off is gone on with. Default 0. */
  readonly retries?: number | undefined
  /** Compared before a new file gets its name; what the server does not tell is an error, but for `'auto'`. */
  readonly verify?: Verification | undefined
  /** What is done about a local file that is there already. Default `'always'`: it is replaced. */
  readonly overwrite?: OverwriteMode | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal: AbortSignal
}

/**
 * When a file that is there is replaced: always; never; if the source is newer; if the sizes differ. What is
 * left alone counts as zero bytes, `kept: true`.
 */
export type OverwriteMode = 'always' | 'never' | 'newer' | 'size'

/** What the receiving end needs of a session. */
export interface RemoteFile {
  /** The size; undefined where the server answers without a number. */
  size(): Promise<number | undefined>
  /** The time of the last change, where the server tells it. */
  modified(): Promise<Date | undefined>
  /** The file from `offset` on. */
  download(offset: number): Download
  /** The hash of the whole file, where the server computes one. */
  hash(): Promise<RemoteHash | undefined>
  /** Connects again where the connection was lost. */
  reopen(): Promise<void>
}

/** What came of it. */
export interface ReceiveResult extends DownloadResult {
  /** Bytes that were there before. */
  readonly resumedAt: number
  /** True where the hashes were compared. */
  readonly hashed: boolean
  /** True where the local file was left as it was, by the option `overwrite`. */
  readonly kept: boolean
}

/** Receives into `path`. */
export async function receiveFile(
  remote: RemoteFile,
  path: string,
  options: ReceiveOptions,
): Promise<ReceiveResult> {
  const { overwrite = 'always', resume = false, retries = 0, verify, signal } = options
  const repeater = new Repeater(retries, signal, () => remote.reopen())
  if (await repeater.run(() => isKept(remote, path, overwrite)))
    return { ...nothingLeft(), verified: false, resumedAt: 0, hashed: false, kept: true }
  const start = resume ? await localSize(path) : 0
  const size = await sizeFor(verify, start, () => repeater.run(() => remote.size()))
  let hashed = false
  const check = async (file: string, bytes: number): Promise<void> => {
    const theirs = { size, hash: () => whereOffered(repeater.run(() => remote.hash())) }
    if (verify !== undefined) hashed = await verifyFile(file, bytes, theirs, verify, signal)
  }
  let result = nothingLeft()
  if (start > 0 && start === size) await check(path, start)
  else result = await receive({ remote, repeater, check, resume }, path, start)
  return { ...result, verified: result.verified || hashed, resumedAt: start, hashed, kept: false }
}

/** The size that the file will be held to, as far as one is needed; a part that cannot be one is an error. */
async function sizeFor(
  verify: Verification | undefined,
  start: number,
  ask: () => Promise<number | undefined>,
): Promise<number | undefined> {
  if (start === 0 && verify === undefined) return undefined
  const size = await (start > 0 || verify === 'size' ? ask() : whereOffered(ask()))
  if (size === undefined && start > 0)
    throw new FtpError(
      'FTP_NOT_SUPPORTED',
      'The server tells no size, so that nobody can say whether the local file is a part of it.',
      { phase: 'local' },
    )
  if (size !== undefined && start > size)
    throw new FtpError(
      'FTP_SIZE_MISMATCH',
      `The local file has ${start} bytes, more than the ${size} of the server's: it is no part of it.`,
      { phase: 'local', bytes: start, expected: size },
    )
  return size
}

function whereOffered<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof FtpError && error.code === 'FTP_NOT_SUPPORTED') return undefined
    throw error
  })
}

interface Receiving {
  readonly remote: RemoteFile
  readonly repeater: Repeater
  readonly check: (file: string, bytes: number) => Promise<void>
  readonly resume: boolean
}

async function receive(
  { remote, repeater, check, resume }: Receiving,
  path: string,
  start: number,
): Promise<DownloadResult> {
  // What may be resumed has its own name from the first byte on: it is there also after a process was killed.
  const inPlace = resume && (await isFileOrNothing(path))
  const file = await FileSink.open(path, inPlace ? start : undefined)
  let end = start
  try {
    const result = await repeater.run(async () => {
      const download = remote.download(end)
      file.onRoom = () => download.resumeData()
      file.onFailure = (error) => download.breakOff(error)
      return download.into(file).finally(() => (end += download.received))
    })
    await file.finish((written) => check(written, end))
    return { ...result, bytes: end - start }
  } catch (error) {
    return await giveUp(file, inPlace ? start : undefined, error)
  }
}

/** What came before a break is good, and stays for the next try; what failed a check is not, and goes. */
async function giveUp(file: FileSink, start: number | undefined, error: unknown): Promise<never> {
  if (start === undefined) await file.discard()
  else await file.keep(isGoodSoFar(error) ? undefined : start)
  throw error
}

/** An abort, or the caller's own time-out, says nothing against the bytes that had come. */
function isGoodSoFar(error: unknown): boolean {
  return error instanceof FtpError && (error.retryable || error.kind === 'aborted')
}

async function isKept(remote: RemoteFile, path: string, overwrite: OverwriteMode): Promise<boolean> {
  if (overwrite === 'always') return false
  const local = await lstat(path).catch(() => undefined)
  if (local === undefined) return false
  if (overwrite === 'never') return true
  if (overwrite === 'size') return (await remote.size()) === local.size
  const modified = await remote.modified()
  return modified !== undefined && modified.getTime() <= local.mtimeMs
}

/** A symbolic link is not followed: it might lead to a file that nobody meant. */
async function localSize(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined)
  return stat?.isFile() === true ? stat.size : 0
}

async function isFileOrNothing(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined)
  return stat === undefined || stat.isFile()
}

function nothingLeft(): DownloadResult {
  return {
    bytes: 0,
    verified: true,
    cleanClose: undefined,
    reply: { code: 226, text: 'Nothing was left to transfer.' },
  }
}
