/** Any error → one line on standard error and an exit code. */
import { redactUrl } from '../index.ts'
import { EXIT, exitCodeOf, type ExitCode } from './exit-code.ts'
import { Failure, isFtpError, ownFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'
import { visibleJson } from './visible.ts'

/** How an error is told. */
export interface ReportOptions {
  readonly json: boolean
  /** What it was about, where that is not plain; its password is hidden. */
  readonly about?: string | undefined
}

/** Says what went wrong. */
export function reportError(thrown: unknown, terminal: Terminal, { json, about }: ReportOptions): ExitCode {
  const error = ownFailure(thrown)
  const exitCode = exitCodeFor(error)
  if (exitCode === EXIT.brokenPipe) return exitCode
  const message = redactUrl(messageOf(error))
  const subject = about === undefined ? undefined : redactUrl(about)
  if (json) {
    terminal.say(visibleJson({ error: { ...jsonOf(error), message, url: subject, exitCode } }))
    return exitCode
  }
  const code = isFtpError(error) ? ` (${error.code})` : ''
  const start = subject === undefined ? '' : `${subject}: `
  terminal.say(`${start}${message}${code}`, { head: 'ftpwire: ', style: 'error' })
  const command = error instanceof Failure ? error.command : undefined
  if (exitCode === EXIT.usage && error instanceof Failure) {
    terminal.say(`Try: ftpwire ${command === undefined ? '' : `${command} `}--help`)
  }
  return exitCode
}

/** The exit code alone. */
export function exitCodeFor(thrown: unknown): ExitCode {
  const error = ownFailure(thrown)
  if (error instanceof Failure) return error.exitCode
  return isFtpError(error) ? exitCodeOf(error) : EXIT.other
}

function jsonOf(error: unknown): object {
  if (!isFtpError(error)) return {}
  const { code, phase, command, reply, retryable } = error
  return { code, phase, command, reply, retryable }
}

/** Options of the library by the names that they have here. */
const OPTION_NAMES: readonly (readonly [RegExp, string])[] = [
  [/`allowPorts`/g, '--allow-port'],
  [/`?\bemptySegment\b`?/g, '--empty-segment'],
  [/`?\bonPassword\b`?/g, '--netrc'],
]

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // A reply of several lines stays one message.
  const line = text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\.)\.$/, '')
  return OPTION_NAMES.reduce((message, [pattern, name]) => message.replace(pattern, name), line)
}
