/** `DIR` of DOS, Windows, Windows CE and Wine: `05-20-97  03:31PM       <DIR>          name`; and of OS/2. */
import {
  fullYear,
  monthDayYear,
  timeOf,
  timeOfDay,
  yearMonthDay,
  type CivilDay,
  type TimeOfDay,
} from './clock.ts'
import type { LineReader, ListingContext } from './context.ts'
import type { EntryType, ListedEntry } from './entry.ts'
import { endOfWord, isDigit, skipBlanks } from './scan.ts'

// FAT's calendar begins in 1980.
const FIRST_YEAR = 80

const NOISE =
  /^ *(?:\d[\d.,]* +(?:files?|file\(s\)|dir\(s\)|directories|directory)\b.*|volume (?:in drive|serial number) .*|directory of .*)$/i

/** Reads one line of `DIR`. */
export const readDosLine: LineReader = (line, listing) => {
  const start = skipBlanks(line, 0)
  if (!isDigit(line.charCodeAt(start))) return start < 3 && NOISE.test(line) ? 'noise' : undefined
  const end = endOfWord(line, start)
  const day = dosDay(line.slice(start, end))
  if (day !== undefined) return readDirLine(line, end, day, listing)
  return readOs2Line(line, start, end, listing) ?? (NOISE.test(line) ? 'noise' : undefined)
}

function dosDay(word: string): CivilDay | undefined {
  if (word.length < 6 || word.length > 10) return undefined
  const day = monthDayYear(word, FIRST_YEAR) ?? yearMonthDay(word)
  if (day !== undefined) return day
  // With dots, as in German, the day comes first.
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d\d|\d{4})$/.exec(word)
  if (dotted === null) return undefined
  return { day: Number(dotted[1]), month: Number(dotted[2]), year: fullYear(dotted[3] ?? '', FIRST_YEAR) }
}

function readDirLine(
  line: string,
  from: number,
  day: CivilDay,
  listing: ListingContext,
): ListedEntry | undefined {
  const start = skipBlanks(line, from)
  let end = endOfWord(line, start)
  let half = ''
  const next = skipBlanks(line, end)
  const nextEnd = endOfWord(line, next)
  if (nextEnd - next === 2 && /^[AP]M$/i.test(line.slice(next, nextEnd))) {
    half = line.slice(next, nextEnd)
    end = nextEnd
  }
  const time = dosTime(line.slice(start, half === '' ? end : endOfWord(line, start)) + half)
  if (time === undefined) return undefined
  const sizeStart = skipBlanks(line, end)
  const sizeEnd = endOfWord(line, sizeStart)
  const word = line.slice(sizeStart, sizeEnd)
  const type = typeOf(word)
  if (type === undefined) return undefined
  // The name of a folder stands in a column of its own. A size is ended by one blank; Wine writes two.
  const isLoose = type !== 'file' || word.includes(',') || half.length > 0
  let nameStart = isLoose ? skipBlanks(line, sizeEnd) : sizeEnd + 1
  if (word.startsWith('<') && sizeEnd === line.length) nameStart = line.length
  const entry = named(line, nameStart, type, listing)
  if (entry === undefined) return undefined
  if (type === 'file') entry.setSize(word.replaceAll(/[.,]/g, ''))
  listing.setCivil(entry, timeOf(day, time), time.precision)
  return entry
}

function typeOf(word: string): EntryType | undefined {
  if (/^\d{1,3}(?:[.,]\d{3})+$|^\d+$/.test(word)) return 'file'
  if (/^<DIR>$/i.test(word)) return 'dir'
  return /^<(?:JUNCTION|SYMLINKD?)>$/i.test(word) ? 'link' : undefined
}

function named(
  line: string,
  start: number,
  type: EntryType,
  listing: ListingContext,
): ListedEntry | undefined {
  const name = line.slice(start)
  if (skipBlanks(name, 0) === name.length) return undefined
  const target = type === 'link' ? / \[([^\]]+)\]$/.exec(name.slice(-1000)) : null
  if (target === null) return listing.entry(name, type, line)
  const entry = listing.entry(name.slice(0, -target[0].length), type, line)
  entry.linkTarget = target[1]
  return entry
}

/** `03:31PM`, `3:31p`, `17:03`, `17:03:22`. An hour of a twelve-hour clock above 12 is none. */
function dosTime(word: string): TimeOfDay | undefined {
  const match = /^([\d:.]+)([AP])M?$/i.exec(word)
  if (match === null) return timeOfDay(word)
  const time = timeOfDay(match[1] ?? '')
  if (time === undefined) return undefined
  if (time.hour < 1 || time.hour > 12) return { ...time, hour: Number.NaN }
  return { ...time, hour: (time.hour % 12) + (match[2]?.toUpperCase() === 'P' ? 12 : 0) }
}

/** OS/2: `587823    RSA    DIR   01-08-97   13:58  OS2KRNL`: size, attributes, `DIR`, date, time, name. */
function readOs2Line(
  line: string,
  start: number,
  end: number,
  listing: ListingContext,
): ListedEntry | undefined {
  const size = line.slice(start, end)
  if (!/^\d+$/.test(size)) return undefined
  let at = skipBlanks(line, end)
  let wordEnd = endOfWord(line, at)
  let type: EntryType = 'file'
  for (let words = 0; words < 2; words++) {
    const word = line.slice(at, wordEnd)
    if (word === 'DIR') type = 'dir'
    else if (!/^[ADHRS]{1,5}$/.test(word)) break
    at = skipBlanks(line, wordEnd)
    wordEnd = endOfWord(line, at)
  }
  const day = monthDayYear(line.slice(at, wordEnd), FIRST_YEAR)
  const timeStart = skipBlanks(line, wordEnd)
  const timeEnd = endOfWord(line, timeStart)
  const time = timeOfDay(line.slice(timeStart, timeEnd))
  if (day === undefined || time === undefined) return undefined
  // Two blanks stand before the name.
  const entry = named(line, line.startsWith('  ', timeEnd) ? timeEnd + 2 : timeEnd + 1, type, listing)
  if (entry === undefined) return undefined
  entry.setSize(size)
  listing.setCivil(entry, timeOf(day, time), time.precision)
  return entry
}
