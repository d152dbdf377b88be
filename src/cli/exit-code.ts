/** The exit codes: a script can tell from them whose fault it was, and whether another try makes sense. */
import type { FtpError, FtpErrorCode } from '../index.ts'

/** Every exit code by its name. */
export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  connect: 3,
  refused: 4,
  login: 5,
  timeout: 6,
  protocol: 7,
  local: 8,
  tls: 9,
  partial: 10,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What each exit code means, for the help and the manual. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'all is done'],
  [EXIT.other, 'something that has no code of its own'],
  [EXIT.usage, 'an option, an operand or a URL that cannot be'],
  [EXIT.connect, 'no connection, or it was lost, or the server is not available (421)'],
  [EXIT.refused, 'the server refused: no such file, no permission'],
  [EXIT.login, 'the login was refused, or nobody could be asked for the password'],
  [EXIT.timeout, 'the server took too long'],
  [EXIT.protocol, 'the server broke the protocol, or what came is not whole'],
  [EXIT.local, 'a local file could not be read or written, or is there already'],
  [EXIT.tls, 'TLS failed: refused, or the certificate is not to be trusted'],
  [EXIT.partial, 'of several files some failed and some did not'],
  [EXIT.interrupted, 'interrupted by Ctrl-C'],
  [EXIT.brokenPipe, 'whoever read the output stopped reading'],
  [EXIT.terminated, 'ended by SIGTERM'],
]

/** Codes of errors that do not go the way of their kind. */
const OF_CODE: Partial<Record<FtpErrorCode, ExitCode>> = {
  FTP_TIMEOUT: EXIT.timeout,
  FTP_PASSWORD_REQUIRED: EXIT.login,
  FTP_ACCOUNT_REQUIRED: EXIT.login,
  FTP_LOGIN_REFUSED: EXIT.login,
  FTP_SERVICE_UNAVAILABLE: EXIT.connect,
  FTP_ADDRESS_FORBIDDEN: EXIT.connect,
  FTP_LOCAL_FILE: EXIT.local,
  FTP_SOURCE_FAILED: EXIT.local,
  FTP_UNSAFE_NAME: EXIT.local,
  FTP_CLOSED: EXIT.other,
  FTP_BUSY: EXIT.other,
  FTP_ABORTED: EXIT.other,
}

/** The code of the library's errors. */
export function exitCodeOf({ code, kind, phase }: FtpError): ExitCode {
  const own = OF_CODE[code]
  if (own !== undefined) return own
  if (code.startsWith('FTP_TLS_')) return EXIT.tls
  switch (kind) {
    case 'caller':
      return EXIT.usage
    case 'transient':
    case 'permanent':
      // "Too many connections" instead of a greeting: nothing was asked for yet that could be refused.
      return phase === 'greeting' ? EXIT.connect : EXIT.refused
    case 'protocol':
      return EXIT.protocol
    case 'timeout':
      return EXIT.timeout
    case 'connection':
      return EXIT.connect
    case 'aborted':
      return EXIT.other
  }
}
