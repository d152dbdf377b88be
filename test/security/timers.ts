/** The timers that are made while somebody watches: vitest has some of its own, which come and go. */

interface KnownTimer {
  readonly _destroyed?: boolean
}

export class TimerWatch {
  readonly #made: KnownTimer[] = []
  readonly #setTimeout = globalThis.setTimeout
  readonly #setInterval = globalThis.setInterval

  constructor() {
    const made = this.#made
    globalThis.setTimeout = counted(this.#setTimeout, made)
    globalThis.setInterval = counted(this.#setInterval, made)
  }

  /** How many have neither fired nor been cleared. */
  get left(): number {
    return this.#made.filter((timer) => timer._destroyed !== true).length
  }

  stop(): void {
    globalThis.setTimeout = this.#setTimeout
    globalThis.setInterval = this.#setInterval
  }
}

/** The same function, which keeps what it gives. */
function counted<F extends (...args: never[]) => unknown>(make: F, made: KnownTimer[]): F {
  return new Proxy(make, {
    apply: (target, self, args) => {
      const timer: unknown = Reflect.apply(target, self, args)
      made.push(timer as KnownTimer)
      return timer
    },
  })
}
