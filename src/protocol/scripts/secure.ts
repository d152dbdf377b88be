/**
 * TLS on an FTP connection (RFC 4217): AUTH TLS, then PBSZ and PROT.
 */
import { FtpError } from '../../errors.ts'
import { describeCommand } from '../commands.ts'
import type { Reply } from '../reply.ts'
import { query, type Script, type Step } from '../script.ts'

/** Asks for TLS and begins it. Anything but 234 ends the attempt: nothing is ever sent in the clear instead. */
export function* authenticateTls(): Script<void> {
  const step: Step = { verb: 'AUTH', argument: 'TLS' }
  const reply = yield* query(step.verb, step.argument)
  if (reply.code !== 234) throw tlsRequired(step, reply)
  yield { do: 'secure' }
}

/** `P`: data connections in TLS; `C`: in the clear. PBSZ 0 must precede (RFC 2228 §3, RFC 4217 §8). */
export function protectData(level: 'P' | 'C'): Step[] {
  const refused = () =>
    ({ code: 'FTP_TLS_REQUIRED', advice: 'data connections would not be as protected as asked for' }) as const
  return [
    { verb: 'PBSZ', argument: '0', refused },
    { verb: 'PROT', argument: level, refused },
  ]
}

function tlsRequired(step: Step, reply: Reply): FtpError {
  const command = describeCommand(step)
  return new FtpError(
    'FTP_TLS_REQUIRED',
    `TLS was asked for and the server refused ${command}: ${reply.toString()}`,
    {
      phase: 'tls',
      command,
      reply: reply.toJSON(),
      kind: reply.code >= 400 && reply.code < 500 ? 'transient' : 'permanent',
    },
  )
}
