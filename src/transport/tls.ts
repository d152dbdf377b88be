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
  #certificate: tls.PeerCertificate | undefined

  /** What the next data connection offers: servers may demand that it resumes the control session. */
  get newest(): Buffer | undefined {
    return this.#newest
  }

  /** The certificate that these sessions began with: a resumed handshake shows none. */
  get certificate(): tls.PeerCertificate | undefined {
    return this.#certificate
  }

  /** Remembers whose sessions these are. */
  remember(socket: tls.TLSSocket): void {
    if (!socket.isSessionReused()) this.#certificate = socket.getPeerCertificate()
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
  // A session of another connection vouches for nobody; where to connect to is not for these options to say.
  const { checkServerIdentity, session: _session, socket: _socket, path: _path, ...given } = tlsOptions
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
      identityProblem(
        typeof checkServerIdentity === 'function' ? checkServerIdentity : tls.checkServerIdentity,
        given.servername ?? host,
        certificate,
      ),
  }
}

/** Node calls this from within its own code, where an exception would end the process. */
function identityProblem(
  check: typeof tls.checkServerIdentity,
  host: string,
  certificate: tls.PeerCertificate,
): Error | undefined {
  let problem: unknown
  try {
    problem = check(host, certificate)
  } catch (thrown) {
    problem = thrown
  }
  if (problem === undefined || problem === null || problem instanceof Error) return problem ?? undefined
  // A promise, perhaps: whatever it will say comes too late.
  Promise.resolve(problem).catch(() => undefined)
  return new TypeError('checkServerIdentity must return undefined or an Error, at once')
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
  return { socket, secured: secured(socket, raw, options, handshake) }
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
    secured: (socket) => secured(socket, socket, options, handshake),
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
  { settings, sessions }: Handshake,
): Promise<void> {
  const ms = settings.timeouts.tls
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
    const onSecure = (): void =>
      settle(protocolProblem(socket, options) ?? peerProblem(socket, options, sessions))
    deadline.set(ms)
    socket.once('error', onError).once('close', onClose).once('secureConnect', onSecure)
  })
}

/** A server that was led here from another protocol may select that one (ALPACA). */
function protocolProblem(
  socket: tls.TLSSocket,
  { ALPNProtocols }: tls.ConnectionOptions,
): FtpError | undefined {
  const selected = socket.alpnProtocol
  if (typeof selected !== 'string' || !Array.isArray(ALPNProtocols) || ALPNProtocols.includes(selected))
    return undefined
  return new FtpError('FTP_TLS_FAILED', 'The server selected a protocol that was not offered.', {
    phase: 'tls',
  })
}

/** Node skips the check of the name on a resumed session: do it here. */
function peerProblem(
  socket: tls.TLSSocket,
  options: tls.ConnectionOptions,
  sessions: TlsSessions,
): FtpError | undefined {
  sessions.remember(socket)
  const { certificate } = sessions
  if (options.rejectUnauthorized === false || !socket.isSessionReused() || certificate === undefined)
    return undefined
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
  const hint = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)
    ? " (Nobody speaks TLS at this port at once: is it tls: 'explicit'?)"
    : ''
  return new FtpError('FTP_TLS_FAILED', `TLS failed: ${cause.message.trim()}${hint}`, details)
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
