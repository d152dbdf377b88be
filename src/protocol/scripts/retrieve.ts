/**
 * The commands that read: RETR and NLST, and what they say when the thing is not there.
 */
import type { Reply } from '../reply.ts'
import type { Step } from '../script.ts'
import { notFound } from './refusals.ts'

/** `RETR name`. */
export function retrieve(name: string | Uint8Array): Step {
  return { verb: 'RETR', argument: name, refused: notFound }
}

/** `NLST`, or `NLST name`. */
export function nameList(name?: string | Uint8Array): Step {
  return name === undefined || name.length === 0
    ? { verb: 'NLST' }
    : { verb: 'NLST', argument: name, refused: notFound }
}

/** The number of a `213` to SIZE: plain decimal digits, exact, or unknown. */
export function sizeOfReply(reply: Reply | undefined): number | undefined {
  if (reply?.code !== 213) return undefined
  const text = reply.lines[0]?.trim() ?? ''
  const size = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(size) ? size : undefined
}
