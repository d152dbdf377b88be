/**
 * NOOPs that keep the control connection alive while data flow. Servers answer them before, between or after
 * the replies to the transfer, so their replies are known by what they say, not by their place.
 */
import type { Reply } from '../protocol/reply.ts'

/** Counts the NOOPs whose replies are still to come. */
export class NoopCounter {
  #outstanding = 0

  /** True where a reply, or a part of one, may come although nothing else was asked. */
  get waiting(): boolean {
    return this.#outstanding > 0
  }

  sent(): void {
    this.#outstanding++
  }

  /** All replies up to now have been accounted for. */
  reset(): void {
    this.#outstanding = 0
  }

  /**
   * True where the reply is a NOOP's. During a transfer that is a 200, or a 500 or 502 of a server that does
   * not know NOOP; afterwards it is whatever comes first, because the NOOP was sent before anything else.
   */
  claims({ code, kind }: Reply, duringTransfer: boolean): boolean {
    if (this.#outstanding === 0) return false
    const isOurs = duringTransfer ? code === 200 || code === 500 || code === 502 : kind !== 'preliminary'
    if (isOurs) this.#outstanding--
    return isOurs
  }
}
