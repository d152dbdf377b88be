/** OpenVMS: `NAME.TYP;1   9/15   2-JUN-1998 07:32:04  [GROUP,OWNER]  (RWED,RWED,RE,)`. */
import { dayMonthYear, timeOf, timeOfDay } from './clock.ts'
import type { LineReader, ListingContext, Outcome } from './context.ts'
import type { ListedEntry } from './entry.ts'

const BLOCK_BYTES = 512

/** Reads one line of a VMS directory. A long name stands on a line of its own, before the rest. */
export const readVmsLine: LineReader = (line, listing) => {
  const name = /^([^;\t]{1,255});(\d{1,5})(?=[ \t]|$)/.exec(line)
  if (name === null) return isNoise(line) ? 'noise' : undefined
  const rest = line.slice(name[0].length).trim()
  if (rest === '') return 'continues'
  return readRest(line, name[1] ?? '', rest, listing)
}

function readRest(line: string, fullName: string, rest: string, listing: ListingContext): Outcome {
  // The server may not look at a file: its name is all there is. `*.*;0` says that there are none.
  if (rest.startsWith('<%') || rest.startsWith('%')) {
    return fullName.includes('*') ? 'noise' : named(line, fullName, listing)
  }
  const [details, owner] = splitOwner(rest)
  const words = details.split(/\s+/)
  const size = dayMonthYear(words[0] ?? '') === undefined ? words.shift() : undefined
  const day = dayMonthYear(words[0] ?? '')
  const time = words[1] === undefined ? undefined : timeOfDay(words[1])
  if (day === undefined || words.length > 2 || (words.length === 2 && time === undefined)) return undefined
  if (size !== undefined && !/^(?:\d+(?:\/\d+)?|\*+(?:\/[\d*]+)?)$/.test(size)) return undefined
  const entry = named(line, fullName, listing)
  if (size !== undefined && entry.type === 'file') setBlocks(entry, size)
  listing.setCivil(entry, timeOf(day, time), time?.precision ?? 'day')
  if (owner !== undefined) setOwner(entry, owner)
  return entry
}

function splitOwner(rest: string): [string, string | undefined] {
  const open = rest.indexOf('[')
  if (open < 0) {
    const protection = rest.indexOf('(')
    return [(protection < 0 ? rest : rest.slice(0, protection)).trim(), undefined]
  }
  const close = rest.indexOf(']', open)
  return [rest.slice(0, open).trim(), close < 0 ? undefined : rest.slice(open + 1, close)]
}

/** The version is left out: without one, the server takes the latest. `.DIR` is the type of folders. */
function named(line: string, fullName: string, listing: ListingContext): ListedEntry {
  const isFolder = /.\.DIR$/i.test(fullName)
  return listing.entry(isFolder ? fullName.slice(0, -4) : fullName, isFolder ? 'dir' : 'file', line)
}

/** `9/15`: blocks used and allocated. */
function setBlocks(entry: ListedEntry, size: string): void {
  const used = size.split('/')[0] ?? ''
  const bytes = Number(used) * BLOCK_BYTES
  if (Number.isSafeInteger(bytes)) entry.size = bytes
  else if (!used.startsWith('*')) entry.sizeText = `${used} blocks`
}

function setOwner(entry: ListedEntry, text: string): void {
  const comma = text.indexOf(',')
  if (comma > 0) entry.group = text.slice(0, comma).trim()
  const owner = text.slice(comma + 1).trim()
  if (owner !== '') entry.owner = owner
}

/** `Directory USER1:[TEMP]`, `SYS:[ANON_LOGS]`, `Total of 43 blocks in 8 files.` */
function isNoise(line: string): boolean {
  if (line.length > 500) return false
  return /^(?:Directory \S+|(?:\S{1,60}:)?\[[^\]]*\]|(?:Grand )?Total (?:of )?\d+ (?:files?|blocks?)\b.*)$/i.test(
    line.trim(),
  )
}
