/**
 * A file from one server straight to another (RFC 959 §5.2): one listens, the other dials, and this end only
 * says so. Many servers refuse it, because it can be misused (RFC 2577 §3).
 */
import { FtpError } from '../errors.ts'
import { parsePassiveReply } from '../protocol/passive-reply.ts'
import { send } from '../protocol/script.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import type { Exchange } from '../transport/exchange.ts'
import { familyOf, plain } from '../transport/peer-address.ts'
import { resynchronise } from '../transport/resynchronise.ts'
import type { Link } from './link.ts'

/** One end of the copy. */
export interface CopyEnd {
  readonly link: Link
  readonly path: Path
}

/** Copies a file while both sessions have their turn. */
export async function copyBetween(from: CopyEnd, to: CopyEnd, signal: AbortSignal): Promise<void> {
  for (const { link } of [from, to]) {
    await link.prepare(link.typeSteps({ type: 'I' }), signal)
    link.noteType({ type: 'I' })
    link.forgetAhead()
    if (link.deflates) await link.command(send('MODE', 'S'), signal)
    link.deflates = false
  }
  const address = from.link.pi.control.peerAddress
  if (address === undefined || familyOf(address) === 6) {
    throw new FtpError(
      'FTP_NOT_SUPPORTED',
      'A copy between servers needs a source that is reached directly and over IPv4.',
      { phase: 'passive' },
    )
  }
  const offered = parsePassiveReply(
    await from.link.command(send('PASV'), signal),
    from.link.settings.dataPorts,
  )
  // The source's real address, not the one that it claims: the target must not be sent elsewhere (RFC 2577 §3).
  const numbers = [...plain(address).split('.'), offered.port >> 8, offered.port & 255].join(',')
  await to.link.command(send('PORT', numbers), signal)
  const [stored] = to.link.pi.control.send([{ verb: 'STOR', argument: to.path }])
  const [retrieved] = from.link.pi.control.send([{ verb: 'RETR', argument: from.path }])
  if (stored === undefined || retrieved === undefined) return
  const stop = (): void => {
    from.link.destroy()
    to.link.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    await bothEnd({ end: from, exchange: retrieved }, { end: to, exchange: stored })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface Half {
  readonly end: CopyEnd
  readonly exchange: Exchange
}

/** Where one end refuses, the other one still waits for it: that one is brought back into step. */
async function bothEnd(one: Half, other: Half): Promise<void> {
  const results = await Promise.all([outcome(one, other), outcome(other, one)])
  // A refusal at one end is the reason for whatever went wrong at the other.
  const failure = results.find((error) => error?.code === 'FTP_REFUSED') ?? results.find(Boolean)
  if (failure !== undefined) throw failure
}

async function outcome({ exchange }: Half, partner: Half): Promise<FtpError | undefined> {
  try {
    const reply = await exchange.final
    const { pi, settings } = partner.end.link
    // Nobody sees the data from here; but when one end is through with them, the other must be, too.
    if (reply.kind !== 'refusal') {
      pi.control.expectFinal(settings.timeouts.finalReply)
      return undefined
    }
    await resynchronise(pi, partner.exchange, settings.timeouts.abort)
    return new FtpError('FTP_REFUSED', `The server refused ${exchange.command}: ${reply.toString()}`, {
      phase: 'final-reply',
      command: exchange.command,
      reply: reply.toJSON(),
    })
  } catch (error) {
    return error instanceof FtpError
      ? error
      : new FtpError('FTP_CONNECTION_CLOSED', 'The copy broke off.', { cause: error })
  }
}
