/**
 * What a data connection is made of, and what it tells of its end.
 */
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import type { TransportSettings } from './settings.ts'
import type { TlsSessions } from './tls.ts'

/** How the data ended. */
export interface DataEnd {
  readonly bytes: number
  /** False where TLS was cut instead of ended; undefined where nobody watched. */
  readonly cleanClose: boolean | undefined
}

/** What a data connection needs to know. */
export interface DataConnectionOptions {
  readonly settings: TransportSettings
  readonly port: number
  /** Absent where data go in the clear. */
  readonly sessions: TlsSessions | undefined
  /** Watch the records for the end of TLS; dear, so only where no size vouches for the data. */
  readonly watchEnd: boolean
  /** Called once when the first byte passes. */
  readonly onFirstByte: () => void
}

/** A connected socket, and whether it reads straight into the memory of the `onread` that it was made with. */
export interface OpenedSocket {
  readonly socket: Duplex
  readonly readsIntoOurs: boolean
  /** Where TLS began together with the connection: settles when the server is known to be the right one. */
  readonly secured?: Promise<void> | undefined
}

/** Gives the socket. */
export type SocketSource = (onread: net.OnReadOpts, signal: AbortSignal) => Promise<OpenedSocket>
