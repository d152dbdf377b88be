/** Dates and times of day as the smaller families write them: one word each, in one fixed order. */
import { civilTime, type TimePrecision } from '../protocol/time.ts'
import { englishMonthAt } from './months.ts'

/** A day of some calendar; not checked. */
export interface CivilDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A time of day; not checked. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly precision: TimePrecision
}

/** `08:43`, `8:43:20`, `08:43:20.90` (hundredths are dropped: no precision stands for them), `08.43.20`. */
export function timeOfDay(word: string): TimeOfDay | undefined {
  const match = /^(\d{1,2})([:.])(\d\d)(?:\2(\d\d)(?:[.,]\d{1,9})?)?$/.exec(word)
  if (match === null) return undefined
  const precision = match[4] === undefined ? 'minute' : 'second'
  return { hour: Number(match[1]), minute: Number(match[3]), second: Number(match[4] ?? 0), precision }
}

/** `2-JUN-1998`, `12-Jan-14`, in any case. An unknown month is 0. */
export function dayMonthYear(word: string): CivilDay | undefined {
  const match = /^(\d{1,2})-([A-Z]{3})-(\d\d|\d{4})$/i.exec(word)
  if (match === null) return undefined
  return { year: fullYear(match[3] ?? ''), month: englishMonthAt(match[2] ?? '', 0), day: Number(match[1]) }
}

/** `2004/06/23`, `2004-06-23`. */
export function yearMonthDay(word: string): CivilDay | undefined {
  const match = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(word)
  return match === null
    ? undefined
    : { year: Number(match[1]), month: Number(match[3]), day: Number(match[4]) }
}

/** `05-20-97`, `5/20/1997`, `04-23-103`. */
export function monthDayYear(word: string, pivot = 70): CivilDay | undefined {
  const match = /^(\d{1,2})([-/])(\d{1,2})\2(\d{2,4})$/.exec(word)
  if (match === null) return undefined
  return { year: fullYear(match[4] ?? '', pivot), month: Number(match[1]), day: Number(match[3]) }
}

/** Two digits below `pivot` are years from 2000 on; three are years since 1900 (OS/2 went on to 100). */
export function fullYear(digits: string, pivot = 70): number {
  const year = Number(digits)
  if (digits.length > 2) return digits.length === 3 ? 1900 + year : year
  return year < pivot ? 2000 + year : 1900 + year
}

/** Milliseconds of a day and a time of day; `NaN` where there is no such time. */
export function timeOf({ year, month, day }: CivilDay, time?: TimeOfDay): number {
  return time === undefined
    ? civilTime(year, month, day)
    : civilTime(year, month, day, time.hour, time.minute, time.second)
}
