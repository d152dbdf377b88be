/**
 * The caller's own functions: what they throw comes out as an error of this library, and never ends the process.
 */
import { FtpError } from '../errors.ts'

/** The caller's own callback failed. */
export function callbackFailed(name: string, cause: unknown): FtpError {
  return new FtpError('FTP_ABORTED', `The callback ${name} failed.`, { phase: 'local', cause })
}

/** The same function, whose exceptions are errors of this library. */
export function guardedCall<A extends unknown[], R>(
  name: string,
  call: ((...args: A) => R) | undefined,
): ((...args: A) => R) | undefined {
  if (call === undefined) return undefined
  return (...args) => {
    try {
      return call(...args)
    } catch (cause) {
      throw callbackFailed(name, cause)
    }
  }
}

/** Tells somebody who only watches; that it failed, at once or in a promise that it gives, is told to `onFailure`. */
export function tell(name: string, call: () => unknown, onFailure: (error: FtpError) => void): void {
  try {
    const answer = call()
    if (answer instanceof Promise) answer.catch((cause: unknown) => onFailure(callbackFailed(name, cause)))
  } catch (cause) {
    onFailure(callbackFailed(name, cause))
  }
}
