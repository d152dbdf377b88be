/**
 * One deadline for one phase. Whoever sets it clears it, so that none outlives its phase.
 */

/** Calls `expire` once after `ms` unless it is cleared; 0 and Infinity mean never. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined
  readonly #expire: () => void

  constructor(expire: () => void) {
    this.#expire = expire
  }

  /** Starts, or starts again. */
  set(ms: number): void {
    this.clear()
    // Above 2^31 - 1 milliseconds Node would fire at once.
    if (ms > 0 && ms < 2 ** 31) this.#timer = setTimeout(this.#expire, ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** A promise with its handles outside. A rejection that nobody waits for is not an unhandled one. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

/** Makes a {@link Deferred}; `Promise.withResolvers` is missing from Node 20. */
export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void // set by the executor, which runs at once
  let reject!: (error: unknown) => void // likewise
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
