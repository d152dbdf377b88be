/**
 * One thing at a time, in the order of the calls.
 */
import { FtpError } from '../errors.ts'
import { Deadline } from '../transport/deadline.ts'
import { aborted } from '../transport/open-socket.ts'
import type { OperationOptions } from './options.ts'

/** A queue of operations on one session. */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve()
  #length = 0
  /** Called when the queue becomes busy or idle. */
  readonly #onBusy: (busy: boolean) => void

  constructor(onBusy: (busy: boolean) => void) {
    this.#onBusy = onBusy
  }

  /**
   * Runs `work` when everything before it is over. The signal that it gets fires for the caller's signal and
   * for `timeoutMs`, which counts from now.
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, options: OperationOptions = {}): Promise<T> {
    const { signal, release } = operationSignal(options)
    const leave = await this.#enter(signal).catch((error: unknown) => {
      release()
      throw error
    })
    try {
      return await work(signal)
    } finally {
      leave()
      release()
    }
  }

  /** True while anybody has the turn or waits for it. */
  get busy(): boolean {
    return this.#length > 0
  }

  /** Waits for the turn and gives the function that ends it. */
  async enter(signal: AbortSignal): Promise<() => void> {
    return this.#enter(signal)
  }

  async #enter(signal: AbortSignal): Promise<() => void> {
    const before = this.#last
    let leave: () => void = () => undefined
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#last = before.then(() => mine)
    this.#length++
    if (this.#length === 1) this.#onBusy(true)
    const done = (): void => {
      leave()
      this.#length--
      if (this.#length === 0) this.#onBusy(false)
    }
    try {
      await untilAborted(before, signal)
    } catch (error) {
      done()
      throw error
    }
    return done
  }
}

/** A signal for one operation, and what frees its timer and its listener. */
export function operationSignal({ signal, timeoutMs }: OperationOptions): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const stop = (): void => controller.abort(aborted(signal?.reason))
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const deadline = new Deadline(() =>
    controller.abort(
      new FtpError('FTP_TIMEOUT', `The operation took longer than ${timeoutMs} ms.`, { kind: 'aborted' }),
    ),
  )
  deadline.set(timeoutMs ?? 0)
  return {
    signal: controller.signal,
    release: () => {
      deadline.clear()
      signal?.removeEventListener('abort', stop)
    },
  }
}

function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void promise.then(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}
