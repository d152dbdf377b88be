/**
 * Removing a directory on the server with all it holds.
 */
import { FtpError } from '../errors.ts'
import { isSafeThere } from './safe-name.ts'
import type { FtpSession } from './session.ts'

/** Removes a directory with all it holds. Links are removed, never entered. */
export async function removeTree(session: FtpSession, path: string, signal: AbortSignal): Promise<void> {
  for (const entry of await session.list(path, { signal }).toArray()) {
    // `..` or `a/b` would lead out of the tree (CVE-2018-10916).
    if (!isSafeThere(entry.name))
      throw new FtpError(
        'FTP_UNSAFE_NAME',
        `The directory ${path} holds a name that cannot be sent safely; nothing more was removed.`,
        { phase: 'listing' },
      )
    const place = `${path}/${entry.name}`
    if (entry.type === 'dir') await removeTree(session, place, signal)
    else await session.delete(place, { signal })
  }
  await session.rmdir(path, { signal })
}
