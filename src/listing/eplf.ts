/** EPLF, Easily Parsed LIST Format: `+i8388621.44468,m839956783,r,s10376,<TAB>name`. */
import type { LineReader } from './context.ts'
import { permissionsOfMode } from './facts.ts'

/** Reads one line of EPLF: facts between commas, a tab, the name to the end of the line. */
export const readEplfLine: LineReader = (line, listing) => {
  if (!line.startsWith('+')) return undefined
  const tab = line.indexOf('\t')
  if (tab < 0 || tab === line.length - 1) return undefined
  const entry = listing.entry(line.slice(tab + 1), 'other', line)
  for (const fact of line.slice(1, tab).split(',')) {
    const value = fact.slice(1)
    switch (fact.charAt(0)) {
      case '/':
        entry.type = 'dir'
        break
      case 'r':
        if (fact.length === 1 && entry.type === 'other') entry.type = 'file'
        break
      case 's':
        if (/^\d+$/.test(value)) entry.setSize(value)
        break
      case 'm':
        // Seconds since 1970, UTC; twelve digits reach beyond every calendar in use.
        if (/^-?\d{1,12}$/.test(value)) entry.setModified(validTime(Number(value) * 1000), 'second', true)
        break
      case 'u':
        if (value.startsWith('p')) entry.permissions = permissionsOfMode(value.slice(1))
        break
      default:
    }
  }
  return entry
}

function validTime(time: number): number {
  return Math.abs(time) <= 8.64e15 ? time : Number.NaN
}
