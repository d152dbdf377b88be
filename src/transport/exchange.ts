/**
 * One command on its way: its place in the state diagram, and promises for its first and its last reply.
 */
import type { Reply } from '../protocol/reply.ts'
import { isOver, next, type ExchangeKind, type ExchangeState } from '../protocol/machine.ts'
import { deferred } from './deadline.ts'

/** What the diagram says of a reply. */
export type Verdict = 'over' | 'more' | 'out-of-step'

/** A command and its replies. */
export class Exchange {
  /** The command as it may be shown. */
  readonly command: string
  readonly kind: ExchangeKind
  /** Replies that are secret-bearing get their text redacted before anybody sees it. */
  readonly secret: boolean
  readonly #codes: readonly number[] | undefined
  readonly #first = deferred<Reply>()
  readonly #final = deferred<Reply>()
  #state: ExchangeState = 'awaiting'
  #preliminaries = 0

  constructor(command: string, kind: ExchangeKind, codes?: readonly number[], secret = false) {
    this.command = command
    this.kind = kind
    this.secret = secret
    this.#codes = codes
  }

  /** The first reply; for all but transfers and greetings it is also the last. */
  get first(): Promise<Reply> {
    return this.#first.promise
  }

  /** The reply that ends the exchange. */
  get final(): Promise<Reply> {
    return this.#final.promise
  }

  get state(): ExchangeState {
    return this.#state
  }

  /** How many 1yz replies have come. */
  get preliminaries(): number {
    return this.#preliminaries
  }

  /** Moves along the diagram; tells nobody yet. */
  judge(reply: Reply): Verdict {
    if (reply.kind === 'completion' && this.#codes !== undefined && !this.#codes.includes(reply.code))
      return 'out-of-step'
    const state = next(this.kind, this.#state, reply.kind)
    if (state === undefined) return 'out-of-step'
    this.#state = state
    if (reply.kind === 'preliminary') this.#preliminaries++
    return isOver(state) ? 'over' : 'more'
  }

  /** Tells those who wait. */
  settle(reply: Reply, verdict: Verdict): void {
    // A greeting is not there before its 2yz, whatever 120s came first.
    if (this.kind !== 'greeting' || verdict === 'over') this.#first.resolve(reply)
    if (verdict === 'over') this.#final.resolve(reply)
  }

  fail(error: unknown): void {
    this.#first.reject(error)
    this.#final.reject(error)
  }
}

/** A reply and the exchange that it belongs to. */
export interface Told {
  readonly exchange: Exchange
  readonly reply: Reply
  readonly verdict: Verdict
}

/** Tells all who wait. */
export function settleAll(told: readonly Told[]): void {
  for (const { exchange, reply, verdict } of told) exchange.settle(reply, verdict)
}
