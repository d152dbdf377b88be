/**
 * One large file over several sessions, each of which brings a part.
 */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { FtpError } from '../errors.ts'
import type { Progress } from './download.ts'
import type { FtpSession } from './session.ts'
import { temporaryName } from './temporary-name.ts'

/** What a download in parts needs. */
export interface SegmentsRequest {
  readonly name: string
  readonly path: string
  readonly segments: number
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly withSession: <T>(work: (session: FtpSession) => Promise<T>) => Promise<T>
}

/** Parts smaller than this cost more in round trips than they save. */
const SMALLEST_PART = 1024 * 1024

/**
 * Downloads in parts, each written in place; gives the size, or undefined where the server cannot: it tells
 * no size or refuses to begin in the middle. Nothing is left behind then.
 */
export async function downloadSegments(request: SegmentsRequest): Promise<number | undefined> {
  const { name, path, withSession } = request
  const size = await withSession((session) =>
    session.size(name, { signal: request.signal }).catch(() => undefined),
  )
  if (size === undefined || size < 2 * SMALLEST_PART) return undefined
  const parts = partsOf(size, Math.min(request.segments, Math.floor(size / SMALLEST_PART)))
  const temporary = temporaryName(path)
  const handle = await open(temporary, 'wx', 0o666)
  try {
    const done = parts.map(() => 0)
    await Promise.all(
      parts.map((part, at) =>
        withSession((session) =>
          receivePart(session, request, handle, part, (bytes) => {
            done[at] = bytes
            request.onProgress?.({ bytes: done.reduce((sum, one) => sum + one, 0), size })
          }),
        ),
      ),
    )
    await handle.close()
    await rename(temporary, path)
    return size
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
    if (error instanceof FtpError && error.command?.startsWith('REST') === true) return undefined
    throw error
  }
}

interface Part {
  readonly offset: number
  readonly length: number
  readonly isLast: boolean
}

function partsOf(size: number, count: number): Part[] {
  const length = Math.ceil(size / count)
  return Array.from({ length: count }, (_, at) => ({
    offset: at * length,
    length: Math.min(length, size - at * length),
    isLast: at === count - 1,
  }))
}

async function receivePart(
  session: FtpSession,
  { name, signal }: SegmentsRequest,
  handle: FileHandle,
  { offset, length, isLast }: Part,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // The last part is read to the end: a server that ignores REST sends too much, and is found out.
  const range = isLast ? { offset } : { offset, length }
  const download = session.download(name, { ...range, signal })
  let position = offset
  for await (const chunk of download) {
    const bytes = chunk as Uint8Array
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
      at += bytesWritten
    }
    position += bytes.length
    onBytes(position - offset)
  }
  if (position - offset !== length) {
    throw new FtpError(
      'FTP_SHORT_TRANSFER',
      `A part of the file came short: ${position - offset} of ${length} bytes.`,
      { phase: 'data', bytes: position - offset, expected: length },
    )
  }
}
