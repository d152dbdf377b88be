/**
 * Node ends a TLS stream in the same way whether the server ended it or somebody cut the TCP connection.
 * This passes the bytes between the socket and TLS and looks at the record headers (RFC 8446 §5.1) to tell.
 */
import { Duplex } from 'node:stream'

const HEADER = 5
const ALERT = 21
const APPLICATION_DATA = 23
/** In TLS 1.3 an alert travels as application data: 2 bytes, 1 for the true type, 16 for the tag (RFC 8446 §5.2). */
const ENCRYPTED_ALERT_LENGTH = 2 + 1 + 16

/** A Duplex over `raw` that knows whether the last record was an alert, as `close_notify` is. */
export class TlsEndTap extends Duplex {
  readonly #raw: Duplex
  readonly #header = Buffer.alloc(HEADER)
  #headerLength = 0
  #bodyLeft = 0
  #lastWasAlert = false

  constructor(raw: Duplex) {
    super({ allowHalfOpen: true })
    this.#raw = raw
    raw.on('data', (chunk: Buffer) => {
      this.#look(chunk)
      if (!this.push(chunk)) raw.pause()
    })
    raw.on('end', () => this.push(null))
    raw.on('error', (error) => this.destroy(error))
    raw.on('close', () => this.destroy())
  }

  /** True where the stream stopped at the end of an alert record. */
  get endedCleanly(): boolean {
    return this.#lastWasAlert && this.#bodyLeft === 0 && this.#headerLength === 0
  }

  override _read(): void {
    this.#raw.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy()
    done(error)
  }

  #look(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#bodyLeft > 0) {
        const skipped = Math.min(this.#bodyLeft, chunk.length - at)
        this.#bodyLeft -= skipped
        at += skipped
        continue
      }
      this.#header[this.#headerLength++] = chunk[at++] ?? 0
      if (this.#headerLength === HEADER) this.#beginRecord()
    }
  }

  #beginRecord(): void {
    const type = this.#header[0]
    this.#bodyLeft = this.#header.readUInt16BE(3)
    this.#headerLength = 0
    this.#lastWasAlert =
      type === ALERT || (type === APPLICATION_DATA && this.#bodyLeft === ENCRYPTED_ALERT_LENGTH)
  }
}
