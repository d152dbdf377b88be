/** HP NonStop (Tandem Guardian): `FILE1  101  528 12-Jan-14 14:21:18 255, 0 "rwep"`. */
import { dayMonthYear, timeOf, timeOfDay } from './clock.ts'
import type { LineReader } from './context.ts'

/** Reads one line: name, file code, end of file, last modification, owner, security. */
export const readNonstopLine: LineReader = (line, listing) => {
  const text = line.trim()
  if (/^File +Code +EOF +Last Modification +Owner\b/i.test(text)) {
    listing.header = 'guardian'
    return 'noise'
  }
  // `$VOLUME.SUBVOL` stands above the header.
  if (/^(?:\\\w{1,7}\.)?\$\w{1,8}\.\w{1,8}$/.test(text)) return 'noise'
  const match =
    /^(\S{1,8}) +(?:O +)?\d{1,5}[A-Z+]{0,2} +(\d{1,20}) +(\d{1,2}-\w{3}-\d{2,4}) +([\d:]{5,8}) +(\d{1,3}, *\d{1,3}|-?\d{1,3}|\*)(?: +.*)?$/.exec(
      text,
    )
  if (match === null) return undefined
  const [, name = '', size = '', date = '', clock = '', owner = ''] = match
  const day = dayMonthYear(date)
  const time = timeOfDay(clock)
  if (day === undefined || time === undefined) return undefined
  const entry = listing.entry(name, 'file', line)
  entry.setSize(size)
  entry.owner = owner.replaceAll(' ', '')
  listing.setCivil(entry, timeOf(day, time), time.precision)
  return entry
}
