/** Ctrl-C and its like: the first one ends the work in order, the second one at once. */
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for a signal to this process. */
export class Interruption {
  readonly #controller = new AbortController()
  #received: NodeJS.Signals | undefined

  constructor() {
    for (const name of SIGNALS) process.on(name, this.#onSignal)
  }

  /** Aborts on the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Which signal came. */
  get received(): NodeJS.Signals | undefined {
    return this.#received
  }

  /**
   * Ends the process by the signal that came, not by a number like it: only then does a shell know that the
   * loop in which the command stands shall end as well.
   */
  die(name: NodeJS.Signals): never {
    for (const each of SIGNALS) process.removeListener(each, this.#onSignal)
    if (process.platform !== 'win32') process.kill(process.pid, name)
    process.exit(128 + constants.signals[name])
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#received !== undefined) this.die(name)
    this.#received = name
    this.#controller.abort(new Error(`interrupted by ${name}`))
  }
}
