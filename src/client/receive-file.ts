/**
 * A download into a local file: resumed where it broke off, checked when it is whole.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { FtpError } from '../errors.ts'
import type { Download, Progress } from './download.ts'
import { FileSink } from './file-sink.ts'
import type { DownloadResult } from './incoming.ts'
import type { HashAlgorithm } from './remote-hash.ts'

/** How a file is received. */
export interface ReceiveOptions {
  /** Go on where the local file ends, and leave what has come where it may be gone on with. */
  readonly resume?: boolean | undefined
  /** How often a broken connection is made again and the download resumed. Default 0. */
  readonly retries?: number | undefined
  /**
   * `'size'`: the server's size and the received one must be equal. `'hash'`: their hashes too. `'auto'`: whichever
   * the server offers. Compared before a new file gets its name; what the server does not tell is an error but
   * with `'auto'`.
   */
  readonly verify?: 'size' | 'hash' | 'auto' | undefined
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
  /** The size, where the server tells it. */
  size(): Promise<number | undefined>
  /** The time of the last change, where the server tells it. */
  modified(): Promise<Date | undefined>
  /** The file from `offset` on. `attempt` counts from 0: later ones may need a new connection. */
  download(offset: number, attempt: number): Promise<Download>
  /** The hash of the whole file, where the server computes one. */
  hash(): Promise<{ readonly algorithm: HashAlgorithm; readonly digits: string } | undefined>
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

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

/** Receives into `path`. */
export async function receiveFile(
  remote: RemoteFile,
  path: string,
  options: ReceiveOptions,
): Promise<ReceiveResult> {
  if (await isKept(remote, path, options.overwrite ?? 'always')) {
    return { ...nothingLeft(), verified: false, resumedAt: 0, hashed: false, kept: true }
  }
  const start = options.resume === true ? await localSize(path) : 0
  const expected = start > 0 || options.verify !== undefined ? await remote.size() : undefined
  if (expected === undefined && (start > 0 || options.verify === 'size'))
    throw new FtpError(
      'FTP_NOT_SUPPORTED',
      'The server tells no size, so that nobody can say whether the local file is whole or a part of it.',
      { phase: 'local' },
    )
  if (expected !== undefined && start > expected)
    throw new FtpError(
      'FTP_SIZE_MISMATCH',
      `The local file has ${start} bytes, more than the ${expected} of the server's: it is no part of it.`,
      { phase: 'local', bytes: start, expected },
    )
  let hashed = false
  const check = async (file: string, bytes: number): Promise<void> => {
    const { verify } = options
    if (verify === undefined) return
    if (expected !== undefined && bytes !== expected) throw sizeMismatch(bytes, expected)
    if (verify !== 'size') hashed = await compareHash(remote, file, verify)
  }
  let result = nothingLeft()
  if (start > 0 && start === expected) await check(path, start)
  else result = await receive(remote, path, start, check, options)
  return { ...result, verified: result.verified || hashed, resumedAt: start, hashed, kept: false }
}

function sizeMismatch(bytes: number, expected: number): FtpError {
  return new FtpError('FTP_SIZE_MISMATCH', `${bytes} bytes came, the server's size is ${expected}.`, {
    phase: 'data',
    bytes,
    expected,
  })
}

async function receive(
  remote: RemoteFile,
  path: string,
  start: number,
  check: (file: string, bytes: number) => Promise<void>,
  options: ReceiveOptions,
): Promise<DownloadResult> {
  // What may be resumed has its own name from the first byte on: it is there also after a process was killed.
  const inPlace = options.resume === true && (await isFileOrNothing(path))
  const file = await FileSink.open(path, inPlace ? start : undefined)
  let offset = start
  for (let attempt = 0; ; attempt++) {
    let download: Download | undefined
    try {
      download = await remote.download(offset, attempt)
      const current = download
      file.onRoom = () => current.resumeData()
      file.onFailure = (error) => current.breakOff(error)
      const result = await current.into(file)
      const end = offset + result.bytes
      await file.finish((written) => check(written, end))
      return { ...result, bytes: end - start }
    } catch (error) {
      offset += download?.received ?? 0
      const again = attempt < (options.retries ?? 0) && isWorthAnotherTry(error) && !options.signal.aborted
      if (!again) return await giveUp(file, inPlace ? start : undefined, error)
      await sleep(waitBefore(attempt), undefined, { signal: options.signal }).catch(() => undefined)
    }
  }
}

/** Of many clients that lost one server not all come back at the same moment. */
function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
}

/** What came before a break is good, and stays for the next try; what failed a check is not, and goes. */
async function giveUp(file: FileSink, start: number | undefined, error: unknown): Promise<never> {
  if (start === undefined) await file.discard()
  else await file.keep(isGoodSoFar(error) ? undefined : start)
  throw error
}

function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof FtpError && (error.retryable || error.code === 'FTP_SHORT_TRANSFER')
}

/** An abort, or the caller's own time-out, says nothing against the bytes that had come. */
function isGoodSoFar(error: unknown): boolean {
  return isWorthAnotherTry(error) || (error instanceof FtpError && error.kind === 'aborted')
}

async function compareHash(remote: RemoteFile, path: string, verify: 'hash' | 'auto'): Promise<boolean> {
  const theirs = await remote.hash()
  if (theirs === undefined) {
    if (verify === 'auto') return false
    throw new FtpError('FTP_NOT_SUPPORTED', 'The server computes no hash (HASH, XSHA256, XMD5).', {
      phase: 'final-reply',
    })
  }
  const hash = createHash(theirs.algorithm)
  await pipeline(createReadStream(path), hash)
  if (hash.digest('hex') === theirs.digits) return true
  throw new FtpError(
    'FTP_HASH_MISMATCH',
    `The file that came has another ${theirs.algorithm} than the server's.`,
    { phase: 'final-reply' },
  )
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
