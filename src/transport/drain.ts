/**
 * The replies that come before a mark, when nobody can say to which command they belong.
 */
import type { Reply } from '../protocol/reply.ts'
import { deferred } from './deadline.ts'

/** Swallows replies until the 257 of PWD, which cannot be taken for anything else. */
export class Drain {
  readonly #done = deferred<number>()
  #count = 0
  /** PWD is on its way. */
  #marked: boolean

  constructor(marked: boolean) {
    this.#marked = marked
  }

  /** Resolves with the number of replies before the mark that may end a transfer. */
  get done(): Promise<number> {
    return this.#done.promise
  }

  /** `mark`: now PWD is to be sent. */
  take(reply: Reply): 'wait' | 'mark' | 'over' {
    if (reply.code === 257 && this.#marked) return 'over'
    // 225 says that ABOR found nothing under way, not that the transfer has ended: pyftpdlib gives it alone where
    // it has not yet seen the data connection, and plays the transfer over the next one.
    if (reply.code !== 225) this.#count++
    if (this.#marked) return 'wait'
    this.#marked = true
    return 'mark'
  }

  settle(): void {
    this.#done.resolve(this.#count)
  }

  fail(error: unknown): void {
    this.#done.reject(error)
  }
}
