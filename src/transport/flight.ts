/**
 * When the replies to a flight need not be waited for.
 */
import { verbOf } from '../protocol/commands.ts'
import type { Reply } from '../protocol/reply.ts'
import type { Step } from '../protocol/script.ts'

/** True where a step was refused that had to succeed. */
export function isRefused(flight: readonly Step[], replies: readonly Reply[]): boolean {
  return replies.some((reply, at) => reply.kind === 'refusal' && flight[at]?.optional !== true)
}

/** Nothing that rode with a refused login can succeed, and the connection ends: its replies are not waited for. */
export function isLoginRefused(flight: readonly Step[], replies: readonly Reply[]): boolean {
  const last = flight.at(-1)
  if (last === undefined || verbOf(last).exchange !== 'login') return false
  // PASS that rode behind a USER that needed none may be refused.
  return replies.at(-1)?.kind === 'refusal' && !replies.slice(0, -1).some(({ kind }) => kind === 'completion')
}
