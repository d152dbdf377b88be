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
