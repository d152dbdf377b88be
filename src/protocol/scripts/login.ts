/**
 * Logging in: USER, PASS where it is asked for, ACCT where it is asked for (RFC 959 §5.4).
 */
import { FtpError } from '../../errors.ts'
import type { Reply } from '../reply.ts'
import { ask, attempt, flight, judge, query, refusal, type Script, type Step } from '../script.ts'

/** Who logs in. A secret that is not given is asked for, and only if the server wants it. */
export interface Credentials {
  readonly user: string
  readonly password?: string | undefined
  readonly account?: string | undefined
  /** The password is only an e-mail address, which any server may see. */
  readonly anonymous: boolean
}

/** How much may be sent before what precedes it has been answered. */
export type Pipelining = 'auto' | 'full' | 'off'

const refused: NonNullable<Step['refused']> = () => ({
  code: 'FTP_LOGIN_REFUSED',
  advice: 'check the user and the password',
})

/**
 * Logs in and sends `rest` with the last command of the login where that is allowed.
 * Gives the replies to `rest`.
 */
export function* login(
  who: Credentials,
  pipelining: Pipelining,
  rest: readonly Step[] = [],
): Script<readonly Reply[]> {
  const user: Step = { verb: 'USER', argument: who.user, refused }
  const rides = pipelining === 'full' || (pipelining === 'auto' && who.anonymous)
  if (rides && who.password !== undefined)
    return yield* loginAhead(user, { ...who, password: who.password }, rest)
  const reply = yield* query(user.verb, user.argument)
  if (reply.kind === 'refusal') throw refusal(user, reply)
  if (reply.kind === 'completion') return yield* flight(...rest)
  if (reply.code === 332) return yield* sendAccount(who, reply, rest)
  const password = who.password ?? (yield* ask('password', reply))
  const pass: Step = { verb: 'PASS', argument: password, refused }
  const together = pipelining === 'off' ? [] : rest
  const [answer, ...others] = yield* attempt(pass, ...together)
  return yield* afterPass(pass, answer, who, rest, pipelining === 'off' ? undefined : others)
}

/** USER and PASS in one flight. A server that wants no password answers PASS with 202, 230 or 503: let it pass. */
function* loginAhead(
  user: Step,
  who: Credentials & { password: string },
  rest: readonly Step[],
): Script<readonly Reply[]> {
  const pass: Step = { verb: 'PASS', argument: who.password, refused }
  const [toUser, toPass, ...others] = yield* attempt(user, pass, ...rest)
  if (toUser === undefined) return []
  if (toUser.kind === 'refusal') throw refusal(user, toUser)
  if (toUser.kind === 'completion') return judge(rest, others)
  if (toUser.code === 332) return yield* sendAccount(who, toUser, rest)
  return yield* afterPass(pass, toPass, who, rest, others)
}

/** `others`: the replies to `rest`, if it rode along. */
function* afterPass(
  pass: Step,
  reply: Reply | undefined,
  who: Credentials,
  rest: readonly Step[],
  others: readonly Reply[] | undefined,
): Script<readonly Reply[]> {
  if (reply === undefined) return []
  if (reply.kind === 'refusal') throw refusal(pass, reply)
  if (reply.kind === 'intermediate') {
    // After PASS the only question left is the account; a second password is never sent.
    if (reply.code !== 332) throw unexpected(reply)
    return yield* sendAccount(who, reply, rest)
  }
  return others === undefined ? yield* flight(...rest) : judge(rest, others)
}

function* sendAccount(who: Credentials, wanted: Reply, rest: readonly Step[]): Script<readonly Reply[]> {
  const account = who.account ?? (yield* ask('account', wanted))
  const [, ...others] = yield* flight({
    verb: 'ACCT',
    argument: account,
    refused: () => ({ code: 'FTP_LOGIN_REFUSED' }),
  })
  return others.length === 0 ? yield* flight(...rest) : others
}

function unexpected(reply: Reply): FtpError {
  return new FtpError('FTP_UNEXPECTED_REPLY', `The server answered PASS out of step: ${reply.toString()}`, {
    phase: 'login',
    command: 'PASS ***',
    reply: reply.toJSON(),
  })
}
