/** Standard error: messages for a person, and on a terminal one line below them that changes in place. */
import { visible } from './visible.ts'

/** How a message looks where there is colour. */
export type Style = 'plain' | 'dim' | 'bold' | 'error' | 'warning'

const CODES: Readonly<Record<Style, string>> = {
  plain: '',
  dim: '\x1b[2m',
  bold: '\x1b[1m',
  error: '\x1b[31m',
  warning: '\x1b[33m',
}
const RESET = '\x1b[0m'
/** Back to the first column, and nothing behind it. */
const CLEAR_LINE = '\r\x1b[K'
const LEAST_COLUMNS = 20

/** Standard error. Whatever is written here is made visible first. */
export class Terminal {
  readonly #stream: NodeJS.WriteStream
  readonly #coloured: boolean
  #quiet = false
  #status = ''
  #silenced = false
  #heldMs = 0
  readonly #last: string[] = []

  constructor(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv) {
    this.#stream = stream
    const { NO_COLOR = '', TERM } = environment
    this.#coloured = this.isTerminal && NO_COLOR === '' && TERM !== 'dumb'
    // Nobody reads the messages: that is no reason to end the transfer.
    stream.on('error', () => undefined)
  }

  /** True where a person is likely to watch. */
  get isTerminal(): boolean {
    return this.#stream.isTTY
  }

  /** Characters in a line, as it is now: windows are resized. */
  get columns(): number {
    const { columns } = this.#stream
    return typeof columns === 'number' && columns > 0 ? Math.max(columns, LEAST_COLUMNS) : 80
  }

  /** From now on only errors, and what was asked for, are said. */
  hush(): void {
    this.#quiet = true
  }

  get quiet(): boolean {
    return this.#quiet
  }

  /** Writes one line. `head` stands before it in the style. */
  say(text: string, { head = '', style = 'plain' }: { head?: string; style?: Style } = {}): void {
    const shown =
      head === '' ? this.#styled(visible(text), style) : `${this.#styled(head, style)}${visible(text)}`
    const { clear, again } = this.#aroundStatus()
    this.#stream.write(`${clear}${shown}\n${again}`)
  }

  warn(text: string): void {
    if (!this.#quiet) this.say(text, { head: 'ftpwire: warning: ', style: 'warning' })
  }

  /** Something to know, where a person watches. */
  note(text: string): void {
    if (this.isTerminal && !this.#quiet) this.say(text)
  }

  /** A line that belongs behind the error that is yet to be told. */
  later(text: string): void {
    this.#last.push(text)
  }

  /** Says what was to be said later. */
  sayLast(): void {
    for (const text of this.#last.splice(0)) if (!this.#quiet) this.say(text)
  }

  /** Sets the changing line; an empty one takes it away. Without a terminal there is none. */
  status(line: string): void {
    if (!this.isTerminal || this.#silenced || line === this.#status) return
    this.#status = visible(line)
    this.#stream.write(`${CLEAR_LINE}${this.#status}`)
  }

  /** From now on there is no changing line. */
  endStatus(): void {
    this.status('')
    this.#silenced = true
  }

  /** Leaves the line that is being written to somebody else, until `work` is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    this.status('')
    const silenced = this.#silenced
    this.#silenced = true
    try {
      return await work()
    } finally {
      this.#silenced = silenced
      this.#heldMs += performance.now() - start
    }
  }

  /** How long the line was held in all: a person who types is not a slow server. */
  get heldSeconds(): number {
    return this.#heldMs / 1000
  }

  #aroundStatus(): { clear: string; again: string } {
    return this.#status === '' ? { clear: '', again: '' } : { clear: CLEAR_LINE, again: this.#status }
  }

  #styled(text: string, style: Style): string {
    return this.#coloured && style !== 'plain' ? `${CODES[style]}${text}${RESET}` : text
  }
}
