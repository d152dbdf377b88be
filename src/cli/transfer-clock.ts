/** How long a transfer takes, and how fast it is of late. */
import type { Terminal } from './terminal.ts'

/** Weight of the past in the rate: what was a second ago counts half. */
const HALF_LIFE_SECONDS = 1

/** Leaves out the time in which a person was asked for something. */
export class TransferClock {
  readonly #terminal: Terminal
  readonly #start = performance.now()
  readonly #heldBefore: number
  #last: { readonly at: number; readonly bytes: number } | undefined
  #rate: number | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#heldBefore = terminal.heldSeconds
  }

  /** Since the beginning. */
  get seconds(): number {
    return (performance.now() - this.#start) / 1000 - (this.#terminal.heldSeconds - this.#heldBefore)
  }

  /** Bytes a second, now that there are so many bytes. */
  rateAt(bytes: number): number {
    const at = performance.now()
    const last = this.#last
    // The clock starts with the first bytes, not with the login before them.
    if (bytes > 0) this.#last = { at, bytes }
    if (last === undefined || at <= last.at) return this.#rate ?? 0
    const seconds = (at - last.at) / 1000
    const rate = Math.max(0, bytes - last.bytes) / seconds
    const past = 0.5 ** (seconds / HALF_LIFE_SECONDS)
    this.#rate = this.#rate === undefined ? rate : this.#rate * past + rate * (1 - past)
    return this.#rate
  }
}
