/** IBM i (OS/400): `PEP   36864 04/03/24 14:06:34 *DIR   dir1/`. */
import { DAY_MS } from '../protocol/time.ts'
import { fullYear, timeOf, timeOfDay, type CivilDay, type TimeOfDay } from './clock.ts'
import type { LineReader, ListingContext } from './context.ts'

const FOLDERS = new Set(['*DIR', '*DDIR', '*LIB', '*FLR'])

/** Reads one line of IBM i; a member (`*MEM`) has neither size nor date. */
export const readOs400Line: LineReader = (line, listing) => {
  const match =
    /^([^\s*]{1,10}) +(?:(\d{1,20}) +([\d/.,-]{6,10}) +([\d:.,]{5,8}) +)?(\*[A-Z]\w{1,9})[ ]+(\S.*)$/.exec(
      line,
    )
  if (match === null) return undefined
  const [, owner = '', size, date, clock, type = '', path = ''] = match
  const time = clock === undefined ? undefined : timeOfDay(clock)
  if (clock !== undefined && time === undefined) return undefined
  const isFolder = FOLDERS.has(type) || path.endsWith('/')
  const name = nameOf(path)
  if (name === '') return undefined
  const entry = listing.entry(name, isFolder ? 'dir' : 'file', line)
  entry.owner = owner
  if (size !== undefined) entry.setSize(size)
  if (date !== undefined && time !== undefined) {
    const days = daysOf(date)
    if (days === undefined) return undefined
    listing.setCivil(entry, onlyTime(days, time, listing), time.precision)
  }
  return entry
}

/** Folders end with a slash. A listing of one file gives its full path. */
function nameOf(path: string): string {
  const trimmed = path.trimEnd()
  const text = trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
  return text.startsWith('/') ? text.slice(text.lastIndexOf('/') + 1) : text
}

/** The order of day, month and year is a setting of the job and is not told: all that it may be. */
function daysOf(date: string): CivilDay[] | undefined {
  const match = /^(\d{2}|\d{4})([/.,-])(\d{2})\2(\d{2}|\d{4})$/.exec(date)
  if (match === null) return undefined
  const [, first = '', , second = '', third = ''] = match
  const yearFirst = { year: fullYear(first), month: Number(second), day: Number(third) }
  const dayFirst = { year: fullYear(third), month: Number(second), day: Number(first) }
  const monthFirst = { year: fullYear(third), month: Number(first), day: Number(second) }
  if (first.length === 4) return [yearFirst]
  return third.length === 4 ? [dayFirst, monthFirst] : [yearFirst, dayFirst, monthFirst]
}

/** The one time that all readings agree on which are on the calendar and not in the future; else `NaN`. */
function onlyTime(days: readonly CivilDay[], time: TimeOfDay, listing: ListingContext): number {
  const times = new Set(
    days
      .map((day) => timeOf(day, time))
      .filter((value) => !Number.isNaN(value) && !(value > listing.now + DAY_MS)),
  )
  const [only = Number.NaN] = times
  return times.size === 1 ? only : Number.NaN
}
