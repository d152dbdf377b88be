/**
 * Asking the caller for a secret that the server wants.
 */
import type { Reply } from '../protocol/reply.ts'
import { secretMissing } from './control-errors.ts'
import type { ScriptContext } from './user-pi.ts'

/**
 * The secret.
 * @throws FtpError `FTP_PASSWORD_REQUIRED`, `FTP_ACCOUNT_REQUIRED` where there is nobody to ask.
 */
export async function askCaller(
  what: 'password' | 'account',
  reply: Reply,
  { onAsk }: ScriptContext,
): Promise<string> {
  const answer = await onAsk?.(what, reply)
  if (typeof answer !== 'string') throw secretMissing(what, reply)
  return answer
}
