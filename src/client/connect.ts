/**
 * Opening a session.
 */
import { FtpError } from '../errors.ts'
import { planFor } from '../protocol/plan.ts'
import { walk } from '../protocol/scripts/walk.ts'
import { parseFtpUrl } from '../protocol/url.ts'
import { credentialsFor } from './credentials.ts'
import type { LinkTarget } from './link-request.ts'
import { settingsOf, splitOptions, type FtpOptions, type OperationOptions, type Settings } from './options.ts'
import type { FtpSession } from './session.ts'
import { operationSignal } from './turn-queue.ts'

/** A server and a login, where no URL names them. */
export interface FtpEndpoint {
  /** A host name or an address, without brackets. */
  readonly host: string
  /** Default 21, or 990 with implicit TLS. */
  readonly port?: number
  /** Default `anonymous`. */
  readonly user?: string
  /** Default: the options `password` and `onPassword`. */
  readonly password?: string
  /** Default: the options `account` and `onAccount`. */
  readonly account?: string
}

/**
 * Connects, logs in, and goes to the directory that a URL's path names.
 *
 * @throws FtpError `FTP_INVALID_URL`, `FTP_INVALID_OPTION`, `FTP_CONNECT_FAILED`, `FTP_TIMEOUT`,
 * `FTP_LOGIN_REFUSED`, `FTP_TLS_REQUIRED`, `FTP_TLS_CERT_INVALID`, `FTP_NOT_FOUND` for the directory.
 * @example
 * const session = await connect('ftp://joe@ftp.example.com/', { password })
 */
export async function connect(
  target: string | URL | FtpEndpoint,
  options: FtpOptions & OperationOptions = {},
): Promise<FtpSession> {
  const { own, rest } = splitOptions(options, ['signal', 'timeoutMs'])
  const settings = settingsOf(rest)
  const { link, directories } = isEndpoint(target)
    ? { link: endpointTarget(target, settings), directories: [] }
    : urlTarget(target, settings)
  const { signal, release } = operationSignal(own)
  try {
    const { FtpSession, SessionLink } = await import('./sessions.ts')
    const session = await SessionLink.open(link, settings, signal)
    try {
      if (directories.length > 0) {
        const replies = await session.current.prepare(
          [...walk(directories), { verb: 'PWD', optional: true }],
          signal,
        )
        session.directory = session.current.pathOf(replies.at(-1))
      }
    } catch (error) {
      await session.close()
      throw error
    }
    session.rest()
    return new FtpSession(session)
  } finally {
    release()
  }
}

function urlTarget(
  url: string | URL,
  settings: Settings,
): { link: LinkTarget; directories: readonly string[] } {
  const { limits, allowPorts, encoding } = settings
  const target = parseFtpUrl(url, { limits, allowPorts, encoding })
  if (target.name !== '') {
    throw new FtpError('FTP_INVALID_URL', 'The URL of a session names a directory: end it with a slash.', {
      phase: 'arguments',
    })
  }
  const tls = target.protocol === 'ftps' ? 'implicit' : settings.tls
  const { directories } = planFor(target, settings)
  return {
    link: { host: target.host, port: target.port, tls, credentials: credentialsFor(target, settings) },
    directories,
  }
}

function endpointTarget(endpoint: FtpEndpoint, settings: Settings): LinkTarget {
  const { host, port = settings.tls === 'implicit' ? 990 : 21, user, password, account } = endpoint
  if (typeof host !== 'string' || host === '' || /[\s/@\u0000-\u001f]/.test(host))
    throw new FtpError('FTP_INVALID_ARGUMENT', 'The host is not a name or an address.', {
      phase: 'arguments',
    })
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new FtpError('FTP_INVALID_ARGUMENT', 'The port is not a number from 1 to 65535.', {
      phase: 'arguments',
    })
  const credentials = credentialsFor(
    { user, password },
    account === undefined ? settings : { ...settings, account },
  )
  return { host, port, tls: settings.tls, credentials }
}

function isEndpoint(target: string | URL | FtpEndpoint): target is FtpEndpoint {
  return typeof target === 'object' && target !== null && !(target instanceof URL) && 'host' in target
}
