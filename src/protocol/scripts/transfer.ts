/**
 * Opening a transfer: the data connection, then the command that uses it (RFC 959 §5.1.2).
 */
import type { Reply } from '../reply.ts'
import { flight, send, type DataHandle, type Script, type Step } from '../script.ts'
import { active } from './active.ts'
import { dialReply, passive, type PassiveCommand, type PassivePreferences } from './passive.ts'

/** How the data connection is opened. */
export type DataMode = ({ readonly mode: 'passive' } & PassivePreferences) | { readonly mode: 'active' }

/** What a transfer needs. */
export interface TransferRequest {
  /** RETR, STOR, NLST … */
  readonly command: Step
  /** Where to begin in the file, in bytes (REST, RFC 3659 §5); 0 undoes a marker that a failed transfer left behind. */
  readonly restart?: number | undefined
  /** Tell the server beforehand which command will come (PRET, distributed servers). */
  readonly announce?: boolean | undefined
  readonly data: DataMode
  /** A passive reply that rode in an earlier flight. */
  readonly passiveReply?: { readonly reply: Reply; readonly by: PassiveCommand } | undefined
}

/** A transfer that has begun. */
export interface Opening {
  readonly data: DataHandle
  /** The first reply to the transfer command: preliminary, or already the last one. */
  readonly reply: Reply
  /** Which passive command worked. */
  readonly by: PassiveCommand | undefined
}

/**
 * Opens the data connection and sends the transfer command, together with the connection's SYN where
 * pipelining is on. REST comes right before the command: some servers forget it at anything else.
 */
export function* openTransfer(request: TransferRequest): Script<Opening> {
  const { command, restart, announce = false } = request
  if (announce) yield* send('PRET', `${command.verb} ${textOf(command.argument)}`.trimEnd())
  const { data, by } = yield* openData(request, () => setMarker(restart))
  const [reply] = yield* flight(command)
  return { data, by, reply: reply as Reply }
}

/**
 * REST comes after the passive reply and before the connection: some servers forget it at PASV, and one
 * (pyftpdlib) wants no TLS on the connection before the transfer command.
 */
function* setMarker(restart: number | undefined): Script<void> {
  if (restart === undefined) return
  yield* send('REST', String(restart), () => ({
    advice: 'the server cannot resume; nothing was transferred',
  }))
}

function* openData(
  { data, passiveReply }: TransferRequest,
  before: () => Script<void>,
): Script<{ data: DataHandle; by: PassiveCommand | undefined }> {
  if (data.mode === 'active') {
    const handle = yield* active()
    yield* before()
    return { data: handle, by: undefined }
  }
  if (passiveReply === undefined) return yield* passive(data, before)
  yield* before()
  return { data: yield* dialReply(passiveReply.reply, data), by: passiveReply.by }
}

function textOf(argument: Step['argument']): string {
  return argument === undefined
    ? ''
    : typeof argument === 'string'
      ? argument
      : Buffer.from(argument).toString('latin1')
}
