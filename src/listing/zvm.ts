/** z/VM: `$README  $FIRST   F   80   7   1 11/21/97 23:26:08 FTP301`. */
import { monthDayYear, timeOf, timeOfDay, yearMonthDay } from './clock.ts'
import type { LineReader } from './context.ts'

/** Reads one line of z/VM: name, type, format, record length, records, blocks, date, time, owner. */
export const readZvmLine: LineReader = (line, listing) => {
  const words = line.trim().split(/\s+/, 12)
  const isFolder = words[1] === 'DIR'
  if (isFolder) words.splice(1, 0, '')
  if (words.length < 8 || words.length > 9) return undefined
  const [name = '', suffix = '', format = '', length = '', records = '', blocks = '', date = '', clock = ''] =
    words
  if (!(isFolder || /^[FV]$/.test(format)) || !/^(?:\d+|-)$/.test(blocks)) return undefined
  const day = yearMonthDay(date) ?? monthDayYear(date)
  const time = timeOfDay(clock)
  if (day === undefined || time === undefined) return undefined
  const entry = listing.entry(isFolder ? name : `${name}.${suffix}`, isFolder ? 'dir' : 'file', line)
  listing.setCivil(entry, timeOf(day, time), time.precision)
  // Records of fixed length (F) make a size; of variable length (V) only the longest is told.
  const size = /^\d+$/.test(length) && /^\d+$/.test(records) ? Number(length) * Number(records) : Number.NaN
  if (format === 'F' && Number.isSafeInteger(size)) entry.size = size
  const owner = words[8]
  if (owner !== undefined && owner !== '-') entry.owner = owner
  return entry
}
