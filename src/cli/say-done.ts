/** What a transfer ends with on a terminal. */
import { humanBytes, humanSeconds } from './human.ts'
import type { Invocation } from './invocation.ts'

/** Says how much it was and how fast; nothing where nobody watches. */
export function sayDone(
  what: string,
  { bytes, seconds }: { readonly bytes: number; readonly seconds: number },
  { terminal }: Pick<Invocation, 'terminal'>,
): void {
  const rate = humanBytes(bytes / Math.max(seconds, 0.001))
  terminal.note(`${what}: ${humanBytes(bytes)} in ${humanSeconds(seconds)} (${rate}/s)`)
}
