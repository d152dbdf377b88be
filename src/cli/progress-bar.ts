/** How far a transfer is, in one line that fits the terminal. */
import { displayWidth, fitted, padded } from './display-width.ts'
import { humanBytes, humanSeconds } from './human.ts'
import type { Terminal } from './terminal.ts'
import { TransferClock } from './transfer-clock.ts'
import { visible } from './visible.ts'

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
const MOST_BAR = 42
const LEAST_NAME = 12
/** Of the line, where there is a bar as well. */
const NAME_SHARE = 0.2

/** The line, no wider than `columns`. What there is no room for is left out, the bar first. */
export function progressLine(facts: ProgressFacts, columns: number): string {
  const { bytes, size, rate, seconds } = facts
  const name = visible(facts.name)
  const share = size === undefined ? undefined : shareOf(bytes, size)
  const percent = share === undefined ? undefined : `${Math.floor(share * 100)}%`.padStart(4)
  const amount = amountOf(bytes, size)
  const speed = `${humanBytes(rate)}/s`
  const time = size === undefined ? humanSeconds(seconds) : timeLeft(facts)
  const figures = joined(percent, padded(amount, 16), padded(speed, 10), time)
  const room = columns - figures.length - 2
  if (room < LEAST_NAME)
    return widest([figures, joined(percent, amount, time), joined(percent, amount)], columns)
  const label = fitted(name, Math.max(LEAST_NAME, Math.floor(columns * NAME_SHARE)))
  const barRoom = Math.min(MOST_BAR, room - displayWidth(label) - 2)
  return share === undefined || barRoom < LEAST_BAR + 2
    ? joined(fitted(name, room), figures)
    : joined(label, bar(share, barRoom), figures)
}

function widest(lines: readonly string[], columns: number): string {
  return lines.find((line) => line.length <= columns) ?? fitted(lines.at(-1) ?? '', columns)
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('  ')
}

/** `1.3 of 7.6 MiB`: one unit is enough where it is the same. */
function amountOf(bytes: number, size: number | undefined): string {
  const [some = '', unit] = humanBytes(bytes).split(' ')
  if (size === undefined) return humanBytes(bytes)
  const all = humanBytes(Math.max(size, bytes))
  return all.endsWith(` ${unit}`) ? `${some} of ${all}` : `${some} ${unit} of ${all}`
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

/** What is over sooner needs no bar. */
export const PATIENCE_SECONDS = 0.3

/** Is told how far a transfer is. */
export interface Meter {
  update(progress: { readonly bytes: number; readonly size: number | undefined }): void
  /** The transfer is over. */
  clear(): void
}

/** Draws the line as a transfer goes on; nothing without a terminal. */
export class ProgressBar implements Meter {
  readonly #terminal: Terminal
  readonly #name: string
  readonly #clock: TransferClock

  constructor(terminal: Terminal, name: string) {
    this.#terminal = terminal
    this.#name = name
    this.#clock = new TransferClock(terminal)
  }

  get seconds(): number {
    return this.#clock.seconds
  }

  update({ bytes, size }: { readonly bytes: number; readonly size: number | undefined }): void {
    const { seconds } = this
    const rate = this.#clock.rateAt(bytes)
    if (this.#terminal.quiet || bytes === 0 || seconds < PATIENCE_SECONDS) return
    // The last column is left free: a terminal may go to the next line when it is filled.
    this.#terminal.status(
      progressLine({ name: this.#name, bytes, size, rate, seconds }, this.#terminal.columns - 1),
    )
  }

  /** Takes the line away. */
  clear(): void {
    this.#terminal.status('')
  }
}
