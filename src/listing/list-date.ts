/** The dates of `ls -l`, in the orders and languages that servers print. */
import { civilTime, latestCivilTime, zoneOffset, type TimePrecision } from '../protocol/time.ts'
import { englishMonthAt, markedNumber, monthOf } from './months.ts'
import { digitsAt, endOfWord, isBlank, isDigit, skipBlanks } from './scan.ts'

/** A date and where it ends. */
export interface ListDate {
  /** Milliseconds by the server's clock; `NaN` where the date is on no calendar. */
  readonly time: number
  readonly precision: TimePrecision
  /** The position behind the last word; one blank stands there before the name. */
  readonly end: number
  /** Minutes east of UTC, where the date tells; else `NaN`. */
  readonly zone: number
}

/** The third word of most dates: a time of day, or a year. */
interface TimeOrYear {
  readonly year: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly precision: TimePrecision
  readonly end: number
}

const COLON = 0x3a
const COMMA = 0x2c
const DOT = 0x2e

/**
 * Reads the date whose first word fills `line` from `start` to `end`. With `guess`, a word of letters that
 * is no month in any language known here stands for one: the date is then `NaN`, but the name is right.
 */
export function listDateAt(
  line: string,
  start: number,
  end: number,
  now: number,
  guess: boolean,
): ListDate | undefined {
  const first = line.charCodeAt(start)
  if (!isDigit(first)) return monthFirst(line, start, end, now, guess)
  const length = end - start
  if (length === 10) return numericDate(line, start, end)
  if (length === 5 && line.charCodeAt(start + 2) === 0x2d) return shortIsoDate(line, start, end, now)
  if (length <= 3) return dayFirst(line, start, end, now) ?? markedDate(line, start, end, now)
  return line.charCodeAt(end - 1) > 0x7f ? markedDate(line, start, end, now) : undefined
}

/** `Aug  8 14:14`, `Aug 24  2001`. */
function monthFirst(
  line: string,
  start: number,
  end: number,
  now: number,
  guess: boolean,
): ListDate | undefined {
  const dayStart = skipBlanks(line, end)
  if (!isDigit(line.charCodeAt(dayStart))) return undefined
  const dayEnd = endOfWord(line, dayStart)
  const day = numberOfDay(line, dayStart, dayEnd)
  if (day < 0) return undefined
  const rest = timeOrYearAt(line, dayEnd)
  if (rest === undefined) return undefined
  let month = monthAt(line, start, end)
  if (month === 0 && guess) {
    // A column that overflows runs into the month: `/t11/incomingFeb  8  2007`.
    if (end - start > 3) month = englishMonthAt(line, end - 3)
    if (month === 0 && !isWord(line, start, end)) return undefined
  } else if (month === 0) return undefined
  return dateOf(line, month, day, rest, dayEnd, now)
}

/** AIX, and most languages but English: `02 Mar 16:27`, `23 май 2011`, `15. Apr 2007`. */
function dayFirst(line: string, start: number, end: number, now: number): ListDate | undefined {
  const day = numberOfDay(line, start, end)
  if (day < 0) return undefined
  const monthStart = skipBlanks(line, end)
  if (isDigit(line.charCodeAt(monthStart))) return undefined
  const monthEnd = endOfWord(line, monthStart)
  const rest = timeOrYearAt(line, monthEnd)
  if (rest === undefined) return undefined
  const month = monthAt(line, monthStart, monthEnd)
  return month === 0 ? undefined : dateOf(line, month, day, rest, monthEnd, now)
}

/** Chinese, Japanese, Korean: `8月 17日 20:10`, `6月 3 2003`, `2003年 6月 3日`. */
function markedDate(line: string, start: number, end: number, now: number): ListDate | undefined {
  const first = markedNumber(line.slice(start, end))
  if (first < 0) return undefined
  const secondStart = skipBlanks(line, end)
  const secondEnd = endOfWord(line, secondStart)
  if (first > 31) {
    const month = markedNumber(line.slice(secondStart, secondEnd))
    const dayStart = skipBlanks(line, secondEnd)
    const dayEnd = endOfWord(line, dayStart)
    const day = numberOfDay(line, dayStart, dayEnd)
    if (month < 0 || day < 0) return undefined
    return { time: civilTime(first, month, day), precision: 'day', end: dayEnd, zone: Number.NaN }
  }
  const day = numberOfDay(line, secondStart, secondEnd)
  const rest = timeOrYearAt(line, secondEnd)
  return day < 0 || rest === undefined ? undefined : dateOf(line, first, day, rest, secondEnd, now)
}

