/**
 * The part of the settings that the sockets need.
 */
import type { TransportSettings } from '../transport/settings.ts'
import type { LinkTarget } from './link-request.ts'
import type { Settings } from './options.ts'

/** What `transport/` gets to know. */
export function transportSettings(
  { host, port, tls }: Pick<LinkTarget, 'host' | 'port' | 'tls'>,
  settings: Settings,
): TransportSettings {
  return {
    host,
    port,
    tls,
    family: settings.family,
    localAddress: settings.localAddress,
    lookup: settings.lookup,
    connect: settings.connect,
    allowAddress: settings.allowAddress,
    keepAliveMs: settings.keepAliveMs,
    timeouts: settings.timeouts,
    limits: settings.limits,
    limiter: settings.limiter,
    encoding: settings.encoding,
    tlsOptions: settings.tlsOptions,
    pipelining: settings.pipelining,
    active: { address: settings.activeAddress, ports: settings.activePorts },
  }
}
