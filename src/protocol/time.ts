/**
 * Times in replies and listings. All arithmetic is on the proleptic Gregorian calendar in UTC; an
 * impossible date is `NaN` or `undefined`, never another date.
 */
import { FtpError } from '../errors.ts'

/** How much of a time the server gave. */
export type TimePrecision = 'day' | 'minute' | 'second' | 'millisecond'

/** A `time-val` of RFC 3659 §2.3, read. */
export interface TimeVal {
  /** The instant: RFC 3659 times are UTC. */
  readonly date: Date
  /** `millisecond` where the server gave a fraction. */
  readonly precision: 'second' | 'millisecond'
}

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
// No clock counts that finely; a longer fraction is no time but an attack on the reader.
const LONGEST_FRACTION = 32
const DIGIT_0 = 0x30
const DOT = 0x2e

/** True for a year with a 29 February. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** True for a day that is on the calendar, years 1 to 9999. */
export function isCivilDate(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= (DAYS_OF_MONTH[month - 1] ?? 0) || (day === 29 && month === 2 && isLeapYear(year))
}

/** Milliseconds from 1970 to a civil time, months counted from 1; `NaN` where there is no such time. */
export function civilTime(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
): number {
  if (!isCivilDate(year, month, day)) return Number.NaN
  if (!(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60))
    return Number.NaN
  // Years begin in March, so that the leap day is the last day of its year.
  const shiftedYear = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leapDays = Math.floor(shiftedYear / 4) - Math.floor(shiftedYear / 100) + Math.floor(shiftedYear / 400)
  const days = shiftedYear * 365 + leapDays + dayOfYear - 719_468
  // RFC 3659 lets a leap second be written as 60. Unix time has no such second: it counts as the 59th.
  return (((days * 24 + hour) * 60 + minute) * 60 + Math.min(second, 59)) * 1000 + millisecond
}

// A listing asks for the year of one `now` again and again, and the answer is the slowest part.
let yearBefore = { latest: Number.NaN, year: 0 }

/**
 * The latest time at or before `now` plus a day that a date without a year can mean (`ls -l` leaves the
 * year out of recent dates; the day of grace covers clocks and zones). 29 February goes back to a leap
 * year. `now` is in the server's civil time.
 */
export function latestCivilTime(
  now: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second = 0,
): number {
  if (Number.isNaN(now)) return Number.NaN
  const latest = now + DAY_MS
  if (latest !== yearBefore.latest) yearBefore = { latest, year: new Date(latest).getUTCFullYear() }
  const { year } = yearBefore
  // Eight years hold a leap year even across 1900 and 2100.
  for (let back = 0; back <= 8; back++) {
    const time = civilTime(year - back, month, day, hour, minute, second)
    if (time <= latest) return time
    if (Number.isNaN(time) && !(month === 2 && day === 29)) return Number.NaN
  }
  return Number.NaN
}

/**
 * Reads the text of a `213` reply to `MDTM`, or the `modify` fact: `YYYYMMDDHHMMSS[.fraction]` in UTC
 * (RFC 3659 §2.3). Also read are a zone at the end (`Z`, `GMT`, `+0200`) and `19100` for the year 2000, as
 * servers wrote that printed "19" and the years since 1900.
 *
 * @returns `undefined` for anything else, and for a date that is on no calendar.
 */
export function parseTimeVal(text: string): TimeVal | undefined {
  const trimmed = text.trim()
  const time = timeValAt(trimmed, 0, trimmed.length)
  if (Number.isNaN(time)) return undefined
  return { date: new Date(time), precision: trimmed.includes('.') ? 'millisecond' : 'second' }
}

/** The `time-val` that fills `text` from `start` to `end`, in milliseconds; else `NaN`. */
export function timeValAt(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isDigit(text.charCodeAt(at))) at++
  const digits = at - start
  let year: number
  if (digits === 14) year = numberAt(text, start, start + 4)
  else if (digits === 15 && text.startsWith('191', start)) year = 1900 + numberAt(text, start + 2, start + 5)
  else return Number.NaN
  let millisecond = 0
  if (at < end && text.charCodeAt(at) === DOT) {
    const fraction = at + 1
    at = fraction
    while (at < end && isDigit(text.charCodeAt(at))) at++
    if (at === fraction || at - fraction > LONGEST_FRACTION) return Number.NaN
    millisecond = Number(text.slice(fraction, Math.min(at, fraction + 3)).padEnd(3, '0'))
  }
  const rest = start + digits - 10
  const time = civilTime(
    year,
    numberAt(text, rest, rest + 2),
    numberAt(text, rest + 2, rest + 4),
    numberAt(text, rest + 4, rest + 6),
    numberAt(text, rest + 6, rest + 8),
    numberAt(text, rest + 8, rest + 10),
    millisecond,
  )
  return at === end ? time : time - zoneOffset(text.slice(at, end)) * 60_000
}

/** Writes a `time-val` for `MFMT` or the extended `MDTM`: UTC, to the second (servers refuse fractions). */
export function formatTimeVal(date: Date): string {
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) {
    throw new FtpError(
      'FTP_INVALID_ARGUMENT',
      'A time for the server must be valid and of the years 1 to 9999',
      {
        phase: 'arguments',
      },
    )
  }
  return date.toISOString().slice(0, 19).replaceAll(/\D/g, '')
}

/** Minutes east of UTC for `Z`, `UTC`, `GMT`, `+hh:mm`, `-hhmm`; `NaN` for anything else. */
export function zoneOffset(zone: string): number {
  const match = /^ ?(?:(?:Z|UTC|GMT)|([+-])([01]\d):?([0-5]\d))$/i.exec(zone)
  if (match === null) return Number.NaN
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)
  return match[1] === '-' ? -minutes : minutes
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= 0x39
}

/** The number that the digits from `start` to `end` write; the caller has seen that they are digits. */
function numberAt(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - DIGIT_0
  return value
}
