/** What a family knows of the listing that its line stands in. */
import { ListedEntry, type EntryType } from './entry.ts'
import type { TimePrecision } from '../protocol/time.ts'

/** The families of listings. */
export type ListingFormat =
  'mlsd' | 'unix' | 'dos' | 'eplf' | 'vms' | 'os400' | 'mvs' | 'zvm' | 'netware' | 'nonstop' | 'vxworks'

/** What a line turned out to be; `undefined` where it is not of the family. */
export type Outcome =
  | ListedEntry
  /** A header, a total, an empty line: nothing that a caller misses. */
  | 'noise'
  /** The first part of an entry whose rest is on the next line. */
  | 'continues'
  | undefined

/** Reads one line of one family. Never throws, in time linear in the line's length. */
export type LineReader = (line: string, listing: ListingContext) => Outcome

/** The settings of a listing, and what its lines so far have told. One for each listing. */
export class ListingContext {
  /** The family of the last line that fitted, or the one that was asked for. */
  fitted: ListingFormat | undefined
  /** The last header of a family whose lines mean different things under different headers. */
  header: string | undefined = undefined
  /** `now` in the server's civil time, milliseconds; `NaN` where it was not given. */
  readonly now: number
  /** What to subtract from the server's civil time to get UTC, milliseconds. */
  readonly zoneMs: number
  readonly zoneKnown: boolean
  readonly encoding: string

  constructor(
    now: number,
    zoneMinutes: number | undefined,
    encoding: string,
    format: ListingFormat | undefined,
  ) {
    this.zoneMs = (zoneMinutes ?? 0) * 60_000
    this.zoneKnown = zoneMinutes !== undefined
    this.now = now + this.zoneMs
    this.encoding = encoding
    this.fitted = format
  }

  /** A new entry of this listing. */
  entry(name: string, type: EntryType, raw: string): ListedEntry {
    return new ListedEntry(name, type, raw, this.encoding)
  }

  /** Sets a time that the server gave by its own clock. */
  setCivil(entry: ListedEntry, time: number, precision: TimePrecision): void {
    entry.setModified(time - this.zoneMs, precision, this.zoneKnown)
  }
}
