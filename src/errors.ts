/**
 * Every error that ftpwire throws is an {@link FtpError}. Its `code` is stable, its `kind` says whose
 * move it is, its message says what to do. Passwords never stand in it.
 */

/** Whose move it is after an error. */
export type FtpErrorKind =
  /** The caller asked for something that cannot be sent: nothing was. */
  | 'caller'
  /** The server said no for now (4yz, RFC 959 §4.2.1): the same request may succeed later. */
  | 'transient'
  /** The server said no for good (5yz): repeat it only changed. */
  | 'permanent'
  /** The server broke the protocol, or a limit; the connection is gone. */
  | 'protocol'
  /** A deadline passed; `phase` says which. */
  | 'timeout'
  /** The network, the TLS layer or the local file system failed. */
  | 'connection'
  /** The caller's `AbortSignal` fired, or the stream was destroyed. */
  | 'aborted'

/** What was going on when an error arose. */
export type FtpPhase =
  | 'arguments'
  | 'connect'
  | 'tls'
  | 'greeting'
  | 'login'
  | 'reply'
  | 'passive'
  | 'data-connect'
  | 'data'
  | 'final-reply'
  | 'listing'
  | 'local'
  | 'abort'
  | 'close'

/** Every code, and the kind that goes with it. The refusals (`null`) take theirs from the reply. */
const KIND_OF_CODE = {
  FTP_INVALID_ARGUMENT: 'caller',
  FTP_INVALID_URL: 'caller',
  FTP_INVALID_OPTION: 'caller',
  FTP_PASSWORD_REQUIRED: 'caller',
  FTP_ACCOUNT_REQUIRED: 'caller',
  FTP_PORT_FORBIDDEN: 'caller',
  FTP_ADDRESS_FORBIDDEN: 'caller',
  FTP_CLOSED: 'caller',
  FTP_BUSY: 'caller',
  FTP_NOT_SUPPORTED: 'permanent',
  FTP_REFUSED: null,
  FTP_LOGIN_REFUSED: null,
  FTP_NOT_FOUND: null,
  FTP_SERVICE_UNAVAILABLE: 'transient',
  FTP_BAD_REPLY: 'protocol',
  FTP_REPLY_TOO_LARGE: 'protocol',
  FTP_TOO_MANY_REPLIES: 'protocol',
  FTP_UNEXPECTED_REPLY: 'protocol',
  FTP_PREMATURE_REPLY: 'protocol',
  FTP_BAD_PASV: 'protocol',
  FTP_BAD_EPSV: 'protocol',
  FTP_DATA_PORT_FORBIDDEN: 'protocol',
  FTP_DATA_PEER_MISMATCH: 'protocol',
  FTP_SHORT_TRANSFER: 'protocol',
  FTP_SIZE_MISMATCH: 'protocol',
  FTP_HASH_MISMATCH: 'protocol',
  FTP_TOO_MUCH_DATA: 'protocol',
  FTP_LIST_LINE_TOO_LONG: 'protocol',
  FTP_LIST_TOO_LARGE: 'protocol',
  FTP_UNSAFE_NAME: 'protocol',
  FTP_TIMEOUT: 'timeout',
  FTP_CONNECT_FAILED: 'connection',
  FTP_CONNECTION_CLOSED: 'connection',
  FTP_DATA_CONNECTION_FAILED: 'connection',
  FTP_TLS_REQUIRED: 'protocol',
  FTP_TLS_FAILED: 'connection',
  FTP_TLS_CERT_INVALID: 'connection',
  FTP_TLS_CERT_ALTNAME_INVALID: 'connection',
  FTP_TLS_INJECTION: 'protocol',
  FTP_TLS_TRUNCATED: 'protocol',
  FTP_LOCAL_FILE: 'caller',
  FTP_SOURCE_FAILED: 'caller',
  FTP_ABORTED: 'aborted',
} as const satisfies Record<string, FtpErrorKind | null>

/** The stable name of an error. New ones may be added in a minor version; none changes its meaning. */
export type FtpErrorCode = keyof typeof KIND_OF_CODE

/** A list of every {@link FtpErrorCode}, for tests and documents. */
export const FTP_ERROR_CODES = Object.keys(KIND_OF_CODE) as readonly FtpErrorCode[]

/** The part of a reply that an error carries: text is escaped, never raw. */
export interface ReplySummary {
  /** The three digits. */
  readonly code: number
  /** The reply's lines without their codes, escaped for display, joined by a line feed. */
  readonly text: string
}

/** What an error can tell beside its message. */
export interface FtpErrorDetails {
  readonly phase?: FtpPhase | undefined
  /** The command that was being answered, secrets replaced by `***`. */
  readonly command?: string | undefined
  readonly reply?: ReplySummary | undefined
  readonly cause?: unknown
  /** For refusals: taken from the reply unless given. */
  readonly kind?: FtpErrorKind | undefined
  /** Bytes received or sent on the data connection before the error. */
  readonly bytes?: number | undefined
  /** Bytes that were expected, for `FTP_SHORT_TRANSFER` and `FTP_SIZE_MISMATCH`. */
  readonly expected?: number | undefined
}

/** The one class of errors that ftpwire throws. */
export class FtpError extends Error {
  override readonly name = 'FtpError'
  /** Stable, documented in `docs/errors.md`. */
  readonly code: FtpErrorCode
  /** Whose move it is. */
  readonly kind: FtpErrorKind
  /** What was going on. */
  readonly phase: FtpPhase | undefined
  /** The command that was being answered, secrets replaced by `***`. */
  readonly command: string | undefined
  /** The server's reply, escaped. */
  readonly reply: ReplySummary | undefined
  /** Bytes that had passed on the data connection. */
  readonly bytes: number | undefined
  /** Bytes that should have passed. */
  readonly expected: number | undefined

  constructor(code: FtpErrorCode, message: string, details: FtpErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.kind = details.kind ?? KIND_OF_CODE[code] ?? kindOfReply(details.reply)
    this.phase = details.phase
    this.command = details.command
    this.reply = details.reply
    this.bytes = details.bytes
    this.expected = details.expected
  }

  /** True where the same request may succeed on another try: time-outs, lost connections, short files, 4yz replies. */
  get retryable(): boolean {
    // Some servers say 226 of data that a lost connection cut short (pyftpdlib).
    if (this.code === 'FTP_SHORT_TRANSFER') return true
    return this.kind === 'transient' || this.kind === 'timeout' || this.kind === 'connection'
  }
}

function kindOfReply(reply: ReplySummary | undefined): FtpErrorKind {
  return reply !== undefined && reply.code >= 400 && reply.code < 500 ? 'transient' : 'permanent'
}
