/**
 * A reply (RFC 959 §4.2): three digits, then text on one line or on many.
 */
import type { ReplySummary } from '../errors.ts'
import { escapeText } from './escape.ts'
import { decodeText } from './text.ts'

/** What the first digit of a reply says (RFC 959 §4.2.1). */
export type ReplyKind = 'preliminary' | 'completion' | 'intermediate' | 'refusal'

const KIND_OF_DIGIT = ['preliminary', 'completion', 'intermediate', 'refusal', 'refusal'] as const

/** One whole reply. */
export class Reply implements ReplySummary {
  /** The three digits. */
  readonly code: number
  /** What the first digit says; the one thing by which most replies are judged. */
  readonly kind: ReplyKind
  /** The text of each line as it came, without its code and line end. Raw: it may hold control characters. */
  readonly lines: readonly string[]

  constructor(code: number, lines: readonly string[]) {
    this.code = code
    // Replies are made by ReplyParser, which lets no other first digit pass.
    this.kind = KIND_OF_DIGIT[Math.floor(code / 100) - 1] ?? 'refusal'
    this.lines = lines
  }

  /** The lines escaped for display, joined by a line feed. */
  get text(): string {
    return this.lines.map(escapeText).join('\n')
  }

  /** The lines as they came, joined by a line feed. Not for display. */
  get rawText(): string {
    return this.lines.join('\n')
  }

  toString(): string {
    return `${this.code} ${this.text}`
  }

  toJSON(): ReplySummary {
    return { code: this.code, text: this.text }
  }
}

const FIRST_DIGIT = 0x31
const LAST_DIGIT = 0x35
const HYPHEN = 0x2d
const SPACE = 0x20
const IAC = 0xff

/** The code at the start of a line, or undefined: ASCII digits only, 1yz to 5yz. */
export function codeOfLine(line: Uint8Array): number | undefined {
  const [a, b, c] = line
  if (a === undefined || b === undefined || c === undefined) return undefined
  if (a < FIRST_DIGIT || a > LAST_DIGIT || !isDigit(b) || !isDigit(c)) return undefined
  return (a - 0x30) * 100 + (b - 0x30) * 10 + (c - 0x30)
}

/** True where the line, which starts with the code, is the last of its reply: `nnn` SP or `nnn` alone. */
export function endsReply(line: Uint8Array): boolean {
  return line.length === 3 || line[3] === SPACE
}

/** True where the line, which starts with the code, begins a reply of several lines: `nnn-`. */
export function continuesReply(line: Uint8Array): boolean {
  return line[3] === HYPHEN
}

/** Makes a reply of its framed lines; text is decoded only now, so that no cut can split a character. */
export function replyOfLines(code: number, lines: readonly Uint8Array[], encoding?: string): Reply {
  const texts = lines.map((line) => {
    const coded = codeOfLine(line) === code && (endsReply(line) || continuesReply(line))
    return decodeText(withoutTelnetEscapes(coded ? line.subarray(4) : line), encoding)
  })
  return new Reply(code, texts)
}

/** RFC 959 runs over Telnet, in which the octet 255 of a text is doubled. */
function withoutTelnetEscapes(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(IAC)) return bytes
  return Uint8Array.from(
    bytes.filter((byte, at) => byte !== IAC || bytes[at - 1] !== IAC || !isSecondOfPair(bytes, at)),
  )
}

function isSecondOfPair(bytes: Uint8Array, at: number): boolean {
  let start = at
  while (bytes[start - 1] === IAC) start--
  return (at - start) % 2 === 1
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
