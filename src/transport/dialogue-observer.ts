/**
 * Those who watch the dialogue.
 */
import type { FtpError } from '../errors.ts'
import type { Reply } from '../protocol/reply.ts'
import { callbackFailed } from './call-back.ts'

/** Those who watch the dialogue; what they get is redacted. */
export interface DialogueObserver {
  onCommand?(command: string): void
  onReply?(reply: Reply): void
}

/**
 * The same observer, which reports when it throws: the connection must end then, for half a flight would be
 * out, or a reply untold.
 */
export function guarded(
  observer: DialogueObserver,
  onFailure: (error: FtpError) => void,
): Required<DialogueObserver> {
  const watched = (name: keyof DialogueObserver, tell: () => unknown): void => {
    try {
      const answer = tell()
      if (answer instanceof Promise) answer.catch((cause: unknown) => onFailure(callbackFailed(name, cause)))
    } catch (cause) {
      const error = callbackFailed(name, cause)
      onFailure(error)
      throw error
    }
  }
  return {
    onCommand: (command) => watched('onCommand', () => observer.onCommand?.(command)),
    onReply: (reply) => watched('onReply', () => observer.onReply?.(reply)),
  }
}
