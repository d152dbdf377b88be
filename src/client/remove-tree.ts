/**
 * Removing a directory on the server with all it holds.
 */
import { FtpError } from '../errors.ts'
import { isSafeThere } from './safe-name.ts'
import type { FtpSession } from './session.ts'

/**
 * Removes a directory with all it holds. Links are removed, never entered. A tree deeper than the limit
 * `depth` is left: a server may make one up that never ends.
 */
export async function removeTree(
  session: FtpSession,
  path: string,
  signal: AbortSignal,
  depth = 0,
): Promise<void> {
  const most = session.link.settings.limits.depth
  if (depth > most) {
    throw new FtpError(
      'FTP_LIST_TOO_LARGE',
      `The directory lies deeper than ${most} levels; nothing more was removed. See the option limits.`,
      { phase: 'listing' },
    )
  }
  for (const entry of await session.list(path, { signal }).toArray()) {
    // `..` or `a/b` would lead out of the tree (CVE-2018-10916).
    if (!isSafeThere(entry.name))
      throw new FtpError(
        'FTP_UNSAFE_NAME',
        `The directory ${path} holds a name that cannot be sent safely; nothing more was removed.`,
        { phase: 'listing' },
      )
    const place = `${path}/${entry.name}`
    if (entry.type === 'dir') await removeTree(session, place, signal, depth + 1)
    else await session.delete(place, { signal })
  }
  await session.rmdir(path, { signal })
}
