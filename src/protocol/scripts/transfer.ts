/**
 * Opening a transfer: the data connection, then the command that uses it (RFC 959 §5.1.2).
 */
import type { Reply } from '../reply.ts'
import { flight, send, type DataHandle, type Script, type Step } from '../script.ts'
import { active } from './active.ts'
import { dialReply, isUnlucky, passive, type PassiveCommand, type PassivePreferences } from './passive.ts'

/** How the data connection is opened. */
export type DataMode = ({ readonly mode: 'passive' } & PassivePreferences) | { readonly mode: 'active' }

/** What a transfer needs. */
export interface TransferRequest {
  /** RETR, STOR, NLST … */
  readonly command: Step
  /** Where to begin in the file, in bytes (REST, RFC 3659 §5); 0 undoes a marker that a failed transfer left behind. */
  readonly restart?: number | undefined
  /** A harmless question that rides in the packet of the transfer command (or of REST before it): SIZE. */
  readonly along?: Step | undefined
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
  /** The reply to what rode along. */
  readonly along: Reply | undefined
}

/**
 * Opens the data connection and sends the transfer command, together with the connection's SYN where
 * pipelining is on. REST comes right before the command: some servers forget it at anything else.
 */
export function* openTransfer(request: TransferRequest): Script<Opening> {
  const { command, restart, along, announce = false } = request
  // Pure-FTPd looks for the file here already: what it refuses is the transfer.
  if (announce) yield* send('PRET', announcement(command), command.refused)
  const question = along === undefined ? [] : [along]
  let answer: Reply | undefined
  const { data, by } = yield* openData(request, function* () {
    // Some servers forget REST at PASV, and pyftpdlib wants no TLS on the connection before the transfer
    // command: REST comes after the one and before the other.
    if (restart === undefined) return
    const [first] = yield* flight(...question, marker(restart))
    if (along !== undefined) answer = first
  })
  const rides = restart === undefined ? question : []
  const replies = yield* flight(...rides, command)
  return { data, by, along: rides.length > 0 ? replies[0] : answer, reply: replies.at(-1) as Reply }
}

function marker(restart: number): Step {
  return {
    verb: 'REST',
    argument: String(restart),
    refused: () => ({ advice: 'the server cannot resume; nothing was transferred' }),
  }
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
  if (passiveReply === undefined || isUnlucky(passiveReply.reply, data)) return yield* passive(data, before)
  yield* before()
  return { data: yield* dialReply(passiveReply.reply, data), by: passiveReply.by }
}

/** A name that was given as bytes goes out as these bytes. */
function announcement({ verb, argument = '' }: Step): string | Uint8Array {
  if (argument.length === 0) return verb
  return typeof argument === 'string'
    ? `${verb} ${argument}`
    : Buffer.concat([Buffer.from(`${verb} `), argument])
}
