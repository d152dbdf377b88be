/**
 * Data that come compressed (`MODE Z`): a zlib stream (RFC 1950), unpacked on the way to another sink.
 */
import { createInflate } from 'node:zlib'
import { FtpError } from '../errors.ts'
import type { Sink } from './sink.ts'

const MEMORY = 64 * 1024

/** What the unpacking tells its connection. */
export interface InflateEvents {
  /** There is room for more packed data. */
  readonly onRoom: () => void
  /** So many unpacked bytes have been handed on in all. */
  readonly onBytes: (bytes: number) => void
  readonly onFailure: (error: FtpError) => void
}

/** Unpacks, and holds both sides back: a small packet may hold a very large file. */
export class InflateSink implements Sink {
  readonly #inflate = createInflate()
  readonly #memory = Buffer.allocUnsafeSlow(MEMORY)
  #bytes = 0
  #packed = 0

  constructor(inner: Sink, events: InflateEvents) {
    this.#inflate.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length
      events.onBytes(this.#bytes)
      try {
        if (!inner.take(chunk)) this.#inflate.pause()
      } catch (error) {
        this.#inflate.destroy(error as Error)
      }
    })
    this.#inflate.on('drain', events.onRoom)
    this.#inflate.on('error', (cause) =>
      events.onFailure(cause instanceof FtpError ? cause : unreadable(cause)),
    )
  }

  buffer(): Uint8Array {
    return this.#memory
  }

  filled(length: number): boolean {
    return this.take(Buffer.from(this.#memory.subarray(0, length)))
  }

  take(chunk: Uint8Array): boolean {
    this.#packed += chunk.length
    return this.#inflate.write(chunk)
  }

  /** The inner sink has room again; true where packed data are wanted too. */
  resume(): boolean {
    this.#inflate.resume()
    return !this.#inflate.writableNeedDrain
  }

  /** All packed data have come: gives the number of unpacked bytes when they have been handed on. */
  async finish(): Promise<number> {
    // Some servers send nothing at all for an empty file, not even an empty stream.
    if (this.#packed === 0) return 0
    await new Promise<void>((resolve, reject) => {
      this.#inflate.once('end', resolve)
      this.#inflate.once('error', (cause) => reject(cause instanceof FtpError ? cause : unreadable(cause)))
      this.#inflate.end()
    })
    return this.#bytes
  }

  destroy(): void {
    this.#inflate.destroy()
  }
}

function unreadable(cause: Error): FtpError {
  return new FtpError(
    'FTP_DATA_CONNECTION_FAILED',
    `The compressed data cannot be unpacked: ${cause.message}`,
    { phase: 'data', cause },
  )
}
