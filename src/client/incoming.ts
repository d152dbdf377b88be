/**
 * A download under way, as the session hands it to whoever receives the bytes.
 */
import { FtpError, type ReplySummary } from '../errors.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import type { TransferEnd } from '../transport/join-transfer.ts'

/** A download that the server has agreed to. */
export interface Incoming {
  /** Bytes that are expected on this connection; undefined where the server did not tell, and for text. */
  readonly size: number | undefined
  /** More bytes than `size` are a fault too: a resumed download of too many began at the wrong place. */
  readonly exact?: boolean
  /** True where the data run through TLS. */
  readonly secure: boolean
  /** Settles when the data have ended and the server has confirmed them, or when either went wrong. */
  readonly done: Promise<TransferEnd>
}

/**
 * Starts a download. `receive` is called as soon as data may come, also before the server's first reply;
 * `text` is true for `TYPE A`, whose line ends are the network's. It is called again where an attempt that
 * brought no byte is repeated.
 */
export type OpenDownload = (
  receive: (data: DataConnection, text: boolean) => void,
  signal: AbortSignal,
) => Promise<Incoming>

/** What a download brought. */
export interface DownloadResult {
  /** Bytes that came over the data connection. */
  readonly bytes: number
  /** True where the server had told the size and exactly so many bytes came. */
  readonly verified: boolean
  /** Over TLS: whether the server ended it in order. Undefined where nobody watched, because the size vouches. */
  readonly cleanClose: boolean | undefined
  /** The server's final reply. */
  readonly reply: ReplySummary
  /** Nothing came, the data connection broke off, and the server called it complete: perhaps there was nothing. */
  readonly presumedEmpty?: true
}

/**
 * Compares what came with what was expected.
 * @throws FtpError `FTP_SHORT_TRANSFER` where bytes are missing, `FTP_TLS_TRUNCATED` where only TLS could
 * have told that none are, and did not.
 */
export function checkDownload({ size, secure, exact = false }: Incoming, end: TransferEnd): DownloadResult {
  const { bytes, cleanClose, reply } = end
  if (size !== undefined && bytes < size) {
    throw new FtpError(
      'FTP_SHORT_TRANSFER',
      `The server sent ${bytes} of ${size} bytes and called it complete.`,
      {
        phase: 'data',
        bytes,
        expected: size,
        reply: reply.toJSON(),
      },
    )
  }
  if (exact && size !== undefined && bytes > size) {
    throw new FtpError(
      'FTP_SIZE_MISMATCH',
      `The server sent ${bytes} bytes where ${size} were left: it did not begin where it was told to.`,
      { phase: 'data', bytes, expected: size },
    )
  }
  // A file that grows meanwhile is longer than its size said: the bytes are good, the proof is not.
  const verified = size === bytes
  if (secure && !verified && cleanClose === false) {
    throw new FtpError(
      'FTP_TLS_TRUNCATED',
      'The TLS data connection was cut, not ended: the data may not be whole.',
      { phase: 'data', bytes },
    )
  }
  const presumed = end.presumedEmpty === true ? { presumedEmpty: true as const } : {}
  return { bytes, verified, cleanClose, reply: reply.toJSON(), ...presumed }
}
