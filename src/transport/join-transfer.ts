/**
 * Where the end of the data meets the final reply. A transfer has succeeded when both are good, in whatever
 * order they come (RFC 959 §5.1.2 lets the 226 overtake the data).
 */
import { FtpError } from '../errors.ts'
import type { Reply } from '../protocol/reply.ts'
import type { DataConnection } from './data-connection.ts'
import type { DataEnd } from './data-socket.ts'
import type { Exchange } from './exchange.ts'
import { resynchronise } from './resynchronise.ts'
import type { UserPI } from './user-pi.ts'

/** A transfer that is over, and well. */
export interface TransferEnd extends DataEnd {
  /** The final reply. */
  readonly reply: Reply
  /** The data connection broke off without a byte, and the server says that all is well. */
  readonly presumedEmpty?: true
}

/** What is joined. */
export interface TransferParts {
  readonly pi: UserPI
  readonly data: DataConnection
  readonly exchange: Exchange
  /** The end of what this end receives or sends. */
  readonly ended: Promise<DataEnd>
  readonly direction: 'receive' | 'send'
  /** For a server that has nothing to send and so opens nothing: a data connection that broke off empty is no fault. */
  readonly mayBeEmpty?: boolean
  readonly abortMs: number
  /** How long the last reply may take once everything was sent. */
  readonly finalReplyMs: number
  /** The session ends with the transfer. */
  readonly last: boolean
}

interface Broken<Of> {
  readonly of: Of
  readonly error: FtpError
}

type Outcome<T, Of = 'data' | 'reply'> = { readonly of: Of; readonly value: T } | Broken<Of>

/**
 * Waits for both.
 * @throws FtpError the refusal in the final reply, the failure of the data connection, or of the control connection.
 */
export async function joinTransfer(parts: TransferParts): Promise<TransferEnd> {
  const { pi, data, exchange, ended } = parts
  const dataOutcome = outcome('data', ended)
  const replyOutcome = outcome('reply', exchange.final)
  try {
    const first = await Promise.race([dataOutcome, replyOutcome])
    if (first.of === 'reply') checkEarlyReply(parts, await replyOutcome)
    const end = await dataOutcome
    if (parts.direction === 'send' && !('error' in end)) pi.control.expectFinal(parts.finalReplyMs)
    if (
      'error' in end &&
      (end.error.kind === 'aborted' || !(await isHarmless(parts, end.error, replyOutcome)))
    )
      return await failed(parts, end.error, replyOutcome)
    const final = await Promise.race([replyOutcome, brokenOff(data)])
    if (final.of === 'data') return await failed(parts, final.error, replyOutcome)
    if ('error' in final) throw withBytes(final.error, end)
    if (final.value.kind === 'refusal') throw refused(parts, final.value)
    return 'error' in end
      ? { bytes: 0, cleanClose: true, reply: final.value, presumedEmpty: true }
      : { ...end.value, reply: final.value }
  } catch (error) {
    data.destroy(
      error instanceof FtpError
        ? error
        : new FtpError('FTP_DATA_CONNECTION_FAILED', 'The transfer failed.', { cause: error }),
    )
    throw error
  } finally {
    pi.release()
  }
}

function checkEarlyReply(parts: TransferParts, reply: Outcome<Reply>): void {
  if ('error' in reply) throw reply.error
  if (reply.value.kind === 'refusal') throw refused(parts, reply.value)
  if (parts.direction === 'send') {
    throw new FtpError(
      'FTP_PREMATURE_REPLY',
      `The server called the upload complete before it was: ${reply.value.toString()}`,
      { phase: 'data', command: parts.exchange.command, reply: reply.value.toJSON() },
    )
  }
}

/** How much had come before the control connection failed. */
function withBytes(error: FtpError, end: Outcome<DataEnd>): FtpError {
  if ('error' in end) return error
  const { code, message, phase, command, reply, kind, cause } = error
  return new FtpError(code, message, { phase, command, reply, kind, cause, bytes: end.value.bytes })
}

/** FileZilla Server and others answer a listing of nothing without ever using the data connection. */
async function isHarmless(
  { mayBeEmpty, data, pi, abortMs }: TransferParts,
  { code }: FtpError,
  reply: Promise<Outcome<Reply>>,
): Promise<boolean> {
  // A certificate that is not trusted, or silence, is no empty directory.
  const neverUsed = code === 'FTP_DATA_CONNECTION_FAILED' || code === 'FTP_TLS_FAILED'
  if (mayBeEmpty !== true || data.bytes > 0 || !neverUsed) return false
  pi.control.expectFinal(abortMs)
  const final = await reply
  return 'value' in final && final.value.kind === 'completion'
}

/** The data broke off. Whose doing was it, and is the control connection still of use? */
async function failed(
  { pi, exchange, data, abortMs, last }: TransferParts,
  error: FtpError,
  reply: Promise<Outcome<Reply>>,
): Promise<never> {
  if (error.code === 'FTP_DATA_CONNECTION_FAILED') {
    pi.control.expectFinal(abortMs)
    const final = await reply
    if ('value' in final && final.value.kind === 'refusal')
      throw refusalOf(exchange, final.value, data.bytes, error)
    throw error
  }
  if (last) pi.destroy(error)
  else await resynchronise(pi, exchange, abortMs)
  throw error
}

function refused({ exchange, data }: TransferParts, reply: Reply): FtpError {
  return refusalOf(exchange, reply, data.bytes)
}

function refusalOf({ command }: Exchange, reply: Reply, bytes: number, cause?: FtpError): FtpError {
  // 550 before any byte is the answer of a server that opens the data connection first and looks later.
  const code = bytes === 0 && (reply.code === 550 || reply.code === 551) ? 'FTP_NOT_FOUND' : 'FTP_REFUSED'
  return new FtpError(code, `The server broke ${command} off: ${reply.toString()}`, {
    phase: 'final-reply',
    command,
    reply: reply.toJSON(),
    bytes,
    cause,
  })
}

/** This end gives up although the data have ended. A reset from the server's end is no news any more. */
function brokenOff({ broken }: DataConnection): Promise<Broken<'data'>> {
  return new Promise((resolve) => {
    const stop = (): void => {
      const error = broken.reason as FtpError
      if (error.code !== 'FTP_DATA_CONNECTION_FAILED') resolve({ of: 'data', error })
    }
    if (broken.aborted) stop()
    else broken.addEventListener('abort', stop, { once: true })
  })
}

function outcome<T, Of extends 'data' | 'reply'>(of: Of, promise: Promise<T>): Promise<Outcome<T, Of>> {
  return promise.then(
    (value) => ({ of, value }),
    (error: unknown) => ({ of, error: error as FtpError }),
  )
}
