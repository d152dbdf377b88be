/**
 * Goes where a plan says, over a link, and opens the plan's transfer.
 */
import type { FetchPlan } from '../protocol/plan.ts'
import { passiveStep } from '../protocol/scripts/passive.ts'
import { nameList, retrieve, sizeOfReply } from '../protocol/scripts/retrieve.ts'
import { represent, sizeOf, walk } from '../protocol/scripts/walk.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import type { Link } from './link.ts'
import type { StartedTransfer } from './link-request.ts'

/** What happens to the session and the data. */
export interface FetchOptions {
  readonly onData: (data: DataConnection) => void
  readonly signal: AbortSignal
  /** The session will be kept: PWD rides along to know the way back. */
  readonly keep: boolean
}

/**
 * One flight, then PASV alone, because a firewall reads a 227 only at the start of a packet, then the
 * transfer command together with the SYN.
 */
export async function fetchOver(
  link: Link,
  plan: FetchPlan,
  { onData, signal, keep }: FetchOptions,
): Promise<StartedTransfer> {
  const { action, representation } = plan
  const ask = keep && !link.loggedIn ? [{ verb: 'PWD', optional: true }] : []
  const before = [...ask, ...walk(plan.directories), ...(plan.setType ? [represent(representation)] : [])]
  const size = action.kind === 'retrieve' && representation.type === 'I' ? sizeOf(action.name) : undefined
  const first = link.passiveAhead()
  // Where nothing else is to be sent first, SIZE rides with RETR; over TLS the size must be known earlier.
  const sizeRides = size !== undefined && before.length === 0 && first === undefined && !link.pi.dataProtected
  const sizeBefore = size !== undefined && !sizeRides ? [size] : []
  const steps = [...before, ...sizeBefore, ...(first === undefined ? [] : [passiveStep(first)])]
  link.noteWalked(undefined)
  link.noteType(undefined)
  const replies = steps.length === 0 && link.loggedIn ? [] : await link.prepare(steps, signal)
  if (ask.length > 0) link.rememberLoginDirectory(replies[0])
  link.noteWalked(plan.path)
  link.noteType(representation)
  const passiveReply = first === undefined ? undefined : replies.at(-1)
  return link.transfer(
    {
      command: action.kind === 'retrieve' ? retrieve(action.name) : nameList(action.name),
      direction: 'receive',
      last: !keep,
      onData,
      size: sizeBefore.length === 0 ? undefined : sizeOfReply(replies[before.length]),
      mayBeEmpty: action.kind === 'list',
      ...(sizeRides ? { along: size } : {}),
      ...(passiveReply === undefined || first === undefined
        ? {}
        : { passiveReply: { reply: passiveReply, by: first } }),
    },
    signal,
  )
}
