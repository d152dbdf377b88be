/**
 * The sending end of a data connection.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { FtpError } from '../errors.ts'
import type { DataConnection } from './data-connection.ts'
import { broken } from './data-errors.ts'
import type { DataEnd } from './data-socket.ts'
import { Deadline } from './deadline.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** A write of more is cut up, so that a slow link shows progress before the deadline. */
const LARGEST_WRITE = 256 * 1024

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
    for (;;) {
      // A source may be slow for good reasons; that the connection has broken it shall not hide.
      const next = await untilBroken(chunks.next())
      if (next.done === true) break
      const chunk = next.value
      for (let at = 0; at < chunk.length; at += LARGEST_WRITE) {
        const part = chunk.subarray(at, at + LARGEST_WRITE)
        // The source may use its memory again behind a chunk: the last part must have left it by then.
        const isLast = at + part.length >= chunk.length
        const flushed = isLast
          ? written(socket, part)
          : socket.write(part)
            ? undefined
            : once(socket, 'drain')
        if (flushed !== undefined)
          await within<unknown>(options.stallMs, untilBroken<unknown>(flushed), bytes)
        bytes += part.length
        options.onBytes?.(bytes)
        const wait = options.limiter?.book(part.length, performance.now()) ?? 0
        if (wait >= 1) await untilBroken(sleep(wait, undefined, { ref: false }))
      }
    }
    // From here on the server may end the connection as well; what it got, its final reply says.
    await within(options.stallMs, Promise.race([ended(socket), data.ended]), bytes)
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

function written(socket: Writable, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(part, (error) => (error instanceof Error ? reject(error) : resolve()))
  })
}

function ended(socket: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.end(() => {
      socket.off('error', reject)
      resolve()
    })
  })
}

async function within<T>(ms: number, work: Promise<T>, bytes: number): Promise<T> {
  let expire: (error: FtpError) => void = () => undefined
  const late = new Promise<never>((_, reject) => {
    expire = reject
  })
  const deadline = new Deadline(() =>
    expire(new FtpError('FTP_TIMEOUT', `The server took no data for ${ms} ms.`, { phase: 'data', bytes })),
  )
  deadline.set(ms)
  try {
    return await Promise.race([work, late])
  } finally {
    deadline.clear()
  }
}

function closedEarly(bytes: number): FtpError {
  return new FtpError(
    'FTP_DATA_CONNECTION_FAILED',
    'The server closed the data connection before everything was sent.',
    { phase: 'data', bytes },
  )
}
