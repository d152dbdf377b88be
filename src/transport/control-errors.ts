/**
 * The errors of the control connection. None of them shows a secret that was sent, also where a server quotes it.
 */
import { FtpError, type FtpPhase, type ReplySummary } from '../errors.ts'
import { redactSecrets } from '../protocol/escape.ts'
import { Reply } from '../protocol/reply.ts'

/** What was going on when an error arose. */
export interface ErrorContext {
  readonly phase: FtpPhase
  /** The command that was being answered, as it may be shown. */
  readonly command: string | undefined
  /** Whatever must not be shown. */
  readonly secrets: ReadonlySet<string>
}

/** The error with what was going on, and without secrets. */
export function inContext(error: unknown, { phase, command, secrets }: ErrorContext): FtpError {
  if (!(error instanceof FtpError))
    return new FtpError('FTP_BAD_REPLY', 'A reply could not be read.', { phase, command, cause: error })
  return rebuilt(error, { phase, command, secrets })
}

/** The same error where it shows no secret, else one like it. */
export function withoutSecrets(error: unknown, secrets: ReadonlySet<string>): unknown {
  if (!(error instanceof FtpError)) return error
  const shown = `${error.message} ${error.reply?.text ?? ''}`
  return redactSecrets(shown, secrets) === shown ? error : rebuilt(error, { secrets })
}

function rebuilt(error: FtpError, { phase, command, secrets }: Partial<ErrorContext>): FtpError {
  const { code, message, kind, cause, bytes, expected } = error
  return new FtpError(code, redactSecrets(message, secrets ?? []), {
    phase: error.phase ?? phase,
    command: error.command ?? command,
    reply: redactedSummary(error.reply, secrets ?? new Set()),
    kind,
    cause,
    bytes,
    expected,
  })
}

/** The reply with `***` for each secret in it. */
export function redactedReply(reply: Reply, secrets: ReadonlySet<string>): Reply {
  if (secrets.size === 0) return reply
  const lines = reply.lines.map((line) => redactSecrets(line, secrets))
  return new Reply(reply.code, lines)
}

function redactedSummary(
  reply: ReplySummary | undefined,
  secrets: ReadonlySet<string>,
): ReplySummary | undefined {
  return reply === undefined ? undefined : { code: reply.code, text: redactSecrets(reply.text, secrets) }
}

/** The socket failed. */
export function connectionFailed({ phase, command }: ErrorContext, cause: Error): FtpError {
  return new FtpError('FTP_CONNECTION_CLOSED', `The control connection failed: ${cause.message}`, {
    phase,
    command,
    cause,
  })
}

/** The server ended the connection. */
export function connectionClosed({ phase, command }: ErrorContext): FtpError {
  const during = command === undefined ? '' : ` before it answered ${command}`
  return new FtpError('FTP_CONNECTION_CLOSED', `The server closed the control connection${during}.`, {
    phase,
    command,
  })
}

/** The deadline has passed. */
export function unanswered({ phase, command }: ErrorContext): FtpError {
  return new FtpError('FTP_TIMEOUT', `The server did not answer ${command ?? 'a command'} in time.`, {
    phase,
    command,
  })
}

/** A reply, or part of one, that nobody had asked for; between the 234 and the handshake it is CVE-2021-22947. */
export function unasked(what: string, awaitingTls: boolean): FtpError {
  return awaitingTls
    ? new FtpError(
        'FTP_TLS_INJECTION',
        'The server sent bytes in the clear behind its answer to AUTH TLS; somebody may be in between.',
        { phase: 'tls' },
      )
    : new FtpError(
        'FTP_UNEXPECTED_REPLY',
        `The server sent ${what} when nothing was asked; the connection is out of step and was ended.`,
      )
}

/** A reply that has no arrow in the diagram of its command. */
export function outOfStep(command: string, reply: Reply): FtpError {
  return new FtpError(
    'FTP_UNEXPECTED_REPLY',
    `The server answered ${command} with a reply that cannot follow it: ${reply.toString()}`,
    { phase: 'reply', command, reply: reply.toJSON() },
  )
}

/** 1yz without end. */
export function tooManyReplies(command: string, reply: Reply): FtpError {
  return new FtpError(
    'FTP_TOO_MANY_REPLIES',
    `The server answered ${command} with one preliminary reply after another.`,
    { phase: 'reply', command, reply: reply.toJSON() },
  )
}

/** 421, which may come at any moment. */
export function serviceUnavailable(reply: Reply): FtpError {
  return new FtpError('FTP_SERVICE_UNAVAILABLE', `The server ended the session: ${reply.toString()}`, {
    phase: 'reply',
    reply: reply.toJSON(),
  })
}

/** The server wants a secret, and there is nobody to ask for it. */
export function secretMissing(what: 'password' | 'account', reply: Reply): FtpError {
  const [code, noun, options] =
    what === 'password'
      ? (['FTP_PASSWORD_REQUIRED', 'a password', 'password or onPassword'] as const)
      : (['FTP_ACCOUNT_REQUIRED', 'an account', 'account or onAccount'] as const)
  return new FtpError(code, `The server asks for ${noun}: give the option ${options}.`, {
    phase: 'login',
    reply: reply.toJSON(),
  })
}
