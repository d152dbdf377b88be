/**
 * A script says in which order an exchange goes. It is a generator: its state is the line it stands on, and
 * what it needs of the world it yields as a request, which one loop (`transport/user-pi.ts`) fulfils.
 */
import { FtpError, type FtpErrorCode } from '../errors.ts'
import { describeCommand, type Command } from './commands.ts'
import type { Reply } from './reply.ts'

/** One command of a flight. */
export interface Step extends Command {
  /** A refusal of this step does not fail the flight. */
  readonly optional?: boolean
  /** What a refusal is called, and what the user can do about it. */
  readonly refused?: (reply: Reply) => { readonly code?: FtpErrorCode; readonly advice?: string }
}

/** A data connection that was begun. Scripts only hand it on. */
export interface DataHandle {
  /** The server's port, or the port that was listened on. */
  readonly port: number
}

/** Where this end listens for a data connection (active mode). */
export interface Listening {
  readonly data: DataHandle
  readonly address: string
  readonly family: 4 | 6
  readonly port: number
}

/** What a script may ask for. */
export type Request =
  /** Send the commands, together where pipelining is on, and collect a reply to each. */
  | { readonly do: 'send'; readonly flight: readonly Step[] }
  /** Begin a data connection to the control peer's port, or to `address` where the caller trusts it. */
  | { readonly do: 'dial'; readonly port: number; readonly address: string | undefined }
  /** Listen for a data connection from the control peer. */
  | { readonly do: 'listen' }
  /** Begin TLS on the control connection; there must be no unread byte (CVE-2021-22947). */
  | { readonly do: 'secure' }
  /** Ask the caller for a secret. */
  | { readonly do: 'ask'; readonly what: 'password' | 'account'; readonly reply: Reply }

/** A script that ends with a `T`. Each request's answer comes back from `yield`. */
export type Script<T> = Generator<Request, T, unknown>

/**
 * Sends a flight and gives its replies, refusals among them. Without pipelining the flight ends at the first
 * refusal of a step that is not optional, so there may be fewer replies than steps.
 */
export function* attempt(...flight: readonly Step[]): Script<readonly Reply[]> {
  if (flight.length === 0) return []
  return (yield { do: 'send', flight }) as readonly Reply[]
}

/** Sends a flight; the first refusal of a step that is not optional is thrown. */
export function* flight(...steps: readonly Step[]): Script<readonly Reply[]> {
  return judge(steps, yield* attempt(...steps))
}

/** Sends one command and gives its reply; a refusal is thrown. */
export function* send(
  verb: string,
  argument?: string | Uint8Array,
  refused?: Step['refused'],
): Script<Reply> {
  const step: Step = refused === undefined ? { verb, argument } : { verb, argument, refused }
  return only(yield* flight(step))
}

/** Sends one command and gives its reply, also a refusal. */
export function* query(verb: string, argument?: string | Uint8Array): Script<Reply> {
  return only(yield* attempt({ verb, argument }))
}

/** Begins a data connection to the server's `port`. */
export function* dial(port: number, address?: string): Script<DataHandle> {
  return (yield { do: 'dial', port, address }) as DataHandle
}

/** Listens for a data connection. */
export function* listen(): Script<Listening> {
  return (yield { do: 'listen' }) as Listening
}

/** Asks the caller for the password or the account that the server wants. */
export function* ask(what: 'password' | 'account', reply: Reply): Script<string> {
  return (yield { do: 'ask', what, reply }) as string
}

/** Throws the first refusal among the replies to `steps`, unless its step is optional. */
export function judge(steps: readonly Step[], replies: readonly Reply[]): readonly Reply[] {
  for (const [at, reply] of replies.entries()) {
    const step = steps[at]
    if (reply.kind === 'refusal' && step !== undefined && step.optional !== true) throw refusal(step, reply)
  }
  return replies
}

/** The error for a refused command. */
export function refusal(step: Step, reply: Reply): FtpError {
  const { code = 'FTP_REFUSED', advice } = step.refused?.(reply) ?? {}
  const command = describeCommand(step)
  const said = `The server refused ${command}: ${reply.toString()}`
  return new FtpError(code, advice === undefined ? said : `${said} (${advice})`, {
    phase: 'reply',
    command,
    reply: reply.toJSON(),
  })
}

function only(replies: readonly Reply[]): Reply {
  const [reply] = replies
  if (reply === undefined)
    throw new FtpError('FTP_UNEXPECTED_REPLY', 'The command got no reply.', { phase: 'reply' })
  return reply
}
