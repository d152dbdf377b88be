/**
 * The plain line of `ls -l`, read from its bytes: permissions, link count, owner, group, size, an English
 * date, name. It says the same as `unix.ts`, five times as fast; whatever is not plain is left to that.
 */
import { civilTime, latestCivilTime } from '../protocol/time.ts'
import type { ListingContext } from './context.ts'
import type { ListedEntry } from './entry.ts'
import { englishMonthAt } from './months.ts'

const BLANK = 0x20
const COLON = 0x3a
const COMMA = 0x2c
const DASH = 0x2d
const DIRECTORY = 0x64
const SLASH = 0x2f

const IS_PERMISSION = new Uint8Array(256)
for (const letter of '-rwxsStT') IS_PERMISSION[letter.charCodeAt(0)] = 1

/** Keeps the last strings of a column: neighbours in a folder mostly have the same owner. */
class Column {
  #value = ''

  /** `text` from `start` to `end`, the string of the line before where that is equal. */
  take(bytes: Uint8Array, start: number, end: number, text: string): string {
    const value = this.#value
    if (value.length === end - start) {
      let at = 0
      while (at < value.length && value.charCodeAt(at) === bytes[start + at]) at++
      if (at === value.length) return value
    }
    return (this.#value = text.slice(start, end))
  }
}

/** Reads the plain lines of one listing. */
export class UnixBytesReader {
  readonly #permissions = new Column()
  readonly #owner = new Column()
  readonly #group = new Column()

  /** The line that fills `bytes`, and `text` alike, from `start` to `end`, ASCII; `undefined` if not plain. */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    text: string,
    listing: ListingContext,
  ): ListedEntry | undefined {
    const letter = bytes[start] ?? 0
    if ((letter !== DASH && letter !== DIRECTORY) || end - start < 30) return undefined
    for (let at = start + 1; at < start + 10; at++) if (IS_PERMISSION[bytes[at] ?? 0] === 0) return undefined
    if (bytes[start + 10] !== BLANK) return undefined
    let at = skip(bytes, start + 11)
    const linksStart = at
    while (isDigit(bytes[at] ?? 0)) at++
    if (at === linksStart || bytes[at] !== BLANK) return undefined
    const ownerStart = skip(bytes, at)
    const ownerEnd = wordEnd(bytes, ownerStart, end)
    const groupStart = skip(bytes, ownerEnd)
    const groupEnd = wordEnd(bytes, groupStart, end)
    if (bytes[groupEnd - 1] === COMMA) return undefined
    const sizeStart = skip(bytes, groupEnd)
    let size = 0
    at = sizeStart
    for (let byte = bytes[at] ?? 0; isDigit(byte); byte = bytes[++at] ?? 0) size = size * 10 + byte - 0x30
    // Fifteen digits are always exact.
    if (at === sizeStart || at - sizeStart > 15 || bytes[at] !== BLANK) return undefined
    const monthStart = skip(bytes, at)
    const month = englishMonthAt(text, monthStart)
    if (month === 0 || bytes[monthStart + 3] !== BLANK) return undefined
    at = skip(bytes, monthStart + 4)
    let day = digit(bytes, at++)
    if (bytes[at] !== BLANK) day = day * 10 + digit(bytes, at++)
    if (!(day >= 0) || bytes[at] !== BLANK) return undefined
    const isPadded = bytes[at + 1] === BLANK
    at = skip(bytes, at)
    let time: number
    let nameStart: number
    if (bytes[at + 2] === COLON) {
      const hour = digit(bytes, at) * 10 + digit(bytes, at + 1)
      const minute = digit(bytes, at + 3) * 10 + digit(bytes, at + 4)
      if (!(hour >= 0 && minute >= 0) || bytes[at + 5] !== BLANK) return undefined
      time = latestCivilTime(listing.now, month, day, hour, minute)
      nameStart = at + 6
    } else {
      const year =
        digit(bytes, at) * 1000 +
        digit(bytes, at + 1) * 100 +
        digit(bytes, at + 2) * 10 +
        digit(bytes, at + 3)
      if (!(year >= 0) || bytes[at + 4] !== BLANK) return undefined
      time = civilTime(year, month, day)
      nameStart = at + 5
      if (!isPadded && bytes[nameStart] === BLANK) return undefined
    }
    // A name of blanks, one behind blanks, and the slash of `ls -p` are for the thorough reader.
    if (nameStart >= end || (bytes[nameStart] ?? 0) <= BLANK || bytes[end - 1] === SLASH) return undefined
    const entry = listing.entry(
      text.slice(nameStart, end),
      letter === DASH ? 'file' : 'dir',
      text.slice(start, end),
    )
    entry.size = size
    entry.permissions = this.#permissions.take(bytes, start + 1, start + 10, text)
    entry.owner = this.#owner.take(bytes, ownerStart, ownerEnd, text)
    entry.group = this.#group.take(bytes, groupStart, groupEnd, text)
    listing.setCivil(entry, time, bytes[at + 2] === COLON ? 'minute' : 'day')
    return entry
  }
}

function skip(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === BLANK) at++
  return at
}

/** The next blank; a control character (a tab, most likely) ends the word too, and with it the plain line. */
function wordEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] ?? 0) > BLANK) at++
  return at
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** The digit at `at`, or `NaN`. */
function digit(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  return isDigit(byte) ? byte - 0x30 : Number.NaN
}
