/**
 * The commands that read: RETR and NLST, and what they say when the thing is not there.
 */
import type { Reply } from '../reply.ts'
import type { Step } from '../script.ts'

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

/** 550 is "file unavailable", which servers say of a missing file above all (RFC 959 §4.2.2). */
function notFound(reply: Reply): { code?: 'FTP_NOT_FOUND' } {
  return reply.code === 550 || reply.code === 551 ? { code: 'FTP_NOT_FOUND' } : {}
}

/** The number of a `213` to SIZE: plain decimal digits, exact, or unknown. */
export function sizeOfReply(reply: Reply | undefined): number | undefined {
  if (reply?.code !== 213) return undefined
  const text = reply.lines[0]?.trim() ?? ''
  const size = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(size) ? size : undefined
}
