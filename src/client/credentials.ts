/**
 * Who logs in for a URL (RFC 1738 §3.2.1).
 */
import type { Credentials } from '../protocol/scripts/login.ts'
import type { FtpTarget } from '../protocol/url.ts'
import type { Settings } from './options.ts'

/** The URL's own user and password; `anonymous` and the e-mail address where it names nobody. */
export function credentialsFor(
  { user, password }: Pick<FtpTarget, 'user' | 'password'>,
  settings: Settings,
): Credentials {
  const { account, email } = settings
  if (password === undefined && (user === undefined || user.toLowerCase() === 'anonymous')) {
    return { user: user ?? 'anonymous', password: email, account, anonymous: true }
  }
  return { user: user ?? 'anonymous', password: password ?? settings.password, account, anonymous: false }
}
