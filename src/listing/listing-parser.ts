/** The streaming reader: bytes of a data connection in, entries out, in constant memory. */
import { Buffer } from 'node:buffer'
import { FtpError } from '../errors.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { checkEncoding } from '../protocol/text.ts'
import { ListingContext, type ListingFormat } from './context.ts'
import type { Entry, ListedEntry } from './entry.ts'
import { LineJudge } from './format.ts'
import { readLines, type LineSettings } from './read-lines.ts'

/** How a listing is read. */
export interface ListingOptions {
  /**
   * The time to count from where a date has no year, a `Date` or milliseconds since 1970. Such a date is
   * the latest one that is at most a day after `now`. Without it, such dates stay `undefined`.
   */
  readonly now?: Date | number | undefined
  /** The family that each line is tried as first. Default `'auto'`: the one that fitted the line before. */
  readonly format?: ListingFormat | 'auto' | undefined
  /** The zone of the server's clock, minutes east of UTC. Default: unknown, and read as if it were UTC. */
  readonly serverTimeZone?: number | undefined
  /** The encoding of names, any label of `TextDecoder` that is a superset of ASCII. Default `'utf-8'`. */
  readonly encoding?: string | undefined
  /** Keep `.`, `..`, and the `cdir` and `pdir` of MLSD. Default: false. */
  readonly all?: boolean | undefined
  /** Called with each line that is neither an entry nor a header, footer or blank. */
  readonly onUnparsedLine?: ((line: string) => void) | undefined
  /** The longest line, in bytes. Default 10,000. */
  readonly lineBytes?: number | undefined
}

const LF = 0x0a

/** @internal Options → what the lines are read with. */
export function createContext(options: ListingOptions): ListingContext {
  const { now, format = 'auto', serverTimeZone, encoding = 'utf-8' } = options
  checkEncoding(encoding)
  if (serverTimeZone !== undefined && !Number.isFinite(serverTimeZone)) {
    throw new FtpError('FTP_INVALID_OPTION', 'serverTimeZone is a number of minutes', { phase: 'arguments' })
  }
  const time = now === undefined ? Number.NaN : Number(now)
  return new ListingContext(time, serverTimeZone, encoding, format === 'auto' ? undefined : format)
}

/** Reads a listing that comes in pieces, cut anywhere. */
export class ListingParser {
  readonly #judge: LineJudge
  readonly #settings: LineSettings
  /** The bytes of a line whose end has not come, in pieces: joining them once keeps the work linear. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  #unparsedLines = 0
  #endedInLine = false

  constructor(options: ListingOptions = {}) {
    this.#judge = new LineJudge(createContext(options), options.all ?? false, (line) => {
      this.#unparsedLines++
      options.onUnparsedLine?.(line)
    })
    this.#settings = {
      judge: this.#judge,
      encoding: options.encoding ?? 'utf-8',
      lineBytes: options.lineBytes ?? DEFAULT_LIMITS.listingLineBytes,
      onLongLine: () => this.#refuse(),
    }
  }

  /** Lines so far that no family could read. */
  get unparsedLines(): number {
    return this.#unparsedLines
  }

  /** True where the last line had no line end: a listing that was cut may look so, and some servers do it. */
  get endedInLine(): boolean {
    return this.#endedInLine
  }

  /**
   * Takes the next bytes and returns the entries that they complete.
   *
   * @throws FtpError `FTP_LIST_LINE_TOO_LONG`
   */
  push(chunk: Uint8Array): Entry[] {
    const entries: ListedEntry[] = []
    let bytes = asBuffer(chunk)
    if (this.#restBytes > 0) {
      const first = bytes.indexOf(LF)
      if (first < 0) {
        this.#keep(bytes)
        return entries
      }
      this.#keep(bytes.subarray(0, first + 1))
      readLines(this.#takeRest(), this.#settings, entries)
      bytes = bytes.subarray(first + 1)
    }
    const end = bytes.lastIndexOf(LF) + 1
    if (end > 0) readLines(bytes.subarray(0, end), this.#settings, entries)
    if (end < bytes.length) this.#keep(bytes.subarray(end))
    return entries
  }

  /** The listing has ended: returns the entry of a last line without line end, if there is one. */
  end(): Entry[] {
    const entries: ListedEntry[] = []
    if (this.#restBytes > 0) {
      this.#endedInLine = true
      readLines(this.#takeRest(), this.#settings, entries)
    }
    this.#judge.end()
    return entries
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length
    // The line end, which may be among them, does not count.
    if (this.#restBytes > this.#settings.lineBytes + 2) this.#refuse()
    // Copied: the caller may use its buffer again.
    this.#rest.push(Buffer.from(bytes))
  }

  #takeRest(): Buffer {
    const rest = Buffer.concat(this.#rest, this.#restBytes)
    this.#rest = []
    this.#restBytes = 0
    return rest
  }

  #refuse(): never {
    throw new FtpError(
      'FTP_LIST_LINE_TOO_LONG',
      `A line of the listing is longer than ${this.#settings.lineBytes} bytes`,
      {
        phase: 'listing',
      },
    )
  }
}

/** @internal A view of the same bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
