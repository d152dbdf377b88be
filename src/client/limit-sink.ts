/**
 * The first bytes of a transfer, and no more.
 */
import type { Sink } from '../transport/sink.ts'

/** Hands on `length` bytes, then calls `onFull`. */
export class LimitSink implements Sink {
  readonly #inner: Sink
  readonly #onFull: () => void
  #left: number

  constructor(inner: Sink, length: number, onFull: () => void) {
    this.#inner = inner
    this.#left = length
    this.#onFull = onFull
  }

  buffer(): Uint8Array {
    return this.#inner.buffer()
  }

  filled(length: number): boolean {
    return this.#count(length, (part) => this.#inner.filled(part))
  }

  take(chunk: Uint8Array): boolean {
    return this.#count(chunk.length, (part) => this.#inner.take(chunk.subarray(0, part)))
  }

  #count(length: number, deliver: (part: number) => boolean): boolean {
    const part = Math.min(length, this.#left)
    this.#left -= part
    const wantsMore = part === 0 || deliver(part)
    // One byte too many shows that there is a rest; a file that ends here ends by itself.
    if (part === length) return wantsMore
    this.#onFull()
    return false
  }
}
