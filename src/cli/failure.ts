/** What goes wrong on this side of the library: its message is one line, its exit code is chosen here. */
import type { FtpError } from '../index.ts'
import { EXIT, type ExitCode } from './exit-code.ts'

/** A failure that the command line finds itself. */
export class Failure extends Error {
  readonly exitCode: ExitCode
  /** The command whose help would have told. */
  readonly command: string | undefined

  constructor(exitCode: ExitCode, message: string, command?: string) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
    this.command = command
  }
}

/** The command was called in a way that it cannot be. */
export function usageError(message: string, command?: string): Failure {
  return new Failure(EXIT.usage, message, command)
}

/** The library wraps what its callbacks throw, such as that no password was typed: the failure itself says more. */
export function ownFailure(error: unknown): unknown {
  return isFtpError(error) && error.cause instanceof Failure ? error.cause : error
}

/** True for the library's own errors. */
export function isFtpError(error: unknown): error is FtpError {
  return error instanceof Error && error.name === 'FtpError' && 'code' in error
}
