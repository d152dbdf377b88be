/**
 * One call: the signal that ends it, and the session that it opens.
 */
import { connect, type FtpOptions, type FtpSession } from '../index.ts'

/** Whatever a call has begun ends with it. */
export class Call {
  readonly #outer: AbortSignal | undefined
  readonly #controller = new AbortController()
  #session: FtpSession | undefined

  /** `outer` is the caller's signal; it is let go when the call is over. */
  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer
    if (outer?.aborted === true) this.#controller.abort(outer.reason)
    outer?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Fires for the caller's signal, and when the call is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Opens the session of this call, in the directory that `url` names; one that it has had is over. */
  async connect(url: string, options: FtpOptions): Promise<FtpSession> {
    this.#session?.destroy()
    this.#session = await connect(url, { ...options, signal: this.signal })
    return this.#session
  }

  /** Everything has come: says goodbye without keeping anyone waiting. */
  end(): void {
    this.#release()
    this.#session?.close().catch(() => undefined)
  }

  /** Nothing more is wanted. The session serves no other call, so it needs no saving. */
  cancel(reason: unknown): void {
    this.#release()
    this.#controller.abort(reason)
    this.#session?.destroy()
  }

  readonly #onAbort = (): void => this.cancel(this.#outer?.reason)

  #release(): void {
    this.#outer?.removeEventListener('abort', this.#onAbort)
  }
}
