/** A socket that can be told to end behind a number of bytes: TLS above it is cut wherever a test wants, even in a record. */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

export class LimitedDuplex extends Duplex {
  readonly #socket: Socket
  #left = Infinity

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('close', () => this.destroy())
  }

  /** Counts from now. */
  limit(bytes: number): void {
    this.#left = bytes
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const allowed = chunk.subarray(0, this.#left)
    if (allowed.length > 0) this.#socket.write(allowed)
    this.#left -= allowed.length
    if (this.#left === 0) this.#socket.end()
    done()
  }

  override _final(done: () => void): void {
    this.#socket.end()
    done()
  }
}
