/**
 * Data for a stream, which owns what it is given.
 */
import type { Sink } from '../transport/sink.ts'

/** Enough for the many files that are small. */
const FIRST_BLOCK = 64 * 1024
/** To set memory aside costs more than to fill it, so it is done seldom. */
const BLOCK = 1024 * 1024
/** Less room than this makes reads too short to be worth their calls. */
const LEAST_ROOM = 64 * 1024

/** Cuts blocks into chunks, so that a stream owns its chunks and nothing is copied. */
export class StreamSink implements Sink {
  readonly #push: (chunk: Uint8Array) => boolean
  #block: Buffer = Buffer.allocUnsafeSlow(FIRST_BLOCK)

  /** `push` gives false where the stream has enough. */
  constructor(push: (chunk: Uint8Array) => boolean) {
    this.#push = push
  }

  buffer(): Uint8Array {
    if (this.#block.length < LEAST_ROOM) this.#block = Buffer.allocUnsafeSlow(BLOCK)
    return this.#block
  }

  filled(length: number): boolean {
    const chunk = this.#block.subarray(0, length)
    this.#block = this.#block.subarray(length)
    return this.#push(chunk)
  }

  take(chunk: Uint8Array): boolean {
    return this.#push(chunk)
  }
}
