/** How far many transfers are together, in one line. */
import { fitted, padded } from './display-width.ts'
import { humanBytes, humanSeconds } from './human.ts'
import { PATIENCE_SECONDS, type Meter } from './progress-bar.ts'
import type { Terminal } from './terminal.ts'
import { TransferClock } from './transfer-clock.ts'
import { visible } from './visible.ts'

/** What the line shows. */
export interface TotalFacts {
  readonly name: string
  /** Undefined where nobody knows how many there will be. */
  readonly files: number | undefined
  readonly done: number
  readonly bytes: number
  readonly rate: number
  readonly seconds: number
}

const DRAW_SECONDS = 0.1

/** The line, no wider than `columns`. */
export function totalLine({ name, files, done, bytes, rate, seconds }: TotalFacts, columns: number): string {
  const parts = [
    files === undefined ? `${done} files` : `${done} of ${files} files`,
    padded(humanBytes(bytes), 8),
    padded(`${humanBytes(rate)}/s`, 10),
    humanSeconds(seconds),
  ]
  const facts = parts.join('  ')
  const room = columns - facts.length - 2
  return room < 12 ? fitted(facts, columns) : `${facts}  ${fitted(visible(name), room)}`.trimEnd()
}

/** Counts files and bytes; `meter` gives each transfer its own. */
export class TotalBar {
  readonly #terminal: Terminal
  readonly #clock: TransferClock
  #files: number
  #done = 0
  #bytes = 0
  /** Progress callbacks of several transfers come in turns: the line is drawn for some of them. */
  #drawnAt = 0

  constructor(terminal: Terminal, files: number) {
    this.#terminal = terminal
    this.#files = files
    this.#clock = new TransferClock(terminal)
  }

  get bytes(): number {
    return this.#bytes
  }

  get seconds(): number {
    return this.#clock.seconds
  }

  /** The meter of one file; what it had at its first call was there before. */
  meter(name: string): Meter {
    let last: number | undefined
    return {
      update: ({ bytes }) => {
        this.#bytes += Math.max(0, bytes - (last ?? 0))
        last = bytes
        this.#draw(name)
      },
      clear: () => {
        this.#done++
        this.#draw(name)
      },
    }
  }

  /** Takes the line away. */
  clear(): void {
    this.#terminal.status('')
  }

  #draw(name: string): void {
    const { seconds } = this
    if (this.#terminal.quiet || seconds < PATIENCE_SECONDS || seconds - this.#drawnAt < DRAW_SECONDS) return
    this.#drawnAt = seconds
    const facts = { name, files: this.#files, done: this.#done, bytes: this.#bytes, seconds }
    const rate = this.#clock.rateAt(this.#bytes)
    this.#terminal.status(totalLine({ ...facts, rate }, this.#terminal.columns - 1))
  }
}
