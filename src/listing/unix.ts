/** `ls -l`, as most servers print it: `-rw-r--r--   1 owner group  21 Aug  8 14:14 name`. */
import type { ListingContext, LineReader, Outcome } from './context.ts'
import type { EntryType, ListedEntry } from './entry.ts'
import { listDateAt, type ListDate } from './list-date.ts'
import { areDigits, endOfWord, isBlank, isDigit, skipBlanks } from './scan.ts'

// Words between the permissions and the date. Cygwin's groups have many; nothing real has more.
const MOST_WORDS = 32
const ARROW = ' -> '

// The word for "total" in the languages of coreutils: a line of it and one number is no entry.
const TOTAL =
  /^(?:total|totaal|totale|totalt|gesamt|insgesamt|razem|celkem|celkom|yhteensä|kokku|összesen|toplam|samtals|ukupno|skupaj|итого|всего|разом|усього|общо|укупно|σύνολο|合計|总用量|總計|總用量|합계)[:：]?\s*-?\d[\d.,]*\s*[a-z]?$/i

/** Reads one line of `ls -l`. */
export const readUnixLine: LineReader = (line, listing) => {
  const start = skipBlanks(line, 0)
  const type = typeOf(line.charCodeAt(start))
  if (type !== undefined) {
    const entry = readEntry(line, start, type, listing)
    if (entry !== undefined) return entry
  }
  return isNoise(line, start)
}

function isNoise(line: string, start: number): Outcome {
  const text = line.slice(start).trimEnd()
  // `.:` is how `ls -R` begins; `dir:` further down would give the entries that follow a wrong folder.
  return text === '.:' || (text.length < 64 && TOTAL.test(text)) ? 'noise' : undefined
}

/** Solaris has doors (D) and event ports (P), BSD whiteouts (w), Cray and HP more. */
function typeOf(code: number): EntryType | undefined {
  switch (code) {
    case 0x2d: // -
    case 0x66: // f
      return 'file'
    case 0x64: // d
      return 'dir'
    case 0x6c: // l
      return 'link'
    case 0x62: // b
    case 0x63: // c
    case 0x70: // p
    case 0x73: // s
    case 0x44: // D
    case 0x50: // P
    case 0x43: // C
    case 0x6e: // n
    case 0x77: // w
      return 'other'
    default:
      return undefined
  }
}

function readEntry(line: string, start: number, type: EntryType, listing: ListingContext): Outcome {
  const lettersEnd = endOfPermissions(line, start + 1)
  // HylaFAX prints six letters, some servers eight.
  if (lettersEnd < start + 7) return undefined
  let at = lettersEnd
  const mark = line.charCodeAt(at)
  // An access control list (+), a security context (.), extended attributes (@).
  if (mark === 0x2b || mark === 0x2e || mark === 0x40) at++
  // A link count of four digits runs into the letters.
  if (!isBlank(line.charCodeAt(at)) && !isDigit(line.charCodeAt(at))) return undefined
  const entry = readRest(line, at, type, listing, false) ?? readRest(line, at, type, listing, true)
  if (entry !== undefined && lettersEnd === start + 10) {
    const permissions = line.slice(start + 1, lettersEnd)
    // Windows' OpenSSH prints stars for what it does not know.
    if (!permissions.includes('*')) entry.permissions = permissions
  }
  return entry
}

function endOfPermissions(line: string, start: number): number {
  let at = start
  while (at < start + 9) {
    switch (line.charCodeAt(at)) {
      case 0x2d: // -
      case 0x72: // r
      case 0x77: // w
      case 0x78: // x
      case 0x73: // s
      case 0x53: // S
      case 0x74: // t
      case 0x54: // T
      case 0x6c: // l: mandatory locking, Solaris
      case 0x4c: // L
      case 0x2a: // *
        at++
        break
      default:
        return at
    }
  }
  return at
}

/** Reads from behind the permissions: finds the date, the size before it, the name behind it. */
function readRest(
  line: string,
  from: number,
  type: EntryType,
  listing: ListingContext,
  guess: boolean,
): ListedEntry | undefined {
  const first = skipBlanks(line, from)
  let previousStart = first
  let previousEnd = endOfWord(line, first)
  let beforeEnd = first
  let at = skipBlanks(line, previousEnd)
  for (let words = 1; words < MOST_WORDS && at < line.length; words++) {
    const end = endOfWord(line, at)
    // Two words at least stand before a date: `1 jan 12 2048 Dec  8 15:54 x` belongs to the user jan.
    if ((words > 1 || guess) && isSize(line, previousStart, previousEnd)) {
      const date = listDateAt(line, at, end, listing.now, guess)
      if (date !== undefined && isBlank(line.charCodeAt(date.end))) {
        const entry = named(line, date, type, listing)
        if (entry !== undefined) addOwnerAndSize(entry, line, first, beforeEnd, previousStart, previousEnd)
        return entry
      }
    }
    beforeEnd = previousEnd
    previousStart = at
    previousEnd = end
    at = skipBlanks(line, end)
  }
  return undefined
}

