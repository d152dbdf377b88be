/**
 * A TCP connection (or whatever the caller's hook gives in its place), within its deadline.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { FtpError } from '../errors.ts'
import { callbackFailed } from './call-back.ts'
import { Deadline } from './deadline.ts'
import type { Purpose, TransportSettings } from './settings.ts'

/** One connection to be made. */
export interface SocketRequest {
  readonly host: string
  readonly port: number
  readonly purpose: Purpose
  readonly settings: TransportSettings
  readonly signal: AbortSignal
  /** Reads straight into the receiver's memory; not through a hook. */
  readonly onread?: net.OnReadOpts | undefined
  /** Dials in another way than `net.connect` does. */
  readonly dial?: ((options: net.NetConnectOpts) => net.Socket) | undefined
}

/**
 * Opens a socket. It may read at once where `onread` is given.
 * @throws FtpError `FTP_CONNECT_FAILED`, `FTP_DATA_CONNECTION_FAILED`, `FTP_ADDRESS_FORBIDDEN`, `FTP_TIMEOUT`, `FTP_ABORTED`.
 */
export function openSocket(request: SocketRequest): Promise<Duplex> {
  const { host, settings, signal } = request
  if (signal.aborted) return Promise.reject(aborted(signal.reason))
  try {
    if (net.isIP(host) !== 0 && !isAllowed(request, host)) throw forbidden(request, host)
    return settings.connect === undefined ? dialled(request, start(request)) : viaHook(request)
  } catch (error) {
    return Promise.reject(error instanceof FtpError ? error : failed(request, error))
  }
}

function start(request: SocketRequest): net.Socket {
  const { host, port, purpose, settings, onread, dial = net.connect } = request
  return dial({
    host,
    port,
    lookup: guardedLookup(request),
    noDelay: true,
    keepAlive: settings.keepAliveMs > 0,
    keepAliveInitialDelay: settings.keepAliveMs,
    autoSelectFamily: purpose === 'control' && settings.family === 0,
    // Node's 250 ms would cut off a server that is merely far away.
    autoSelectFamilyAttemptTimeout: 2500,
    ...(settings.family === 0 ? {} : { family: settings.family }),
    ...(settings.localAddress === undefined ? {} : { localAddress: settings.localAddress }),
    ...(onread === undefined ? {} : { onread }),
  })
}

/** Without an AbortSignal of its own: a file of a kilobyte would pay more for that than for its bytes. */
function dialled(request: SocketRequest, socket: net.Socket): Promise<net.Socket> {
  const { signal, settings } = request
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      deadline.clear()
      signal.removeEventListener('abort', stop)
      socket.off('error', fail)
    }
    const fail = (error: unknown): void => {
      settle()
      socket.on('error', () => undefined).destroy()
      reject(error instanceof FtpError ? error : failed(request, error))
    }
    const stop = (): void => fail(aborted(signal.reason))
    const deadline = new Deadline(() => fail(tooLate(request)))
    deadline.set(settings.timeouts.connect)
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', fail)
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}

async function viaHook(request: SocketRequest): Promise<Duplex> {
  const { host, port, purpose, settings, signal } = request
  const stopper = new AbortController()
  const stop = (): void => stopper.abort(aborted(signal.reason))
  const deadline = new Deadline(() => stopper.abort(tooLate(request)))
  const stopped = new Promise<never>((_, reject) => {
    stopper.signal.addEventListener('abort', () => reject(stopper.signal.reason as Error), { once: true })
  })
  stopped.catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  deadline.set(settings.timeouts.connect)
  const hooked = (async () => settings.connect?.({ host, port, purpose, signal: stopper.signal }))()
  try {
    const socket = await Promise.race([hooked, stopped])
    if (socket === undefined || typeof socket.pipe !== 'function')
      throw new TypeError('the option connect gave no Duplex')
    return socket
  } catch (error) {
    // A hook that finishes too late must not leave its connection behind.
    hooked.then(
      (late) => late?.destroy(),
      () => undefined,
    )
    throw error instanceof FtpError ? error : failed(request, error)
  } finally {
    deadline.clear()
    signal.removeEventListener('abort', stop)
  }
}

