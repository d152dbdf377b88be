/**
 * Work that is done again after a break that may pass.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { FtpError } from '../errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

/** How long to wait after so many breaks. Of many clients that lost one server not all come back at one moment. */
export function backOffMs(breaks: number, random = Math.random()): number {
  return Math.min(FIRST_WAIT_MS * 2 ** breaks, LONGEST_WAIT_MS) * (0.5 + random / 2)
}

/** Counts the breaks of one operation, whichever of its steps they come in. */
export class Repeater {
  readonly #most: number
  readonly #signal: AbortSignal
  readonly #reopen: () => Promise<void>
  #breaks = 0

  /** `reopen` sees to it, before a step is done again, that there is a connection. */
  constructor(most: number, signal: AbortSignal, reopen: () => Promise<void>) {
    this.#most = most
    this.#signal = signal
    this.#reopen = reopen
  }

  /** Does a step until it succeeds, fails for good, or the operation has had its breaks. */
  async run<T>(step: () => Promise<T>): Promise<T> {
    for (let again = false; ; again = true) {
      try {
        if (again) await this.#reopen()
        return await step()
      } catch (error) {
        if (
          this.#breaks >= this.#most ||
          !(error instanceof FtpError && error.retryable) ||
          this.#signal.aborted
        )
          throw error
        await sleep(backOffMs(this.#breaks++), undefined, { signal: this.#signal }).catch(() => undefined)
      }
    }
  }
}
