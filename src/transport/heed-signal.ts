/**
 * Work that ends when an AbortSignal fires.
 */
import type { FtpError } from '../errors.ts'
import { aborted } from './open-socket.ts'

/** Gives what `work` gives; `stop`, called if the signal fires before, must make it fail. */
export async function heeding<T>(
  signal: AbortSignal,
  stop: (error: FtpError) => void,
  work: Promise<T>,
): Promise<T> {
  const onAbort = (): void => stop(aborted(signal.reason))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
