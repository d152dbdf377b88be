/**
 * With `pipelining: 'full'` the next data port is asked for as soon as a transfer is over: the next file then
 * begins with its own command.
 */
import { attempt } from '../protocol/script.ts'
import { passiveStep, type PassiveCommand } from '../protocol/scripts/passive.ts'
import type { TransferRequest } from '../protocol/scripts/transfer.ts'
import type { UserPI } from '../transport/user-pi.ts'

/** A server need not listen for long. */
const FRESH_MS = 5000

/** A passive reply that was asked for ahead. */
export class PassiveAhead {
  #asked: { readonly at: number; readonly reply: Promise<TransferRequest['passiveReply']> } | undefined
  #pending = false

  /** True while the reply is still to come. */
  get pending(): boolean {
    return this.#pending
  }

  /** True where there is one that may still be good. */
  get fresh(): boolean {
    return this.#asked !== undefined && performance.now() - this.#asked.at < FRESH_MS
  }

  /** Asks now. */
  ask(pi: UserPI, by: PassiveCommand): void {
    this.#pending = true
    const reply = pi.run(attempt(passiveStep(by))).then(
      ([answer]) => (answer?.kind === 'completion' ? { reply: answer, by } : undefined),
      () => undefined,
    )
    this.#asked = { at: performance.now(), reply: reply.finally(() => (this.#pending = false)) }
  }

  /** Gives it away; a stale one is forgotten. */
  async take(): Promise<TransferRequest['passiveReply']> {
    const asked = this.fresh ? this.#asked : undefined
    this.#asked = undefined
    return asked?.reply
  }
}
