/**
 * Comparing socket addresses: an IPv4 address may come as `::ffff:a.b.c.d`, and a zone id is part of it.
 */
import net from 'node:net'
import type { Duplex } from 'node:stream'

/** The two ends of a TCP connection; nothing for another kind of Duplex. */
export function addressesOf(socket: Duplex): {
  readonly local?: string | undefined
  readonly remote?: string | undefined
} {
  return socket instanceof net.Socket ? { local: socket.localAddress, remote: socket.remoteAddress } : {}
}

/** True where both name the same host. */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && plain(one) === plain(other)
}

/** 4 or 6, taking a mapped IPv4 address for what it is. */
export function familyOf(address: string): 4 | 6 {
  return plain(address).includes(':') ? 6 : 4
}

/** The address without the IPv6 mapping. */
export function plain(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}
