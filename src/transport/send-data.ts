/**
 * The sending end of a data connection.
 */
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { FtpError } from '../errors.ts'
import type { DataConnection } from './data-connection.ts'
import { broken } from './data-errors.ts'
import type { DataEnd } from './data-socket.ts'
import { Deadline } from './deadline.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The first write. Larger ones cost less, but hide the progress of a slow link: see {@link nextSize}. */
const FIRST_WRITE = 256 * 1024
const SMALLEST_WRITE = 64 * 1024
const LARGEST_WRITE = 2 * 1024 * 1024

/** What sending needs. */
export interface SendOptions {
  /** Milliseconds without any progress after which the connection is given up. */
  readonly stallMs: number
  /** Bytes per second, where they are limited. */
  readonly limiter?: RateLimiter | undefined
  /** Called with the number of bytes handed to the network. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Sends all chunks and ends the connection in order. A source that fails resets it instead: the server must
 * not take half a file for a whole one. Waits until the network has taken each chunk, so that a source may
 * use its memory again.
 */
export async function sendData(
  data: DataConnection,
  source: AsyncIterable<Uint8Array>,
  options: SendOptions,
): Promise<DataEnd> {
  let bytes = 0
  const chunks = readable(source)
  try {
    const socket = await data.established
    const untilBroken = breakable(data, () => bytes)
    const flush = flusher(options.stallMs, () => bytes)
    const largest = options.limiter === undefined ? LARGEST_WRITE : FIRST_WRITE
    let size = FIRST_WRITE
    for (;;) {
      // A source may be slow for good reasons; that the connection has broken it shall not hide.
      const next = await untilBroken(chunks.next())
      if (next.done === true) break
      const chunk = next.value
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + size)
        const begun = performance.now()
        await untilBroken(flush((done) => socket.write(part, done)))
        size = Math.min(nextSize(size, performance.now() - begun), largest)
        at += part.length
        bytes += part.length
        options.onBytes?.(bytes)
        const wait = options.limiter?.book(part.length, performance.now()) ?? 0
        if (wait >= 1) await untilBroken(sleep(wait, undefined, { ref: false }))
      }
    }
    // From here on the server may end the connection as well; what it got, its final reply says.
    await flush((done) => {
      data.ended.then(() => done(), done)
      end(socket, done)
    })
    return { bytes, cleanClose: true }
  } catch (error) {
    const reason =
      error instanceof FtpError ? error : broken(error instanceof Error ? error : undefined, bytes)
    data.destroy(reason)
    // Not waited for: a source that hangs would hold this end, too.
    chunks.return(undefined).catch(() => undefined)
    throw reason
  }
}

/**
 * The server has nothing to send: whatever ends the connection before this end does is a failure, at whatever
 * point. One listener for all of them: a race for each chunk would leave its traces until the end.
 */
function breakable(data: DataConnection, bytes: () => number): <T>(work: Promise<T>) => Promise<T> {
  let broken: unknown
  let fail: (error: unknown) => void = () => undefined
  const breakOff = (error: unknown): void => {
    broken = error
    fail(error)
  }
  data.ended.then(() => breakOff(closedEarly(bytes())), breakOff)
  return (work) =>
    new Promise((resolve, reject) => {
      fail = reject
      work.then(resolve, reject)
      if (broken !== undefined) reject(broken)
    })
}

/** Errors of the source are the source's. */
async function* readable(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    if (cause instanceof FtpError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new FtpError('FTP_SOURCE_FAILED', `The source of the upload failed: ${why}`, {
      phase: 'local',
      cause,
    })
  }
}

/** Progress shall show several times a second. */
function nextSize(size: number, tookMs: number): number {
  if (tookMs < 25) return size * 2
  return tookMs > 250 ? Math.max(size / 2, SMALLEST_WRITE) : size
}

/** Told when something is done, or why it failed. */
type Done = (error?: unknown) => void

/** Does `work`; fails where the network has not taken it in time. */
type Flush = (work: (done: Done) => void) => Promise<void>

function flusher(ms: number, bytes: () => number): Flush {
  let fail: Done = () => undefined
  const deadline = new Deadline(() =>
    fail(
      new FtpError('FTP_TIMEOUT', `The server took no data for ${ms} ms.`, { phase: 'data', bytes: bytes() }),
    ),
  )
  return (work) =>
    new Promise((resolve, reject) => {
      fail = reject
      deadline.set(ms)
      work((error) => {
        deadline.clear()
        if (error === undefined || error === null) resolve()
        else reject(error)
      })
    })
}

function end(socket: Writable, done: Done): void {
  socket.once('error', done)
  socket.end(() => {
    socket.off('error', done)
    done()
  })
}

function closedEarly(bytes: number): FtpError {
  return new FtpError(
    'FTP_DATA_CONNECTION_FAILED',
    'The server closed the data connection before everything was sent.',
    { phase: 'data', bytes },
  )
}
