/**
 * Which names from a server may be used, where.
 */
import { isSafeName } from '../listing/index.ts'

/** As the name of a local file or folder on this system. */
export function isSafeHere(name: string): boolean {
  // Node writes an octet that is no text as U+FFFD: two such names would become one.
  return isSafeName(name, { windows: process.platform === 'win32' }) && !/\p{Surrogate}/u.test(name)
}

/** As one step of a path on the server: it leads to what was listed, and nowhere else (CVE-2018-10916). */
export function isSafeThere(name: string): boolean {
  return isSafeName(name, { windows: false })
}