/** `2005-04-08 11:22`, `2005/04/08`, `08.04.2005 11:22`, and GNU's `2005-04-08 11:22:33.000000000 +0200`. */
function numericDate(line: string, start: number, end: number): ListDate | undefined {
  const separator = line.charCodeAt(start + 4)
  let year: number
  let month: number
  let day: number
  if ((separator === 0x2d || separator === 0x2f) && line.charCodeAt(start + 7) === separator) {
    year = digitsAt(line, start, start + 4)
    month = digitsAt(line, start + 5, start + 7)
    day = digitsAt(line, start + 8, end)
  } else if (line.charCodeAt(start + 2) === DOT && line.charCodeAt(start + 5) === DOT) {
    day = digitsAt(line, start, start + 2)
    month = digitsAt(line, start + 3, start + 5)
    year = digitsAt(line, start + 6, end)
  } else return undefined
  if (year < 0 || month < 0 || day < 0) return undefined
  const rest = timeOrYearAt(line, end)
  if (rest === undefined || rest.year >= 0) {
    // GNU's `--time-style=iso` pads a date without time with one more blank.
    const padded = line.startsWith('  ', end)
    return {
      time: civilTime(year, month, day),
      precision: 'day',
      end: padded ? end + 1 : end,
      zone: Number.NaN,
    }
  }
  const time = civilTime(year, month, day, rest.hour, rest.minute, rest.second)
  const zoneEnd = endOfWord(line, rest.end + 1)
  const zone = rest.precision === 'second' ? zoneOffset(line.slice(rest.end + 1, zoneEnd)) : Number.NaN
  return { time, precision: rest.precision, end: Number.isNaN(zone) ? rest.end : zoneEnd, zone }
}

/** GNU's `--time-style=iso` for recent files: `03-22 21:48`; other systems put a year there. */
function shortIsoDate(line: string, start: number, end: number, now: number): ListDate | undefined {
  const month = digitsAt(line, start, start + 2)
  const day = digitsAt(line, start + 3, end)
  const rest = timeOrYearAt(line, end)
  if (month < 0 || day < 0 || rest === undefined) return undefined
  // A group may be called `10-01`, and its size look like a year: then a month follows.
  if (rest.year >= 0 && englishMonthAt(line, skipBlanks(line, rest.end)) !== 0) return undefined
  return dateOf(line, month, day, rest, end, now)
}

function dateOf(
  line: string,
  month: number,
  day: number,
  rest: TimeOrYear,
  before: number,
  now: number,
): ListDate {
  const { year, hour, minute, second, precision } = rest
  let { end } = rest
  if (year < 0) {
    const time = latestCivilTime(now, month, day, hour, minute, second)
    return { time, precision, end, zone: Number.NaN }
  }
  if (precision !== 'day') {
    return { time: civilTime(year, month, day, hour, minute, second), precision, end, zone: Number.NaN }
  }
  // A year fills five columns: `ls` puts it to the right (` 2001`), some servers to the left (`2001 `).
  const isLeft = !isBlank(line.charCodeAt(before + 1))
  if (isLeft && line.startsWith('  ', end)) end++
  return { time: civilTime(year, month, day), precision, end, zone: Number.NaN }
}

/** The word behind `at`: `14:14`, `0:23`, `14:14:05`, `2001`, `2003年`. */
function timeOrYearAt(line: string, at: number): TimeOrYear | undefined {
  const start = skipBlanks(line, at)
  if (!isDigit(line.charCodeAt(start))) return undefined
  const end = endOfWord(line, start)
  let colon = start
  while (colon < end && line.charCodeAt(colon) !== COLON) colon++
  if (colon === end) {
    const year = end - start === 4 ? digitsAt(line, start, end) : markedYear(line, start, end)
    return year < 0 ? undefined : { year, hour: 0, minute: 0, second: 0, precision: 'day', end }
  }
  const hour = digitsAt(line, start, colon)
  const minute = digitsAt(line, colon + 1, colon + 3)
  if (hour < 0 || minute < 0) return undefined
  if (end === colon + 3) return { year: -1, hour, minute, second: 0, precision: 'minute', end }
  const second = line.charCodeAt(colon + 3) === COLON ? digitsAt(line, colon + 4, colon + 6) : -1
  if (second < 0 || (end !== colon + 6 && line.charCodeAt(colon + 6) !== DOT)) return undefined
  // BSD's `ls -lT` puts the year behind the seconds.
  const yearEnd = end + 5
  const year = isBlank(line.charCodeAt(yearEnd)) ? digitsAt(line, end + 1, yearEnd) : -1
  return { year, hour, minute, second, precision: 'second', end: year < 0 ? end : yearEnd }
}

function markedYear(line: string, start: number, end: number): number {
  if (end - start < 5 || line.charCodeAt(end - 1) <= 0x7f) return -1
  const year = markedNumber(line.slice(start, end))
  return year > 31 ? year : -1
}

/** `8`, `08`, `8,`, `8.`, `8日`. */
function numberOfDay(line: string, start: number, end: number): number {
  const last = line.charCodeAt(end - 1)
  if (last === COMMA || last === DOT) return end - start <= 3 ? digitsAt(line, start, end - 1) : -1
  if (last > 0x7f) {
    const day = markedNumber(line.slice(start, end))
    return day <= 99 ? day : -1
  }
  return end - start <= 2 ? digitsAt(line, start, end) : -1
}

function monthAt(line: string, start: number, end: number): number {
  const month = end - start === 3 ? englishMonthAt(line, start) : 0
  return month === 0 ? monthOf(line.slice(start, end)) : month
}

/** Letters of any script, at least two, with a dot at most at the end. */
function isWord(line: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = line.charCodeAt(at)
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0x7f
    if (!isLetter && !(code === DOT && at === end - 1)) return false
  }
  return end - start >= 2
}
