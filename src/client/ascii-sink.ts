/**
 * Text on its way to another sink: NVT-ASCII line ends become local ones.
 */
import { NvtAsciiDecoder } from '../protocol/nvt-ascii.ts'
import type { Sink } from '../transport/sink.ts'

/** Converts, then hands on. */
export class AsciiSink implements Sink {
  readonly #inner: Sink
  readonly #decoder: NvtAsciiDecoder
  readonly #memory = Buffer.allocUnsafeSlow(64 * 1024)

  constructor(inner: Sink, lineEnd: '\n' | '\r\n') {
    this.#inner = inner
    this.#decoder = new NvtAsciiDecoder(lineEnd)
  }

  buffer(): Uint8Array {
    return this.#memory
  }

  filled(length: number): boolean {
    return this.take(this.#memory.subarray(0, length))
  }

  take(chunk: Uint8Array): boolean {
    const text = this.#decoder.push(chunk)
    return text.length === 0 || this.#inner.take(text)
  }

  /** Hands on what was held back for the next chunk. */
  end(): void {
    const rest = this.#decoder.end()
    if (rest.length > 0) this.#inner.take(rest)
  }
}
