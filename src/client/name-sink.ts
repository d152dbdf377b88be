/**
 * The data of an NLST, gathered as names.
 */
import { FtpError } from '../errors.ts'
import type { Limits } from '../protocol/limits.ts'
import { decodeText } from '../protocol/text.ts'
import type { Sink } from '../transport/sink.ts'

const LF = 0x0a
const CR = 0x0d

/** Splits at LF, with or without a CR before it, whatever the cuts; bounded in line and number. */
export class NameSink implements Sink {
  readonly #limits: Limits
  readonly #encoding: string | undefined
  readonly #memory = Buffer.allocUnsafeSlow(64 * 1024)
  readonly #names: string[] = []
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(limits: Limits, encoding: string | undefined) {
    this.#limits = limits
    this.#encoding = encoding
  }

  buffer(): Uint8Array {
    return this.#memory
  }

  filled(length: number): boolean {
    return this.take(Buffer.from(this.#memory.subarray(0, length)))
  }

  take(chunk: Uint8Array): boolean {
    let start = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      this.#add(chunk.subarray(start, at))
      this.#endLine()
      start = at + 1
    }
    this.#add(chunk.subarray(start))
    return true
  }

  /** All names. */
  end(): string[] {
    this.#endLine()
    return this.#names
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length
    const { listingLineBytes } = this.#limits
    if (this.#length > listingLineBytes + 1) {
      throw new FtpError(
        'FTP_LIST_LINE_TOO_LONG',
        `The server sent a name of more than ${listingLineBytes} bytes; see the option limits.`,
        { phase: 'listing' },
      )
    }
    if (piece.length > 0) this.#pieces.push(piece)
  }

  #endLine(): void {
    const line =
      this.#pieces.length === 1 && this.#pieces[0] !== undefined
        ? this.#pieces[0]
        : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#length = 0
    const text = decodeText(line.at(-1) === CR ? line.subarray(0, -1) : line, this.#encoding)
    // vsftpd, ProFTPD and Pure-FTPd repeat the argument of NLST before each name.
    const name = text.slice(text.lastIndexOf('/') + 1)
    if (name === '' || name === '.' || name === '..') return
    const { listingEntries } = this.#limits
    if (this.#names.length >= listingEntries) {
      throw new FtpError(
        'FTP_LIST_TOO_LARGE',
        `The listing has more than ${listingEntries} entries; see the option limits.`,
        { phase: 'listing' },
      )
    }
    this.#names.push(name)
  }
}
