/**
 * Those who watch: the callers' callbacks, `diagnostics_channel` and NODE_DEBUG. All of them see secrets as `***`.
 */
import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import type { DialogueObserver } from '../transport/control-connection.ts'
import type { Settings } from './options.ts'

const commands = channel('ftpwire:command')
const replies = channel('ftpwire:reply')
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
      onCommand?.(command)
    },
    onReply: (reply) => {
      debug('< %s', reply.toString())
      if (replies.hasSubscribers) replies.publish({ endpoint, reply: reply.toJSON() })
      onReply?.(reply)
    },
  }
}
