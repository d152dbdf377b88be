/**
 * TLS for both connections: one set of options, one session store for each control connection, one check of
 * the server's identity.
 */
import net from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { FtpError } from '../errors.ts'
import { Deadline } from './deadline.ts'
import { heeding } from './heed-signal.ts'
import type { TransportSettings } from './settings.ts'

/** The newest session of one control connection and its data connections; never shared with another. */
export class TlsSessions {
  #newest: Buffer | undefined

  /** What the next data connection offers: servers may demand that it resumes the control session. */
  get newest(): Buffer | undefined {
    return this.#newest
  }

  /** In TLS 1.3 every ticket serves once, so each one that comes is taken, from data connections too. */
  watch(socket: tls.TLSSocket): void {
    socket.on('session', (session) => {
      this.#newest = session
    })
  }
}

/** What `tls.connect` gets: a copy of the caller's options under our own rules. */
export function tlsOptionsFor(settings: TransportSettings): tls.ConnectionOptions {
  const { host, tlsOptions } = settings
  const servername = net.isIP(host) === 0 ? host.replace(/\.$/, '') : ''
  const { checkServerIdentity, ...given } = tlsOptions
  return {
    minVersion: 'TLSv1.2',
    ...given,
    host,
    // RFC 6066 §3 allows no address here; the empty name keeps Node from sending one.
    servername: given.servername ?? servername,
    // Only the literal false switches the check off; 0, '' and undefined do not.
    rejectUnauthorized: given.rejectUnauthorized !== false,
    // Data connections are dialled by address: the name to check is always that of the control connection.
    checkServerIdentity: (_, certificate) =>
      (typeof checkServerIdentity === 'function' ? checkServerIdentity : tls.checkServerIdentity)(
        given.servername ?? host,
        certificate,
      ),
  }
}

/** What a handshake needs beside the raw connection. */
export interface Handshake {
  readonly settings: TransportSettings
  readonly sessions: TlsSessions
  readonly purpose: 'control' | 'data'
}

/** Begins TLS on `raw`; the promise settles when the server is known to be the right one. */
export function beginTls(
  raw: Duplex,
  handshake: Handshake,
): { readonly socket: tls.TLSSocket; readonly secured: Promise<void> } {
  const options = connectOptions(handshake)
  const socket = tls.connect({ ...options, socket: raw })
  handshake.sessions.watch(socket)
  return { socket, secured: secured(socket, raw, options, handshake.settings.timeouts.tls) }
}

/**
 * Makes the function that dials and begins TLS in one go. Only such a socket reads into our own memory
 * (`onread`): Node drops that option where TLS begins on a socket that stands already.
 */
export function tlsDialler(handshake: Handshake): {
  readonly dial: (options: net.NetConnectOpts) => tls.TLSSocket
  readonly secured: (socket: tls.TLSSocket) => Promise<void>
} {
  const options = connectOptions(handshake)
  return {
    dial: (where) => {
      const socket = tls.connect({ ...options, ...(where as tls.ConnectionOptions) })
      handshake.sessions.watch(socket)
      return socket
    },
    secured: (socket) => secured(socket, socket, options, handshake.settings.timeouts.tls),
  }
}

function connectOptions({ settings, sessions, purpose }: Handshake): tls.ConnectionOptions {
  const session = purpose === 'data' ? sessions.newest : undefined
  return { ...tlsOptionsFor(settings), ...(session === undefined ? {} : { session }) }
}

function secured(
  socket: tls.TLSSocket,
  raw: Duplex,
  options: tls.ConnectionOptions,
  ms: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: FtpError): void => {
      deadline.clear()
      socket.off('error', onError).off('close', onClose).off('secureConnect', onSecure)
      if (error === undefined) return resolve()
      socket.on('error', () => undefined).destroy()
      raw.destroy()
      reject(error)
    }
    const deadline = new Deadline(() =>
      settle(new FtpError('FTP_TIMEOUT', `The TLS handshake took longer than ${ms} ms.`, { phase: 'tls' })),
    )
    const onError = (error: Error): void => settle(tlsError(error))
    const onClose = (): void =>
      settle(
        new FtpError('FTP_TLS_FAILED', 'The server closed the connection during the TLS handshake.', {
          phase: 'tls',
        }),
      )
    const onSecure = (): void => settle(identityProblem(socket, options))
    deadline.set(ms)
    socket.once('error', onError).once('close', onClose).once('secureConnect', onSecure)
  })
}

/** Node skips the check of the name on a resumed session: do it here. */
function identityProblem(socket: tls.TLSSocket, options: tls.ConnectionOptions): FtpError | undefined {
  if (options.rejectUnauthorized === false || !socket.isSessionReused()) return undefined
  const certificate = socket.getPeerCertificate()
  if (Object.keys(certificate).length === 0) return undefined
  const problem = options.checkServerIdentity?.('', certificate)
  return problem === undefined ? undefined : tlsError(problem)
}

/** The ftpwire error for an error of Node's TLS. */
export function tlsError(cause: Error): FtpError {
  if (cause instanceof FtpError) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  const details = { phase: 'tls', cause } as const
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new FtpError(
      'FTP_TLS_CERT_ALTNAME_INVALID',
      `The server's certificate is for another host: ${cause.message}`,
      details,
    )
  }
  if (/CERT|ISSUER|SELF_SIGNED|UNABLE_TO|CRL|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/.test(code)) {
    return new FtpError(
      'FTP_TLS_CERT_INVALID',
      `The server's certificate is not trusted (${code}): ${cause.message}. Give its authority as tlsOptions.ca.`,
      details,
    )
  }
  return new FtpError('FTP_TLS_FAILED', `TLS failed: ${cause.message}`, details)
}

/** Begins TLS before the first byte, and waits until the server is known to be the right one. */
export async function securedAtOnce(
  raw: Duplex,
  settings: TransportSettings,
  sessions: TlsSessions,
  signal: AbortSignal,
): Promise<tls.TLSSocket> {
  raw.on('error', () => undefined)
  const { socket, secured } = beginTls(raw, { settings, sessions, purpose: 'control' })
  await heeding(signal, (error) => raw.destroy(error), secured)
  return socket
}
