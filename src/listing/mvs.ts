/** z/OS and MVS: data sets, members of a partitioned data set, load modules, and jobs (JES). */
import { timeOf, timeOfDay, yearMonthDay } from './clock.ts'
import type { LineReader, ListingContext, Outcome } from './context.ts'
import { wordsOf } from './scan.ts'

const HEADERS: readonly (readonly [RegExp, string])[] = [
  [/^Volume +Unit +.*Dsname$/i, 'data sets'],
  [/^Name +VV\.MM +Created +Changed +.*Id$/i, 'members'],
  [/^Name +Size +TTR +Alias-of\b/i, 'modules'],
  [/^JOBNAME +JOBID +OWNER +STATUS\b/i, 'jobs'],
  [/^ID +STEPNAME +PROCSTEP +C +DDNAME\b/i, 'spool files'],
]

// What stands in place of the columns where a data set cannot be looked at.
const NOT_LOOKED_AT =
  /^(?:Migrated|Error determining attributes|Pseudo Directory|User catalog connector|\S{1,6} +(?:Not Direct Access Device|Not Mounted|Error determining attributes)|(?:Non)?VSAM|GDG|Path|\S{1,6} +\S{1,8} +VSAM) +(\S+)$/i

// The same without a header above: what no other system prints, and a name as data sets have them.
const NOT_LOOKED_AT_STRICT =
  /^(?:Migrated {2}|[\w$#@]{1,6} +Not Direct Access Device|[\w$#@]{1,6} +\d{4} +VSAM) *('?[A-Z$#@][\w$#@.-]{0,43}'?)$/

/** Reads one line; the header above says what the columns are. */
export const readMvsLine: LineReader = (line, listing) => {
  const text = line.trim()
  for (const [pattern, header] of HEADERS) {
    // A header is short; the patterns are not for long lines of blanks.
    if (text.length > 200 || !pattern.test(text)) continue
    listing.header = header
    return 'noise'
  }
  switch (listing.header) {
    case 'members':
      return readMember(line, text, listing)
    case 'modules':
      return readModule(line, text, listing)
    case 'spool files':
      return readSpoolFile(line, text, listing)
    default:
      return (
        readDataSet(line, text, listing) ??
        readJob(line, text, listing) ??
        // With its statistics a member is known without the header.
        (/\s\d\d\.\d\d\s/.test(text) ? readMember(line, text, listing) : undefined)
      )
  }
}

/** `SYSPP1 3390   2000/01/14  1   90  FB      80 27920  PO  SMPEJCL.DATA` */
function readDataSet(line: string, text: string, listing: ListingContext): Outcome {
  const words = text.split(/\s+/, 12)
  const name = words.at(-1) ?? ''
  const referred = words[2] ?? ''
  const day = yearMonthDay(referred)
  // Extents and used tracks run into each other when they are large: eight words or nine before the name.
  if (words.length >= 9 && words.length <= 10 && (day !== undefined || /^\*{2,}\w*\*{2,}$/.test(referred))) {
    const organisation = words.at(-2) ?? ''
    if (!/^(?:P[OS]|DA|VS|IS|AM|PATH|\?+)/i.test(organisation)) return undefined
    const entry = listing.entry(name, /^PO/i.test(organisation) ? 'dir' : 'file', line)
    // The date of the last reference: the file has not changed since.
    if (day !== undefined) listing.setCivil(entry, timeOf(day), 'day')
    return entry
  }
  const match = (listing.header === 'data sets' ? NOT_LOOKED_AT : NOT_LOOKED_AT_STRICT).exec(text)
  if (match === null) return undefined
  return listing.entry(match[1] ?? '', /^Pseudo/i.test(text) ? 'dir' : 'file', line)
}

/** `SAVE03    01.03 2002/09/12 2002/10/11 09:37    11    11     0 KIL001`; the size counts records. */
function readMember(line: string, text: string, listing: ListingContext): Outcome {
  const words = text.split(/\s+/, 12)
  const [name = '', version, , changed = '', clock = ''] = words
  if (!/^[^\s.]{1,16}$/.test(name)) return undefined
  if (words.length === 1) return listing.entry(name, 'file', line)
  const day = yearMonthDay(changed)
  const time = timeOfDay(clock)
  if (!/^\d\d\.\d\d$/.test(version ?? '') || day === undefined || time === undefined) return undefined
  const entry = listing.entry(name, 'file', line)
  listing.setCivil(entry, timeOf(day, time), time.precision)
  if (words.length >= 9) entry.owner = words[8]
  return entry
}

/** `EAGRTPRC  005F48   000011 EAGRTALT 00 FO   RN RU   31    ANY`; the size is hexadecimal. */
function readModule(line: string, text: string, listing: ListingContext): Outcome {
  const match = /^(\S{1,8}) +([\dA-F]{6,8}) +[\dA-F]{6}\b/.exec(text)
  if (match === null) return undefined
  const entry = listing.entry(match[1] ?? '', 'file', line)
  entry.size = Number.parseInt(match[2] ?? '', 16)
  return entry
}

/** `IBMUSER2 JOB01906 IBMUSER  OUTPUT A   RC=0000 3 spool files`; a job is fetched by its id. */
function readJob(line: string, text: string, listing: ListingContext): Outcome {
  if (listing.header === 'jobs' && /^-+$/.test(text)) return 'noise'
  const match =
    /^\S{1,8} +((?:JOB|TSU|STC|[JTS])\d{5,7}) +(?:(\S{1,8}) +)??(?:INPUT|HELD|ACTIVE|OUTPUT)\b/.exec(text)
  if (match === null) return undefined
  const entry = listing.entry(match[1] ?? '', 'file', line)
  if (match[2] !== undefined) entry.owner = match[2]
  return entry
}

/** `002 JES2      N/A      A JESMSGLG     1200`: the files of one job. */
function readSpoolFile(line: string, text: string, listing: ListingContext): Outcome {
  if (/^-+$|^\d+ spool files$/i.test(text)) return 'noise'
  const words = wordsOf(text)
  const size = words.at(-1)?.text ?? ''
  if (words.length < 5 || !/^\d{3,4}$/.test(words[0]?.text ?? '') || !/^\d+$/.test(size)) return undefined
  const entry = listing.entry(words[0]?.text ?? '', 'file', line)
  entry.setSize(size)
  return entry
}
