/** How far a transfer is, in one line that fits the terminal. */
import { displayWidth, fitted, padded } from './display-width.ts'
import { humanBytes, humanSeconds } from './human.ts'
import type { Terminal } from './terminal.ts'

/** What the line shows. */
export interface ProgressFacts {
  readonly name: string
  readonly bytes: number
  readonly size: number | undefined
  /** Bytes a second, lately. */
  readonly rate: number
  /** Since the beginning. */
  readonly seconds: number
}

const LEAST_BAR = 10
const MOST_BAR = 40
const LEAST_NAME = 12
const MOST_NAME = 32

/** The line, no wider than `columns`. What there is no room for is left out, the bar first. */
export function progressLine(facts: ProgressFacts, columns: number): string {
  const { name, bytes, size, rate, seconds } = facts
  const amount =
    size === undefined ? humanBytes(bytes) : `${humanBytes(bytes)} of ${humanBytes(Math.max(size, bytes))}`
  const speed = `${humanBytes(rate)}/s`
  const time = size === undefined ? humanSeconds(seconds) : timeLeft(facts)
  const share = size === undefined ? undefined : shareOf(bytes, size)
  const percent = share === undefined ? undefined : `${Math.floor(share * 100)}%`.padStart(4)
  const parts = [percent, padded(amount, 20), padded(speed, 11), time]
  const facing = parts.filter((part) => part !== undefined).join('  ')
  const nameRoom = columns - displayWidth(facing) - 2
  if (nameRoom < LEAST_NAME) return fitted([percent, amount, time].filter(isThere).join(' '), columns)
  const label = fitted(name, Math.min(nameRoom, MOST_NAME))
  const barRoom = Math.min(MOST_BAR, columns - displayWidth(label) - displayWidth(facing) - 4)
  if (share === undefined || barRoom < LEAST_BAR + 2) return `${label}  ${facing}`
  return `${label}  ${bar(share, barRoom)}  ${facing}`
}

function isThere(part: string | undefined): part is string {
  return part !== undefined
}

function shareOf(bytes: number, size: number): number {
  return size === 0 ? 1 : Math.min(1, bytes / size)
}

function timeLeft({ bytes, size = 0, rate, seconds }: ProgressFacts): string {
  if (bytes >= size) return humanSeconds(seconds)
  return rate > 0 ? `${humanSeconds((size - bytes) / rate)} left` : '--:-- left'
}

function bar(share: number, columns: number): string {
  const inner = columns - 2
  const full = Math.floor(share * inner)
  const head = full > 0 && full < inner ? `${'='.repeat(full - 1)}>` : '='.repeat(full)
  return `[${head.padEnd(inner)}]`
}

/** Weight of the past in the rate: a second ago counts half. */
const HALF_LIFE_SECONDS = 1
/** What is over sooner needs no bar. */
const PATIENCE_SECONDS = 0.3

/** Draws the line as a transfer goes on; nothing without a terminal. */
export class ProgressBar {
  readonly #terminal: Terminal
  readonly #name: string
  readonly #start = performance.now()
  #last = { at: this.#start, bytes: 0 }
  #rate: number | undefined

  constructor(terminal: Terminal, name: string) {
    this.#terminal = terminal
    this.#name = name
  }

  get seconds(): number {
    return (performance.now() - this.#start) / 1000
  }

  update({ bytes, size }: { readonly bytes: number; readonly size: number | undefined }): void {
    const { seconds } = this
    this.#measure(bytes)
    if (this.#terminal.quiet || seconds < PATIENCE_SECONDS) return
    const facts = { name: this.#name, bytes, size, rate: this.#rate ?? 0, seconds }
    // The last column is left free: a terminal may go to the next line when it is filled.
    this.#terminal.status(progressLine(facts, this.#terminal.columns - 1))
  }

  /** Takes the line away. */
  clear(): void {
    this.#terminal.status('')
  }

  #measure(bytes: number): void {
    const at = performance.now()
    const seconds = (at - this.#last.at) / 1000
    if (seconds <= 0) return
    const rate = (bytes - this.#last.bytes) / seconds
    const past = 0.5 ** (seconds / HALF_LIFE_SECONDS)
    this.#rate = this.#rate === undefined ? rate : this.#rate * past + rate * (1 - past)
    this.#last = { at, bytes }
  }
}
