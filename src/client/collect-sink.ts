/**
 * Data for memory.
 */
import type { Sink } from '../transport/sink.ts'

const FIRST = 64 * 1024
const LARGEST = 8 * 1024 * 1024

/** Keeps everything in blocks of growing size; a size that a server claims never sets memory aside. */
export class CollectSink implements Sink {
  readonly #full: Uint8Array[] = []
  #block = Buffer.allocUnsafe(FIRST)
  #used = 0

  buffer(): Uint8Array {
    if (this.#used === this.#block.length) this.#grow()
    return this.#block.subarray(this.#used)
  }

  filled(length: number): boolean {
    this.#used += length
    return true
  }

  take(chunk: Uint8Array): boolean {
    let rest = chunk
    while (rest.length > 0) {
      const room = this.buffer()
      const part = rest.subarray(0, room.length)
      room.set(part)
      this.#used += part.length
      rest = rest.subarray(part.length)
    }
    return true
  }

  /** All of it, in one piece. */
  bytes(): Buffer {
    const last = this.#block.subarray(0, this.#used)
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last])
  }

  #grow(): void {
    this.#full.push(this.#block)
    this.#block = Buffer.allocUnsafe(Math.min(this.#block.length * 2, LARGEST))
    this.#used = 0
  }
}
