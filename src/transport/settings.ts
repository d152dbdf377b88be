/**
 * What the sockets have to know, normalised once from the caller's options.
 */
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import type { RateLimiter } from './rate-limiter.ts'
import type { Limits, Timeouts } from '../protocol/limits.ts'

/** What a connection is for. */
export type Purpose = 'control' | 'data'

/** Where to, and what for: the argument of a {@link ConnectHook}. */
export interface ConnectRequest {
  /** The host to reach: the server's name or, for data, the address to dial. */
  readonly host: string
  readonly port: number
  /** Which of the two connections this will be. */
  readonly purpose: Purpose
  /** Fires when the connection is not wanted any more. */
  readonly signal: AbortSignal
}

/** Reaches the server in the caller's own way, for example through a proxy. */
export type ConnectHook = (request: ConnectRequest) => Duplex | Promise<Duplex>

/** Says whether an address may be connected to; called after name resolution, for every candidate. */
export type AllowAddress = (address: string, port: number, purpose: Purpose) => boolean

/** How the control connection gets its TLS (RFC 4217, or at once on port 990). */
export type TlsMode = 'off' | 'explicit' | 'implicit'

/** The sockets' view of the options. */
export interface TransportSettings {
  readonly host: string
  readonly port: number
  readonly family: 0 | 4 | 6
  readonly localAddress: string | undefined
  readonly lookup: LookupFunction | undefined
  readonly connect: ConnectHook | undefined
  readonly allowAddress: AllowAddress | undefined
  /** First probe of TCP keep-alive after this many idle milliseconds; 0: none. */
  readonly keepAliveMs: number
  readonly timeouts: Timeouts
  readonly limits: Limits
  readonly encoding: string | undefined
  readonly tls: TlsMode
  readonly tlsOptions: Readonly<ConnectionOptions>
  readonly pipelining: 'auto' | 'full' | 'off'
  /** Shared by the data connections of a client; undefined without a limit. */
  readonly limiter: RateLimiter | undefined
  /** Where to listen, and what to tell the server, in active mode. */
  readonly active: {
    readonly address: string | undefined
    readonly ports: readonly [lowest: number, highest: number] | undefined
  }
}
