/**
 * Which family a line is of. Each line is judged by itself, the family that fitted last first: one odd line
 * can neither change nor drop another, wherever it stands.
 */
import type { ListingContext, LineReader, ListingFormat } from './context.ts'
import { readDosLine } from './dos.ts'
import type { ListedEntry } from './entry.ts'
import { readEplfLine } from './eplf.ts'
import { readMlsdLine } from './mlsd.ts'
import { MlsdBytesReader } from './mlsd-bytes.ts'
import { readMvsLine } from './mvs.ts'
import { readNetwareLine } from './netware.ts'
import { readNonstopLine } from './nonstop.ts'
import { readOs400Line } from './os400.ts'
import { readUnixLine } from './unix.ts'
import { UnixBytesReader } from './unix-bytes.ts'
import { readVmsLine } from './vms.ts'
import { readVxworksLine } from './vxworks.ts'
import { readZvmLine } from './zvm.ts'

/** The families, in the order in which a line is shown to them: the strictest first, then the most common. */
export const FORMATS: readonly { readonly format: ListingFormat; readonly read: LineReader }[] = [
  { format: 'eplf', read: readEplfLine },
  { format: 'unix', read: readUnixLine },
  { format: 'mlsd', read: readMlsdLine },
  { format: 'dos', read: readDosLine },
  { format: 'netware', read: readNetwareLine },
  { format: 'vms', read: readVmsLine },
  { format: 'os400', read: readOs400Line },
  { format: 'mvs', read: readMvsLine },
  { format: 'zvm', read: readZvmLine },
  { format: 'nonstop', read: readNonstopLine },
  { format: 'vxworks', read: readVxworksLine },
]

const READERS = new Map(FORMATS.map(({ format, read }) => [format, read]))

// What SYST says (RFC 959 §5.3, and the Assigned Numbers' system names).
const SYSTEMS: readonly (readonly [RegExp, ListingFormat])[] = [
  [/^(?:UNIX|MACOS|.*\bLinux\b)/i, 'unix'],
  [/^(?:Windows|WIN32|MSDOS|OS\/2)/i, 'dos'],
  [/^(?:VMS|OpenVMS|MultiNet)/i, 'vms'],
  [/^(?:OS\/400|IBM i)/i, 'os400'],
  [/^(?:MVS|z\/OS)/i, 'mvs'],
  [/^(?:VM\b|VM\/|z\/VM)/i, 'zvm'],
  [/^NETWARE/i, 'netware'],
  [/^(?:NONSTOP|TANDEM|GUARDIAN)/i, 'nonstop'],
  [/^VXWORKS/i, 'vxworks'],
]

/** The family to expect from a server that answers `SYST` with `text`; `undefined` where that is no help. */
export function formatOfSystem(text: string): ListingFormat | undefined {
  return SYSTEMS.find(([pattern]) => pattern.test(text.trim()))?.[1]
}

/** Reads the lines of one listing, in order. */
export class LineJudge {
  readonly #listing: ListingContext
  readonly #onUnparsedLine: (line: string) => void
  readonly #keepSelf: boolean
  /** The first part of an entry of two lines, and the family that it is of. */
  #pending: { readonly line: string; readonly read: LineReader } | undefined
  #isFirst = true
  readonly #unixBytes = new UnixBytesReader()
  readonly #mlsdBytes = new MlsdBytesReader()

  constructor(listing: ListingContext, keepSelf: boolean, onUnparsedLine: (line: string) => void) {
    this.#listing = listing
    this.#keepSelf = keepSelf
    this.#onUnparsedLine = onUnparsedLine
  }

  /** Reads one line, without its line end, and hands each entry that is complete to `into`. */
  read(line: string, into: ListedEntry[]): void {
    let text = line
    if (this.#isFirst) {
      this.#isFirst = false
      if (text.startsWith('\ufeff')) text = text.slice(1)
    }
    if (this.#pending !== undefined && this.#continue(text, into)) return
    if (!this.#judge(text, into) && !isBlankLine(text)) this.#onUnparsedLine(text)
  }

  /**
   * Reads one line of ASCII that fills both `bytes` and `text` from `start` to `end`: for a plain line of a
   * common family, no other look at it is taken.
   */
  readAscii(bytes: Uint8Array, start: number, end: number, text: string, into: ListedEntry[]): void {
    if (this.#pending === undefined && !this.#isFirst) {
      const { fitted } = this.#listing
      const entry =
        fitted === 'unix'
          ? this.#unixBytes.read(bytes, start, end, text, this.#listing)
          : fitted === 'mlsd'
            ? this.#mlsdBytes.read(bytes, start, end, text, this.#listing)
            : undefined
      if (entry !== undefined) {
        if (this.#keepSelf || !entry.isSelf) into.push(entry)
        return
      }
    }
    this.read(text.slice(start, end), into)
  }

  /** The listing has ended. */
  end(): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) this.#onUnparsedLine(pending.line)
  }

  #judge(line: string, into: ListedEntry[]): boolean {
    const { fitted } = this.#listing
    const first = fitted === undefined ? undefined : READERS.get(fitted)
    if (first !== undefined && this.#try(first, line, into)) return true
    if (isBlankLine(line)) return false
    for (const { format, read } of FORMATS) {
      if (read !== first && this.#try(read, line, into)) {
        this.#listing.fitted = format
        return true
      }
    }
    return false
  }

  #try(read: LineReader, line: string, into: ListedEntry[]): boolean {
    const outcome = read(line, this.#listing)
    if (outcome === undefined) return false
    if (outcome === 'continues') this.#pending = { line, read }
    else if (outcome !== 'noise' && (this.#keepSelf || !outcome.isSelf)) into.push(outcome)
    return true
  }

  /** The rest of an entry is indented; any other line leaves its first part unread. */
  #continue(line: string, into: ListedEntry[]): boolean {
    const { line: begun, read } = this.#pending ?? { line: '', read: readVmsLine }
    this.#pending = undefined
    if (/^[ \t]+\S/.test(line) && this.#try(read, `${begun} ${line.trimStart()}`, into)) return true
    this.#onUnparsedLine(begun)
    return false
  }
}

function isBlankLine(line: string): boolean {
  return line.length === 0 || /^\s*$/.test(line)
}
