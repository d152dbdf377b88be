/**
 * Whether a session can go on after an error.
 */
import { FtpError } from '../errors.ts'

/**
 * After a refusal both ends agree on what has happened, and after a reply that was whole but of no use; after
 * anything else nobody can say. (A reply that broke the framing has ended the connection already.)
 */
export function isInStep(error: unknown): boolean {
  if (!(error instanceof FtpError)) return false
  return (
    error.kind === 'transient' ||
    error.kind === 'permanent' ||
    error.kind === 'caller' ||
    error.code === 'FTP_BAD_REPLY'
  )
}

/** True for what a server does that cannot read several commands at once: it hangs up, stalls, or loses count. */
export function mayBeChoked(error: unknown): boolean {
  return (
    error instanceof FtpError &&
    (error.code === 'FTP_CONNECTION_CLOSED' ||
      error.code === 'FTP_TIMEOUT' ||
      error.code === 'FTP_UNEXPECTED_REPLY')
  )
}
