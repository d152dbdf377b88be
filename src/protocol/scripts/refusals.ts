/**
 * What refusals are called.
 */
import type { Reply } from '../reply.ts'

/** 550 is "file unavailable", which servers say of what is not there above all (RFC 959 §4.2.2). */
export function notFound(reply: Reply): { code?: 'FTP_NOT_FOUND' } {
  return reply.code === 550 || reply.code === 551 ? { code: 'FTP_NOT_FOUND' } : {}
}

/** 500, 502 and 504: the server does not know the command, or not this form of it. */
export function notSupported(reply: Reply): { code?: 'FTP_NOT_SUPPORTED' } {
  return saysUnknown(reply) ? { code: 'FTP_NOT_SUPPORTED' } : {}
}

/** True for the replies that speak of the command rather than of its object. */
export function saysUnknown(reply: Reply): boolean {
  return reply.code === 500 || reply.code === 502 || reply.code === 504
}