/** Resolves names as Node does, but lets the policy see every address before a packet leaves. */
function guardedLookup(request: SocketRequest): net.LookupFunction {
  const lookup = safely(request.settings.lookup ?? systemLookup)
  if (request.settings.allowAddress === undefined) return lookup
  return (hostname: string, options: LookupOptions, done) => {
    lookup(hostname, options, (error, found, family) => {
      if (error !== null) return done(error, found, family)
      const addresses =
        typeof found === 'string' ? [{ address: found, family: family ?? net.isIP(found) }] : found
      let allowed: LookupAddress[]
      try {
        allowed = addresses.filter(({ address }) => isAllowed(request, address))
      } catch (thrown) {
        return done(thrown as NodeJS.ErrnoException, '', 0)
      }
      const [first] = allowed
      if (first === undefined) return done(forbidden(request, addresses[0]?.address ?? hostname), '', 0)
      return typeof found === 'string' ? done(null, first.address, first.family) : done(null, allowed)
    })
  }
}

/** A lookup of the caller's own may throw, or fail in a promise that it gives: that is a failed lookup. */
function safely(lookup: net.LookupFunction): net.LookupFunction {
  return (hostname, options, done) => {
    const fail = (error: unknown): void => done(error as NodeJS.ErrnoException, '', 0)
    try {
      const answer: unknown = lookup(hostname, options, done)
      if (answer instanceof Promise) answer.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

/** Only `true` lets an address pass: a promise, which is truthy, would let every one. */
function isAllowed({ settings, port, purpose }: SocketRequest, address: string): boolean {
  if (settings.allowAddress === undefined) return true
  let answer: unknown
  try {
    answer = settings.allowAddress(address, port, purpose)
  } catch (cause) {
    throw callbackFailed('allowAddress', cause)
  }
  if (typeof answer === 'boolean') return answer
  Promise.resolve(answer).catch(() => undefined)
  throw callbackFailed('allowAddress', new TypeError('allowAddress must return true or false, at once'))
}

function forbidden({ port }: SocketRequest, address: string): FtpError {
  return new FtpError(
    'FTP_ADDRESS_FORBIDDEN',
    `The address ${address} (port ${port}) is not allowed by allowAddress or blockPrivate.`,
    { phase: 'connect' },
  )
}

function tooLate(request: SocketRequest): FtpError {
  const { purpose, host, port, settings } = request
  return new FtpError(
    'FTP_TIMEOUT',
    `No ${purpose} connection to ${host}:${port} within ${settings.timeouts.connect} ms.`,
    {
      phase: purpose === 'control' ? 'connect' : 'data-connect',
    },
  )
}

function failed({ purpose, host, port }: SocketRequest, cause: unknown): FtpError {
  const reason = cause instanceof AggregateError ? cause.errors.map(messageOf).join('; ') : messageOf(cause)
  const isUnknown = cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND'
  const why = isUnknown ? `there is no host of this name (${reason})` : reason
  return purpose === 'control'
    ? new FtpError('FTP_CONNECT_FAILED', `Cannot connect to ${host}:${port}: ${why}`, {
        phase: 'connect',
        cause,
      })
    : new FtpError(
        'FTP_DATA_CONNECTION_FAILED',
        `Cannot open the data connection to ${host}:${port}: ${why}`,
        { phase: 'data-connect', cause },
      )
}

/** The error for an operation that the caller's signal ended. */
export function aborted(reason: unknown): FtpError {
  return reason instanceof FtpError
    ? reason
    : new FtpError('FTP_ABORTED', 'The operation was aborted.', { phase: 'abort', cause: reason })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
