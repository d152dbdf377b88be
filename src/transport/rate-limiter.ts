/**
 * A limit on bytes per second, shared by all data connections of a client.
 */

/** The longest time for which unused rate is saved up. */
const BURST_MS = 100

/** Tells how long to wait after each piece. */
export class RateLimiter {
  readonly #bytesPerMs: number
  /** When everything that has passed so far would have passed at the rate. */
  #paidUntil = 0

  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000
  }

  /** Books `bytes` that have passed; gives the milliseconds to wait before the next ones. */
  book(bytes: number, now: number): number {
    this.#paidUntil = Math.max(this.#paidUntil, now - BURST_MS) + bytes / this.#bytesPerMs
    return Math.max(0, this.#paidUntil - now)
  }
}
