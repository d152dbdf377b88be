/** Reads a long listing, made here, with the parser of one library. */
import { Buffer } from 'node:buffer'

const CHUNK = 64 * 1024

/** As the bytes come from a connection; entries are counted and dropped. */
export async function ftpwire({ form, entries }) {
  const { ListingParser } = await import('ftpwire/listing')
  return perSecond(entries, form, (bytes) => {
    const parser = new ListingParser({ now: Date.UTC(2024, 5, 1) })
    let count = 0
    for (let at = 0; at < bytes.length; at += CHUNK)
      count += parser.push(bytes.subarray(at, at + CHUNK)).length
    return count + parser.end().length
  })
}

/** Its parser wants the whole text at once. */
export async function basicFtp({ form, entries }) {
  const { default: parser } = await import('basic-ftp/dist/parseList.js')
  return perSecond(entries, form, (bytes) => parser.parseList(bytes.toString('utf8')).length)
}

/** The lines alone, in memory. */
export async function split({ form, entries }) {
  return perSecond(entries, form, (bytes) => bytes.toString('utf8').split('\n').length - 1)
}

function perSecond(entries, form, parse) {
  const bytes = listing(form, entries)
  // Once to warm up, as a process that lists one large folder has by its tenth part.
  parse(listing(form, entries / 10))
  const before = performance.now()
  const count = parse(bytes)
  const seconds = (performance.now() - before) / 1000
  if (count !== entries) throw new Error(`${count} of ${entries} entries were read`)
  return { entriesPerSecond: entries / seconds }
}

function listing(form, entries) {
  const lines = Array.from({ length: entries }, (_, number) => FORMS[form](number))
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

const two = (number) => String(number).padStart(2, '0')

const FORMS = {
  mlsd: (number) =>
    `type=file;size=${number * 37};modify=2023${two((number % 12) + 1)}${two((number % 28) + 1)}${two(number % 24)}3015;` +
    `UNIX.mode=0644;unique=801g${number.toString(16)}; report-${number}.txt`,
  unix: (number) =>
    `-rw-r--r--   1 joe      staff    ${String(number * 37).padStart(10)} Mar ${two((number % 28) + 1)}  2023 report-${number}.txt`,
}
