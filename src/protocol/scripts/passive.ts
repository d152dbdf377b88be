/**
 * Opening the data connection from this end: PASV (RFC 959) or EPSV (RFC 2428).
 */
import { FtpError } from '../../errors.ts'
import { BAD_PORTS, LOWEST_DATA_PORT } from '../limits.ts'
import { parsePassiveReply } from '../passive-reply.ts'
import type { Reply } from '../reply.ts'
import { attempt, dial, judge, type DataHandle, type Script, type Step } from '../script.ts'

/** A way to open a data connection. */
export type PassiveCommand = 'PASV' | 'EPSV'

/** What is known and wanted of passive mode. */
export interface PassivePreferences {
  /** The commands to try, best first. */
  readonly order: readonly PassiveCommand[]
  /** Whether to dial the address that a 227 claims instead of the control peer's. */
  readonly address: 'peer' | 'reply'
  /** Whether ports of other services may be dialled. */
  readonly ports: 'safe' | 'any'
}

/** A data connection that was begun, and how. */
export interface PassiveOpening {
  readonly data: DataHandle
  readonly by: PassiveCommand
}

/** The commands that suit the family of the control connection: a 227 cannot name an IPv6 address. */
export function passiveOrder(
  wish: 'auto' | 'pasv' | 'epsv',
  family: 4 | 6,
  learned?: PassiveCommand,
): readonly PassiveCommand[] {
  if (wish !== 'auto') return [wish === 'pasv' ? 'PASV' : 'EPSV']
  if (family === 6) return ['EPSV']
  return learned === 'EPSV' ? ['EPSV', 'PASV'] : ['PASV', 'EPSV']
}

/**
 * Opens a data connection by the first command that works, at most two. `before` is sent between the passive
 * reply and the connection.
 */
export function* passive(
  preferences: PassivePreferences,
  before: () => Script<void> = nothing,
): Script<PassiveOpening> {
  const [first, second] = preferences.order
  if (first === undefined) throw new FtpError('FTP_INVALID_OPTION', 'There is no passive command to try.')
  try {
    return yield* passiveBy(first, preferences, before)
  } catch (error) {
    if (second === undefined || !mayTryAnother(error, first)) throw error
    try {
      return yield* passiveBy(second, preferences, before)
    } catch (other) {
      // The second command is often unknown to the server; that the first one's port is out of reach says more.
      throw isRefused(other) && !isRefused(error) ? error : other
    }
  }
}

/** The step of a passive command, for a flight that carries it along. */
export function passiveStep(command: PassiveCommand): Step {
  return {
    verb: command,
    refused: () => ({ advice: "the server offers no passive mode; try dataMode: 'active'" }),
  }
}

/** Begins the data connection that a passive reply offers. */
export function* dialReply(reply: Reply, { address, ports }: PassivePreferences): Script<DataHandle> {
  const endpoint = parsePassiveReply(reply, ports)
  return yield* dial(endpoint.port, address === 'reply' ? endpoint.address : undefined)
}

function* passiveBy(
  command: PassiveCommand,
  preferences: PassivePreferences,
  before: () => Script<void>,
): Script<PassiveOpening> {
  let reply = yield* ask(command)
  for (let more = MOST_UNLUCKY; more > 0 && isUnlucky(reply, preferences); more--) {
    const unlucky = reply
    try {
      reply = yield* ask(command)
    } catch {
      // That the port is a forbidden one says more than how the second question failed.
      parsePassiveReply(unlucky, preferences.ports)
    }
  }
  yield* before()
  return { data: yield* dialReply(reply, preferences), by: command }
}

function* ask(command: PassiveCommand): Script<Reply> {
  const step = passiveStep(command)
  const [reply] = judge([step], yield* attempt(step))
  if (reply === undefined) {
    throw new FtpError('FTP_UNEXPECTED_REPLY', `${command} got no reply.`, { phase: 'passive' })
  }
  return reply
}

/** How often a server may hit upon a forbidden port before it is taken for intent. */
const MOST_UNLUCKY = 2

/**
 * Pure-FTPd and vsftpd draw any port from 1024 on, and once in a thousand transfers one that belongs to
 * another service: asked again, they draw another. Below 1024 nobody draws.
 */
export function isUnlucky(reply: Reply, { ports }: PassivePreferences): boolean {
  if (ports === 'any') return false
  try {
    const { port } = parsePassiveReply(reply, 'any')
    return port >= LOWEST_DATA_PORT && BAD_PORTS.has(port)
  } catch {
    return false
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof FtpError && error.code === 'FTP_REFUSED'
}

/** Refused, out of reach, or (EPSV on some NATs, curl's test 1233) a port that cannot be meant. */
function mayTryAnother(error: unknown, first: PassiveCommand): boolean {
  if (!(error instanceof FtpError)) return false
  if (error.code === 'FTP_REFUSED' || error.code === 'FTP_DATA_CONNECTION_FAILED') return true
  if (error.code === 'FTP_TIMEOUT' && error.phase === 'data-connect') return true
  return first === 'EPSV' && error.code === 'FTP_DATA_PORT_FORBIDDEN'
}

function* nothing(): Script<void> {
  // Nothing is to be sent in between.
}
