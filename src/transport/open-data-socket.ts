/**
 * The socket of a data connection, in the way that costs least: read into our memory where Node can, and with
 * TLS from the first packet where the transfer command is ahead of it.
 */
import type net from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { OpenedSocket } from './data-socket.ts'
import { openSocket } from './open-socket.ts'
import type { TransportSettings } from './settings.ts'
import { tlsDialler, type TlsSessions } from './tls.ts'

/** Where to, and how. */
export interface DataSocketRequest {
  readonly settings: TransportSettings
  readonly host: string
  readonly port: number
  readonly onread: net.OnReadOpts
  readonly signal: AbortSignal
  /** `later`: TLS begins on the socket when the transfer command is out. */
  readonly tls: 'none' | 'later' | 'at-once'
  readonly sessions: TlsSessions
}

/** Dials. */
export async function openDataSocket(request: DataSocketRequest): Promise<OpenedSocket> {
  const { settings, host, port, onread, signal, sessions } = request
  const plain = { host, port, purpose: 'data' as const, settings, signal }
  if (request.tls === 'later') return { socket: await openSocket(plain), readsIntoOurs: false }
  if (request.tls === 'none') {
    return { socket: await openSocket({ ...plain, onread }), readsIntoOurs: settings.connect === undefined }
  }
  const { dial, secured } = tlsDialler({ settings, sessions, purpose: 'data' })
  const socket = (await openSocket({ ...plain, onread, dial })) as TLSSocket
  return { socket, readsIntoOurs: true, secured: secured(socket) }
}
