/** How to come from where a session stands to another path; see {@link returnPath}. */
export type ReturnPath =
  /** The path goes on from here: only these are left to walk. */
  | { readonly kind: 'extend'; readonly directories: readonly string[] }
  /** Back to the login directory by its absolute name, then down. */
  | { readonly kind: 'absolute'; readonly directories: readonly string[] }
  /** There is no sure way back: a new connection starts in the login directory. */
  | { readonly kind: 'reconnect' }

/**
 * The way to `segments` for a session that has walked `walked` since its login directory. RFC 1630: FTP has
 * no common model of hierarchies, so that a way back (`CDUP`, `CWD ..`) cannot be deduced, and is never
 * tried, not even for a path that looks absolute.
 *
 * @param loginDirectory what `PWD` gave right after login, or `undefined` where it gave nothing.
 * @param walked the arguments of every `CWD` since then, or `undefined` where one failed or is unknown.
 */
export function returnPath(
  loginDirectory: string | undefined,
  walked: readonly string[] | undefined,
  segments: readonly string[],
): ReturnPath {
  if (walked !== undefined && walked.every((segment, index) => segment === segments[index])) {
    return { kind: 'extend', directories: segments.slice(walked.length) }
  }
  if (loginDirectory === undefined || loginDirectory === '') return { kind: 'reconnect' }
  return { kind: 'absolute', directories: [loginDirectory, ...segments] }
}
