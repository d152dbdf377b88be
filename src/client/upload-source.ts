/**
 * What can be uploaded, as chunks of bytes.
 */
import { open, stat, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { FtpError } from '../errors.ts'

/**
 * A local file by its path or `file:` URL, text, bytes, a Node or Web stream, or any iterable of bytes or
 * text. Text goes out as UTF-8.
 */
export type UploadSource =
  | string
  | URL
  | { readonly text: string }
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<Uint8Array | string>
  | AsyncIterable<Uint8Array | string>

/** A source made ready. */
export interface OpenedSource {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The whole length in bytes, where it is known beforehand. */
  readonly size: number | undefined
  /** Frees what the source holds, whether it was read to the end or not. */
  readonly close: () => Promise<void>
}

/** A read on another thread costs as much as 100 KiB of its bytes, so it should be worth it. */
const BLOCK = 2 * 1024 * 1024

/**
 * Opens a source, from byte `offset` on.
 * @throws FtpError `FTP_LOCAL_FILE` where it cannot be read, `FTP_INVALID_ARGUMENT` for what is no source.
 */
export async function openSource(source: UploadSource, offset = 0): Promise<OpenedSource> {
  if (typeof source === 'string' || source instanceof URL) return openFile(source, offset)
  if (source instanceof Blob)
    return { ...(await openSource(source.stream(), offset)), size: Math.max(source.size - offset, 0) }
  if (source instanceof Uint8Array) return ofBytes(source.subarray(offset))
  if (isText(source)) return ofBytes(Buffer.from(source.text, 'utf8').subarray(offset))
  const chunks = iterableOf(source)
  return { chunks: skipping(chunks, offset), size: undefined, close: () => closeIterable(source) }
}

/** Size and time of a source that is a local file. */
export async function localStat(
  source: UploadSource,
): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new FtpError('FTP_INVALID_ARGUMENT', 'Only a local file has a size and a time to compare.', {
      phase: 'arguments',
    })
  }
  try {
    return await stat(source)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new FtpError('FTP_LOCAL_FILE', `Cannot read the file to upload: ${why}`, { phase: 'local', cause })
  }
}

/**
 * To be called before the upload waits for its turn: a stream that fails meanwhile, such as one of a file that
 * is not there, would end the process, because nobody listens yet.
 * @throws FtpError `FTP_INVALID_ARGUMENT` for what is no source.
 */
export function guardSource(source: UploadSource): void {
  const isSource = typeof source === 'string' || (typeof source === 'object' && source !== null)
  if (!isSource) throw noSource()
  if (source instanceof Readable) source.on('error', () => undefined)
}

function noSource(): FtpError {
  return new FtpError(
    'FTP_INVALID_ARGUMENT',
    'The source of an upload is a path, a file: URL, { text }, bytes, a Blob, a stream or an iterable of bytes.',
    { phase: 'arguments' },
  )
}

function iterableOf(source: unknown): AsyncIterable<Uint8Array> {
  if (source instanceof ReadableStream) return toBytes(Readable.fromWeb(source))
  if (isIterable(source)) return toBytes(source)
  throw noSource()
}

async function openFile(file: string | URL, offset: number): Promise<OpenedSource> {
  let handle: FileHandle | undefined
  try {
    const path = file instanceof URL ? fileURLToPath(file) : file
    handle = await open(path, 'r')
    const stat = await handle.stat()
    if (stat.isDirectory()) throw new Error('it is a directory')
    const opened = handle
    const size = stat.isFile() ? Math.max(stat.size - offset, 0) : undefined
    return { chunks: fileChunks(opened, offset, size), size, close: () => opened.close() }
  } catch (cause) {
    await handle?.close()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new FtpError('FTP_LOCAL_FILE', `Cannot read the file to upload: ${why}`, { phase: 'local', cause })
  }
}

/** Reads into the same memory again and again: the receiver has taken a chunk before it asks for the next. */
async function* fileChunks(
  handle: FileHandle,
  offset: number,
  size: number | undefined,
): AsyncGenerator<Uint8Array> {
  // A small file needs little; the byte more lets one that has grown meanwhile be seen.
  const memory = Buffer.allocUnsafeSlow(Math.min(BLOCK, (size ?? BLOCK) + 1))
  let position = offset
  for (;;) {
    const { bytesRead } = await handle.read(memory, 0, memory.length, size === undefined ? null : position)
    if (bytesRead === 0) break
    position += bytesRead
    yield memory.subarray(0, bytesRead)
  }
  if (size !== undefined && position - offset !== size) {
    throw new FtpError('FTP_SOURCE_FAILED', 'The file changed its size while it was being uploaded.', {
      phase: 'local',
      expected: size,
      bytes: position - offset,
    })
  }
}

function ofBytes(bytes: Uint8Array): OpenedSource {
  // A Readable.from would take the bytes apart.
  return { chunks: toBytes([bytes]), size: bytes.length, close: () => Promise.resolve() }
}

async function* toBytes(chunks: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (typeof chunk === 'string') yield Buffer.from(chunk, 'utf8')
    else if (chunk instanceof Uint8Array) yield chunk
    else
      throw new FtpError(
        'FTP_SOURCE_FAILED',
        'The source of the upload gave something that is neither bytes nor text.',
        { phase: 'local' },
      )
  }
}

async function* skipping(chunks: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
  let left = offset
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}

async function closeIterable(source: object): Promise<void> {
  if (source instanceof Readable && !source.destroyed) source.destroy()
  else if (source instanceof ReadableStream && !source.locked) await source.cancel().catch(() => undefined)
}

function isText(source: object): source is { readonly text: string } {
  return 'text' in source && typeof source.text === 'string'
}

function isIterable(source: unknown): source is Iterable<unknown> | AsyncIterable<unknown> {
  return (
    typeof source === 'object' &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source)
  )
}
