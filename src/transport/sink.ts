/**
 * Where received data go. A sink lends the memory that the socket reads into, so that a byte is copied only
 * where a stream has to own it.
 */

/** Receives data. `false` means: send nothing more until the connection is resumed. */
export interface Sink {
  /** Memory for the next read; asked for again after every read. */
  buffer(): Uint8Array
  /** The first `length` bytes of the memory lent last hold data. */
  filled(length: number): boolean
  /** Data in memory of their own, from a connection that cannot read into ours. */
  take(chunk: Uint8Array): boolean
}

/** Counts and forgets. */
export class NullSink implements Sink {
  readonly #memory: Uint8Array

  constructor(size = 256 * 1024) {
    this.#memory = Buffer.allocUnsafeSlow(size)
  }

  buffer(): Uint8Array {
    return this.#memory
  }

  filled(): boolean {
    return true
  }

  take(): boolean {
    return true
  }
}
