/**
 * Bytes of the control connection → replies (RFC 959 §4.2), the same at every cut, with bounded memory.
 */
import { FtpError } from '../errors.ts'
import { escapeText } from './escape.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { codeOfLine, continuesReply, endsReply, replyOfLines, type Reply } from './reply.ts'

const LF = 0x0a
const CR = 0x0d
const IAC = 0xff
const WILL = 0xfb
const DONT = 0xfe

/** The caps that hold for a reply. */
export type ReplyLimits = Pick<Limits, 'replyLineBytes' | 'replyBytes' | 'replyLines'>

/** Feeds on chunks and gives whole replies. After it has thrown it must not be fed again. */
export class ReplyParser {
  readonly #limits: ReplyLimits
  readonly #encoding: string | undefined
  /** The bytes of the reply so far; grows by doubling up to the limit, so that one-byte chunks cost linear time. */
  #bytes = new Uint8Array(512)
  #length = 0
  #lineStart = 0
  /** Where the finished lines of the current reply lie in `#bytes`. */
  #lines: Array<readonly [start: number, end: number]> = []
  /** The code that opened the current reply of several lines. */
  #code: number | undefined

  constructor(limits: Partial<ReplyLimits> = {}, encoding?: string) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#encoding = encoding
  }

  /** True while part of a reply has come and its end has not. */
  get partial(): boolean {
    return this.#length > 0
  }

  /**
   * Takes bytes, gives the replies that they complete.
   * @throws FtpError `FTP_BAD_REPLY` for what is no reply, `FTP_REPLY_TOO_LARGE` beyond the limits.
   */
  push(chunk: Uint8Array): Reply[] {
    const replies: Reply[] = []
    let start = 0
    while (start < chunk.length) {
      const lineFeed = chunk.indexOf(LF, start)
      const end = lineFeed === -1 ? chunk.length : lineFeed
      this.#append(chunk, start, end)
      if (lineFeed === -1) break
      const reply = this.#endLine()
      if (reply !== undefined) replies.push(reply)
      start = lineFeed + 1
    }
    return replies
  }

  #append(chunk: Uint8Array, start: number, end: number): void {
    const { replyLineBytes, replyBytes } = this.#limits
    // One byte more than the limit may be the CR of the line end.
    const room = Math.min(
      replyLineBytes + 2 - (this.#length - this.#lineStart),
      replyBytes + 2 - this.#length,
    )
    const offered = chunk.subarray(start, Math.min(end, start + room))
    const nul = offered.indexOf(0)
    const taken = nul === -1 ? offered : offered.subarray(0, nul)
    this.#reserve(this.#length + taken.length)
    this.#bytes.set(taken, this.#length)
    this.#length += taken.length
    this.#checkSize(this.#bytes[this.#length - 1] === CR ? 1 : 0)
    // RFC 959 lets a Telnet NUL stand nowhere in a reply, and in C code behind us it would end the text.
    if (nul !== -1) throw new FtpError('FTP_BAD_REPLY', 'The server sent a NUL character in a reply.')
  }

  #checkSize(lineEnd: number): void {
    const { replyLineBytes, replyBytes, replyLines } = this.#limits
    if (this.#length - this.#lineStart - lineEnd > replyLineBytes)
      throw tooLarge(`a line of more than ${replyLineBytes} bytes`)
    if (this.#length - lineEnd > replyBytes) throw tooLarge(`more than ${replyBytes} bytes`)
    if (this.#lines.length > replyLines) throw tooLarge(`more than ${replyLines} lines`)
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  #endLine(): Reply | undefined {
    const hasCr = this.#length > this.#lineStart && this.#bytes[this.#length - 1] === CR
    const end = hasCr ? this.#length - 1 : this.#length
    let start = this.#lineStart
    if (this.#code === undefined) start += negotiationLength(this.#bytes.subarray(start, end))
    this.#lines.push([start, end])
    this.#lineStart = this.#length
    this.#checkSize(hasCr ? 1 : 0)
    const line = this.#bytes.subarray(start, end)
    const code = codeOfLine(line)
    if (this.#code === undefined) return this.#firstLine(line, code)
    return code === this.#code && endsReply(line) ? this.#finish(code) : undefined
  }

  #firstLine(line: Uint8Array, code: number | undefined): Reply | undefined {
    if (code !== undefined && endsReply(line)) return this.#finish(code)
    if (code === undefined || !continuesReply(line)) throw badLine(line)
    this.#code = code
    return undefined
  }

  #finish(code: number): Reply {
    const lines = this.#lines.map(([start, end]) => this.#bytes.slice(start, end))
    this.#lines = []
    this.#length = 0
    this.#lineStart = 0
    this.#code = undefined
    return replyOfLines(code, lines, this.#encoding)
  }
}

/** Some servers greet with Telnet option negotiation (RFC 854). It is skipped, and never answered. */
function negotiationLength(line: Uint8Array): number {
  let at = 0
  while (line[at] === IAC) {
    const command = line[at + 1] ?? 0
    at += command >= WILL && command <= DONT ? 3 : 2
  }
  return Math.min(at, line.length)
}

function tooLarge(what: string): FtpError {
  return new FtpError('FTP_REPLY_TOO_LARGE', `The server sent ${what} in one reply; see the option limits.`)
}

function badLine(line: Uint8Array): FtpError {
  const shown = escapeText(Buffer.from(line.subarray(0, 80)).toString('latin1'))
  const hint = shown.startsWith('SSH-')
    ? ' It speaks SSH: this is an SFTP server, which is another protocol.'
    : ''
  return new FtpError(
    'FTP_BAD_REPLY',
    `The server does not speak FTP: "${shown}" does not start with a reply code.${hint}`,
  )
}
