/** A whole listing in one call. */
import { Buffer } from 'node:buffer'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import type { Entry, ListedEntry } from './entry.ts'
import { LineJudge } from './format.ts'
import { pairLinks } from './link-pairs.ts'
import { readLines, type LineSettings } from './read-lines.ts'
import { asBuffer, createContext, type ListingOptions } from './listing-parser.ts'

const BLOCK_BYTES = 64 * 1024

/** A listing, read. */
export interface ParsedListing {
  readonly entries: Entry[]
  /** The lines that are neither entries nor headers, footers or blank. */
  readonly unparsed: string[]
}

/**
 * Reads a whole listing, given as bytes or as text that is already decoded. Never throws for what the
 * listing holds: a line that no family reads, or one of more than 10,000 characters, is `unparsed`.
 *
 * @throws FtpError `FTP_INVALID_OPTION` for an option that makes no sense.
 */
export function parseListing(input: string | Uint8Array, options: ListingOptions = {}): ParsedListing {
  const { encoding = 'utf-8', lineBytes = DEFAULT_LIMITS.listingLineBytes } = options
  const entries: ListedEntry[] = []
  const unparsed: string[] = []
  const keep = (line: string): void => {
    unparsed.push(line)
    options.onUnparsedLine?.(line)
  }
  const judge = new LineJudge(createContext(options), options.all ?? false, keep)
  const bytes = asciiBytesOf(input)
  if (bytes === undefined) readText(String(input), judge, lineBytes, keep, entries)
  else readBlocks(bytes, { judge, encoding, lineBytes, onLongLine: keep }, entries)
  judge.end()
  pairLinks(entries)
  return { entries, unparsed }
}

/** The bytes of a listing, where it is given as bytes or is ASCII; `undefined` for other text. */
function asciiBytesOf(input: string | Uint8Array): Buffer | undefined {
  if (typeof input !== 'string') return asBuffer(input)
  const bytes = Buffer.from(input, 'utf8')
  // Everything but ASCII takes more bytes in UTF-8 than it has UTF-16 units.
  return bytes.length === input.length ? bytes : undefined
}

/** One name that is not ASCII shall slow down its own block only. */
function readBlocks(bytes: Buffer, settings: LineSettings, entries: ListedEntry[]): void {
  for (let start = 0; start < bytes.length;) {
    const cut = bytes.indexOf(0x0a, start + BLOCK_BYTES) + 1
    const end = cut === 0 ? bytes.length : cut
    readLines(bytes.subarray(start, end), settings, entries)
    start = end
  }
}

function readText(
  input: string,
  judge: LineJudge,
  lineBytes: number,
  keep: (line: string) => void,
  entries: ListedEntry[],
): void {
  for (const text of input.split('\n')) {
    let end = text.length
    while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end--
    const line = text.slice(0, end)
    if (line.length > lineBytes) keep(line)
    else judge.read(line, entries)
  }
}
