/** NetWare: `d [RWCEAFMS] owner                512 Nov 24  2005 name`. */
import type { LineReader } from './context.ts'
import { listDateAt } from './list-date.ts'
import { areDigits, endOfWord, isBlank, skipBlanks } from './scan.ts'

/** Reads one line of NetWare: the rights of the user stand in brackets, owners may have blanks. */
export const readNetwareLine: LineReader = (line, listing) => {
  const match = /^ *([d-]) ?\[[A-Z -]{1,10}\] +(?=\S)/.exec(line)
  if (match === null) return undefined
  const ownerStart = match[0].length
  let sizeStart = ownerStart
  let ownerEnd = ownerStart
  for (let words = 0; words < 16; words++) {
    const sizeEnd = endOfWord(line, sizeStart)
    const dateStart = skipBlanks(line, sizeEnd)
    if (dateStart >= line.length) return undefined
    if (words > 0 && areDigits(line, sizeStart, sizeEnd)) {
      const date = listDateAt(line, dateStart, endOfWord(line, dateStart), listing.now, false)
      if (date !== undefined && isBlank(line.charCodeAt(date.end))) {
        // NetWare fills a column before the name: no name begins with a blank.
        const name = line.slice(skipBlanks(line, date.end))
        if (name === '') return undefined
        const entry = listing.entry(name, match[1] === 'd' ? 'dir' : 'file', line)
        entry.owner = line.slice(ownerStart, ownerEnd)
        entry.setSize(line.slice(sizeStart, sizeEnd))
        listing.setCivil(entry, date.time, date.precision)
        return entry
      }
    }
    ownerEnd = sizeEnd
    sizeStart = dateStart
  }
  return undefined
}
