/**
 * Getting back in step when a transfer did not go as it should: a reply too many must never answer the next
 * command. PWD is the mark, because its 257 cannot be taken for anything else.
 */
import { FtpError } from '../errors.ts'
import type { DataConnection } from './data-connection.ts'
import type { Exchange } from './exchange.ts'
import type { UserPI } from './user-pi.ts'

/**
 * This end broke the transfer off. ABOR ends it at the server; PWD follows, because its 257 cannot be taken
 * for anything else: what comes before it belongs to the past. The two ends of an aborted transfer make two
 * replies. Where one came (Pure-FTPd says one or two, as time will have it), a second PWD must come through
 * with nothing before it; where none came, the connection is given up.
 */
export async function resynchronise(pi: UserPI, exchange: Exchange, ms: number): Promise<void> {
  if (pi.control.failure !== undefined || exchange.state === 'succeeded' || exchange.state === 'refused')
    return
  try {
    const replies = await pi.control.drain({ verb: 'ABOR' }, ms)
    const inStep = replies >= 2 || (replies === 1 && (await pi.control.drain(undefined, ms)) === 0)
    if (!inStep) pi.destroy(outOfStep())
  } catch {
    // The connection is closed, which is the other way to be safe.
  }
}

function outOfStep(): FtpError {
  return new FtpError(
    'FTP_ABORTED',
    'The connection was given up: the server did not answer the abort in full.',
    {
      phase: 'abort',
    },
  )
}

/**
 * The server refused a transfer whose data connection stands. pyftpdlib takes the end of that connection, over
 * TLS, for the end of a transfer, and adds a 226 of its own: let it come now.
 */
export async function settleRefusal(pi: UserPI, data: DataConnection, ms: number): Promise<void> {
  if (pi.control.failure !== undefined) return
  try {
    await data.finish(ms)
    await pi.control.drain(undefined, ms)
  } catch {
    // The connection is closed: as above.
  }
}
