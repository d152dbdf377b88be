/**
 * The errors of the data connection.
 */
import { FtpError } from '../errors.ts'
import { tlsError } from './tls.ts'

/** The connection failed, or went without an end. */
export function broken(cause: Error | undefined, bytes: number): FtpError {
  const how = cause === undefined ? 'broke off.' : `failed: ${cause.message}`
  return new FtpError('FTP_DATA_CONNECTION_FAILED', `The data connection ${how}`, {
    phase: 'data',
    bytes,
    cause,
  })
}

/** TLS, or the TCP connection beneath it, failed. */
export function tlsOrBroken(cause: Error, bytes: number): FtpError {
  return 'code' in cause && /^(?:ECONN|EPIPE|ETIMEDOUT)/.test(String(cause.code))
    ? broken(cause, bytes)
    : tlsError(cause)
}

/** Nothing moved for too long. */
export function stalled(ms: number, bytes: number): FtpError {
  return new FtpError('FTP_TIMEOUT', `No data came for ${ms} ms.`, { phase: 'data', bytes })
}

/** More than the caller allows. */
export function tooMuchData(limit: number, bytes: number): FtpError {
  return new FtpError(
    'FTP_TOO_MUCH_DATA',
    `The server sent more than ${limit} bytes; see the option limits.`,
    {
      phase: 'data',
      bytes,
    },
  )
}

/** Whoever takes the data threw. */
export function receiverFailed(error: unknown): FtpError {
  if (error instanceof FtpError) return error
  return new FtpError('FTP_LOCAL_FILE', 'The receiver of the data failed.', { phase: 'local', cause: error })
}

/** For what was still under way when the connection was no longer needed. */
export function over(): FtpError {
  return new FtpError('FTP_CLOSED', 'The data connection is over.', { phase: 'close' })
}
