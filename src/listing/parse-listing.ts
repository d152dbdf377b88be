/** A whole listing in one call. */
import { Buffer } from 'node:buffer'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { decodeText } from '../protocol/text.ts'
import type { Entry, ListedEntry } from './entry.ts'
import { LineJudge } from './format.ts'
import { pairLinks } from './link-pairs.ts'
import { createContext, withoutCr, type ListingOptions } from './listing-parser.ts'

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
  for (const text of typeof input === 'string' ? input.split('\n') : linesOf(input, encoding)) {
    const line = withoutCr(text)
    if (line.length > lineBytes) keep(line)
    else judge.read(line, entries)
  }
  judge.end()
  pairLinks(entries)
  return { entries, unparsed }
}

function* linesOf(input: Uint8Array, encoding: string): Generator<string> {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found
    yield decodeText(bytes.subarray(start, end), encoding)
    start = end + 1
  }
}
