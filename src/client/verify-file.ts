/**
 * Whether a local file is the server's, by its size and its hash.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { FtpError } from '../errors.ts'
import { aborted } from '../transport/open-socket.ts'
import type { RemoteHash } from './remote-hash.ts'

/** What is compared: the sizes; the hashes too; whichever the server offers. */
export type Verification = 'size' | 'hash' | 'auto'

/** What the server says of its file. */
export interface Remote {
  readonly size: number | undefined
  readonly hash: () => Promise<RemoteHash | undefined>
}

/**
 * Resolves to whether hashes were compared.
 *
 * @throws FtpError `FTP_SIZE_MISMATCH`, `FTP_HASH_MISMATCH`; `FTP_NOT_SUPPORTED` where the server has no hash that
 * was asked for; `FTP_LOCAL_FILE` where the file cannot be read.
 */
export async function verifyFile(
  path: string,
  bytes: number,
  remote: Remote,
  verify: Verification,
  signal: AbortSignal,
): Promise<boolean> {
  if (remote.size !== undefined && bytes !== remote.size)
    throw new FtpError('FTP_SIZE_MISMATCH', `${bytes} bytes came, the server's size is ${remote.size}.`, {
      phase: 'data',
      bytes,
      expected: remote.size,
    })
  if (verify === 'size') {
    // Without a number ftp-srv answers SIZE of an empty file (213 and the words of the RFC).
    if (remote.size !== undefined || bytes === 0) return false
    throw new FtpError(
      'FTP_NOT_SUPPORTED',
      "The server gave no number for the size; verify: 'hash' may do.",
      {
        phase: 'final-reply',
      },
    )
  }
  const theirs = await remote.hash()
  if (theirs === undefined) {
    if (verify === 'auto') return false
    throw new FtpError('FTP_NOT_SUPPORTED', 'The server computes no hash (HASH, XSHA256, XMD5).', {
      phase: 'final-reply',
    })
  }
  if ((await hashOf(path, theirs.algorithm, signal)) === theirs.digits) return true
  throw new FtpError(
    'FTP_HASH_MISMATCH',
    `The file that came has another ${theirs.algorithm} than the server's.`,
    { phase: 'final-reply' },
  )
}

async function hashOf(path: string, algorithm: string, signal: AbortSignal): Promise<string> {
  const hash = createHash(algorithm)
  try {
    await pipeline(createReadStream(path), hash, { signal })
  } catch (cause) {
    if (signal.aborted) throw aborted(signal.reason)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new FtpError('FTP_LOCAL_FILE', `Cannot read ${path}: ${why}`, { phase: 'local', cause })
  }
  return hash.digest('hex')
}
