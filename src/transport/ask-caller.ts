/**
 * Asking the caller for a secret that the server wants.
 */
import { FtpError } from '../errors.ts'
import type { Reply } from '../protocol/reply.ts'
import { callbackFailed } from './call-back.ts'
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
  closed: Promise<FtpError>,
): Promise<string> {
  const name = what === 'password' ? 'onPassword' : 'onAccount'
  const asked = (async () => onAsk?.(what, reply))().catch((cause: unknown) => {
    throw cause instanceof FtpError ? cause : callbackFailed(name, cause)
  })
  // Whoever is asked may take for ever; the connection does not.
  const gone = closed.then((error) => Promise.reject(error))
  gone.catch(() => undefined)
  const answer = await Promise.race([asked, gone])
  if (typeof answer !== 'string') throw secretMissing(what, reply)
  return answer
}
