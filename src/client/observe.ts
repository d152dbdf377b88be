/**
 * Those who watch: the callers' callbacks, `diagnostics_channel` and NODE_DEBUG. All of them see secrets as `***`.
 */
import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import type { DialogueObserver } from '../transport/control-connection.ts'
import type { Settings } from './options.ts'

const commands = channel('ftpwire:command')
const replies = channel('ftpwire:reply')
const transfers = channel('ftpwire:transfer')
const debug = debuglog('ftpwire')

/** The observer of one control connection. */
export function observerOf(
  { onCommand, onReply }: Pick<Settings, 'onCommand' | 'onReply'>,
  endpoint?: string,
): DialogueObserver {
  return {
    onCommand: (command) => {
      debug('> %s', command)
      if (commands.hasSubscribers) commands.publish({ endpoint, command })
      return onCommand?.(command)
    },
    onReply: (reply) => {
      if (debug.enabled) debug('< %s', reply.toString())
      if (replies.hasSubscribers) replies.publish({ endpoint, reply: reply.toJSON() })
      return onReply?.(reply)
    },
  }
}

/** What `ftpwire:transfer` publishes: one message at the start of a transfer, one at its end. */
export interface TransferMessage {
  /** `host:port`. */
  readonly endpoint: string
  /** The transfer command, such as `RETR name`. */
  readonly command: string
  /** Equal for both messages of one transfer. */
  readonly id: number
  /** `error` is the end of a transfer that failed. */
  readonly event: 'start' | 'end' | 'error'
  /** Bytes on the data connection, at the end. */
  readonly bytes?: number
  /** From the start of the transfer to this message, in milliseconds. */
  readonly durationMs?: number
  /** Why it failed. */
  readonly error?: unknown
}

let lastId = 0

/** Tells the start of a transfer, and its end when `done` settles. */
export function observeTransfer(
  endpoint: string,
  command: string,
  done: Promise<{ readonly bytes: number }>,
): void {
  if (!transfers.hasSubscribers) return
  const id = ++lastId
  const begun = performance.now()
  const publish = (message: Omit<TransferMessage, 'endpoint' | 'command' | 'id'>): void =>
    transfers.publish({ endpoint, command, id, ...message } satisfies TransferMessage)
  publish({ event: 'start' })
  done.then(
    ({ bytes }) => publish({ event: 'end', bytes, durationMs: performance.now() - begun }),
    (error: unknown) => publish({ event: 'error', error, durationMs: performance.now() - begun }),
  )
}
