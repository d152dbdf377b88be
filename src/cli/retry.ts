/** Another try after a connection was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FtpError } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { isFtpError } from './failure.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const RETRIES = 3

/** What another try depends on. */
export class Retries {
  readonly #invocation: Invocation
  readonly #most: number
  /** Who asks for retries wants them for a server that cannot be reached as well. */
  readonly #asked: boolean
  #made = 0

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    const asked = invocation.values.integer('retries', 0)
    this.#asked = asked !== undefined
    this.#most = asked ?? RETRIES
  }

  /** Waits before the next try, or says that there is none. `begun`: some data had come or gone. */
  async again(error: unknown, begun: boolean): Promise<boolean> {
    const { signal, terminal } = this.#invocation
    if (signal.aborted || this.#made >= this.#most || !(begun || this.#asked) || !isPassing(error))
      return false
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#made, LONGEST_WAIT_MS)
    this.#made++
    terminal.warn(`${error.message.split('\n', 1)[0] ?? ''} Trying again (${this.#made} of ${this.#most}).`)
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    return !signal.aborted
  }
}

/** True for what may be otherwise the next time, and is no fault on this side. */
export function isPassing(error: unknown): error is FtpError {
  if (!isFtpError(error)) return false
  const { code, retryable } = error
  return retryable && code !== 'FTP_LOCAL_FILE' && !code.startsWith('FTP_TLS_')
}
