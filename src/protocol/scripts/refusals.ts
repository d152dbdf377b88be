/**
 * What refusals are called.
 */
import type { ReplySummary } from '../../errors.ts'
import type { Reply } from '../reply.ts'

/** Servers say 550 also of what is there and may not be had. */
const SAYS_OTHERWISE =
  /denied|permission|not permitted|not empty|forbidden|exists|EACCES|ENOTEMPTY|EPERM|EEXIST/i

/** 550 is "file unavailable", which servers say of what is not there above all (RFC 959 §4.2.2). */
export function notFound(reply: Reply): { code?: 'FTP_NOT_FOUND' } {
  const isMissing = (reply.code === 550 || reply.code === 551) && !SAYS_OTHERWISE.test(reply.rawText)
  return isMissing ? { code: 'FTP_NOT_FOUND' } : {}
}

/** 500, 502 and 504: the server does not know the command, or not this form of it. */
export function notSupported(reply: Reply): { code?: 'FTP_NOT_SUPPORTED' } {
  return saysUnknown(reply) ? { code: 'FTP_NOT_SUPPORTED' } : {}
}

/** True for the replies that speak of the command rather than of its object. */
export function saysUnknown(reply: Reply): boolean {
  return reply.code === 500 || reply.code === 502 || reply.code === 504
}

/** True for a refusal that means an empty directory: `550 No files found.` and its like. */
export function saysNoFiles({ code, text }: ReplySummary): boolean {
  if (code !== 450 && code !== 550) return false
  return /\bno (?:such )?(?:files?|data sets?|members?)(?: or director(?:y|ies))? found\b/i.test(text)
}
