/** VxWorks: `     512    JAN-01-1980  00:00:00   USRETC            <DIR>`. */
import { fullYear, timeOf, timeOfDay } from './clock.ts'
import type { LineReader } from './context.ts'
import { englishMonthAt } from './months.ts'

/** Reads one line: size, date, time, name, and `<DIR>` for folders. */
export const readVxworksLine: LineReader = (line, listing) => {
  const text = line.trim()
  if (/^size +date +time +name$/i.test(text) || /^-{4,} +-{4,} +-{4,} +-{4,}$/.test(text)) return 'noise'
  const match = /^(\d{1,20}) +([A-Z]{3})-(\d{1,2})-(\d\d|\d{4}) +([\d:]{5,8}) {1,8}(\S.*)$/i.exec(text)
  if (match === null) return undefined
  const [, size = '', month = '', day = '', year = '', clock = '', rest = ''] = match
  const time = timeOfDay(clock)
  if (time === undefined) return undefined
  const isFolder = rest.endsWith(' <DIR>')
  const name = (isFolder ? rest.slice(0, -6) : rest).trimEnd()
  if (name === '') return undefined
  const entry = listing.entry(name, isFolder ? 'dir' : 'file', line)
  entry.setSize(size)
  const date = { year: fullYear(year), month: englishMonthAt(month, 0), day: Number(day) }
  listing.setCivil(entry, timeOf(date, time), time.precision)
  return entry
}
