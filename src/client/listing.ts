/**
 * A directory on its way here, entry by entry.
 */
import { FtpError } from '../errors.ts'
import type { DownloadResult } from './incoming.ts'
import type { Entry } from '../listing/index.ts'
import { saysNoFiles } from '../protocol/scripts/refusals.ts'
import { ListingParser, type ListingOptions } from '../listing/index.ts'

/** What a listing has read. */
export interface OpenedListing {
  readonly chunks: AsyncIterable<unknown>
  /** The download behind the chunks, where there is one. */
  readonly result?: Promise<DownloadResult>
  readonly parse: ListingOptions
}

/** The entries of a directory. Read it once: with `for await`, which holds one packet in memory, or as an array. */
export class Listing implements AsyncIterable<Entry> {
  readonly #open: () => Promise<OpenedListing>
  readonly #mostEntries: number
  #unparsed = 0
  #presumedEmpty = false

  /** @internal */
  constructor(open: () => Promise<OpenedListing>, mostEntries: number) {
    this.#open = open
    this.#mostEntries = mostEntries
  }

  /** Lines so far that no format could read; `onUnparsedLine` has seen each of them. */
  get unparsedLines(): number {
    return this.#unparsed
  }

  /** True where nothing came and the data connection broke off: the server said that there was nothing. */
  get presumedEmpty(): boolean {
    return this.#presumedEmpty
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const entries of this.#batches()) yield* entries
  }

  /**
   * All entries at once.
   * @throws FtpError `FTP_LIST_TOO_LARGE` beyond the limit `listingEntries`; iterate instead.
   */
  async toArray(): Promise<Entry[]> {
    const all: Entry[] = []
    for await (const entries of this.#batches()) {
      for (const entry of entries) all.push(entry)
      if (all.length > this.#mostEntries) {
        throw new FtpError(
          'FTP_LIST_TOO_LARGE',
          `The listing has more than ${this.#mostEntries} entries: iterate over it, or raise the limit listingEntries.`,
          { phase: 'listing' },
        )
      }
    }
    return all
  }

  async *#batches(): AsyncGenerator<Entry[], void, undefined> {
    const { chunks, parse, result } = await this.#open()
    const parser = new ListingParser(parse)
    try {
      for await (const chunk of chunks) {
        yield parser.push(chunk as Uint8Array)
        this.#unparsed = parser.unparsedLines
      }
      this.#presumedEmpty = (await result)?.presumedEmpty === true
      yield parser.end()
      this.#unparsed = parser.unparsedLines
    } catch (error) {
      if (saysEmpty(error)) return
      throw error
    }
  }
}

/** RFC 959 has no reply for a directory without files; some servers say 450 or 550 and mean it. */
function saysEmpty(error: unknown): boolean {
  return (
    error instanceof FtpError &&
    error.reply !== undefined &&
    (error.bytes ?? 0) === 0 &&
    saysNoFiles(error.reply)
  )
}