function named(
  line: string,
  date: ListDate,
  type: EntryType,
  listing: ListingContext,
): ListedEntry | undefined {
  let name = line.slice(date.end + 1)
  if (skipBlanks(name, 0) === name.length) return undefined
  let target: string | undefined
  if (type === 'link') {
    const arrow = name.indexOf(ARROW)
    if (arrow > 0) {
      target = name.slice(arrow + ARROW.length)
      name = name.slice(0, arrow)
    }
  } else if (type === 'dir' && name.length > 1 && name.charCodeAt(name.length - 1) === 0x2f) {
    // `ls -p`: no name holds a slash.
    name = name.slice(0, -1)
  }
  const entry = listing.entry(name, type, line)
  if (target !== undefined && target.length > 0) entry.linkTarget = target
  if (Number.isNaN(date.zone)) listing.setCivil(entry, date.time, date.precision)
  else entry.setModified(date.time - date.zone * 60_000, date.precision, true)
  return entry
}

/** A number, a device's `8,  0` or `8,0`, a group that ran into a number, or `4.0K` of `ls -h`. */
function isSize(line: string, start: number, end: number): boolean {
  if (areDigits(line, start, end)) return true
  if (end - start > 64) return false
  const last = line.charCodeAt(end - 1)
  if (!isDigit(last) && !(isDigit(line.charCodeAt(start)) && last > 0x40)) return false
  return /^(?:\d+,\d+|0x[\da-f]+|\d+(?:[.,]\d+)?[KMGTPEB]|[^\d\s][^\s]*\d)$/i.test(line.slice(start, end))
}

function addOwnerAndSize(
  entry: ListedEntry,
  line: string,
  first: number,
  beforeEnd: number,
  sizeStart: number,
  sizeEnd: number,
): void {
  let ownersEnd = beforeEnd
  const text = line.slice(sizeStart, sizeEnd)
  if (line.charCodeAt(beforeEnd - 1) === 0x2c && beforeEnd > first) {
    // A device: `8,   0` are its numbers.
    ownersEnd = startOfWord(line, beforeEnd, first)
  } else if (isDigit(text.charCodeAt(0)) && !text.includes(',') && !text.startsWith('0x')) {
    entry.setSize(text)
  }
  const linksEnd = endOfWord(line, first)
  const hasLinks = areDigits(line, first, linksEnd)
  addOwners(
    entry,
    line,
    hasLinks ? skipBlanks(line, linksEnd) : first,
    trimEnd(line, ownersEnd, first),
    hasLinks,
  )
}

/** Owner and group stand between the link count and the size. Either may have blanks in it. */
function addOwners(entry: ListedEntry, line: string, start: number, end: number, hasLinks: boolean): void {
  if (start >= end) return
  const ownerEnd = endOfWord(line, start)
  if (ownerEnd >= end) {
    const word = line.slice(start, end)
    // Mac servers print `folder`, or the sizes of the two forks that add up to the size.
    if (!hasLinks && word === 'folder') return
    if (hasLinks && entry.type === 'file' && addsUp(line, start, end, entry)) return
    entry.owner = word
    return
  }
  const groupStart = skipBlanks(line, ownerEnd)
  if (endOfWord(line, groupStart) < end) {
    // Three words or more: two blanks, where there are any, are the gap between the columns.
    const gap = line.indexOf('  ', start)
    if (gap > 0 && gap < end) {
      entry.owner = line.slice(start, gap)
      entry.group = line.slice(skipBlanks(line, gap), end)
      return
    }
  }
  entry.owner = line.slice(start, ownerEnd)
  entry.group = line.slice(groupStart, end)
}

function addsUp(line: string, start: number, end: number, entry: ListedEntry): boolean {
  if (!areDigits(line, start, end)) return false
  const data = Number(line.slice(start, end))
  const linksStart = skipBlanks(line, skipWordBefore(line, start))
  const resource = Number(line.slice(linksStart, endOfWord(line, linksStart)))
  return resource + data === (entry.size ?? Number(entry.sizeText)) && (data > 0 || resource > 1)
}

function skipWordBefore(line: string, at: number): number {
  return startOfWord(line, trimEnd(line, at, 0), 0)
}

function startOfWord(line: string, end: number, floor: number): number {
  let at = end
  while (at > floor && !isBlank(line.charCodeAt(at - 1))) at--
  return at
}

function trimEnd(line: string, end: number, floor: number): number {
  let at = end
  while (at > floor && isBlank(line.charCodeAt(at - 1))) at--
  return at
}
