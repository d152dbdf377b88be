/** Lines are framed as bytes, and decoded one by one or, where all is ASCII, together. */
import { isAscii, type Buffer } from 'node:buffer'
import { decodeText } from '../protocol/text.ts'
import type { ListedEntry } from './entry.ts'
import type { LineJudge } from './format.ts'

const LF = 0x0a
const CR = 0x0d

/** How lines are read. */
export interface LineSettings {
  readonly judge: LineJudge
  readonly encoding: string
  /** The longest line, in bytes without its end. */
  readonly lineBytes: number
  /** Called with a line that is longer. */
  readonly onLongLine: (line: string) => void
}

/** Reads every line in `bytes`; the last one may lack its line end. */
export function readLines(bytes: Buffer, settings: LineSettings, into: ListedEntry[]): void {
  const { judge, encoding, lineBytes, onLongLine } = settings
  const text = isAscii(bytes) ? bytes.toString('latin1') : undefined
  for (let start = 0; start < bytes.length;) {
    const found = text === undefined ? bytes.indexOf(LF, start) : text.indexOf('\n', start)
    const next = found < 0 ? bytes.length : found
    let end = next
    // Some servers end lines with CR CR LF; a name cannot end in CR, for no command could say it.
    while (end > start && bytes[end - 1] === CR) end--
    if (end - start > lineBytes) onLongLine(decodeText(bytes.subarray(start, end), encoding))
    else if (text === undefined) judge.read(decodeText(bytes.subarray(start, end), encoding), into)
    else judge.readAscii(bytes, start, end, text, into)
    start = next + 1
  }
}
