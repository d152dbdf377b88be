/**
 * Addresses that are not on the public Internet (IANA's special-purpose registries): a URL from a stranger
 * must not reach them where `blockPrivate` is set.
 */
import { BlockList, isIP } from 'node:net'
import { plain } from './peer-address.ts'

const SPECIAL_IPV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3',
] // prettier-ignore
// The last ones carry an IPv4 address inside: NAT64, 6to4, Teredo, IPv4-compatible and mapped.
const SPECIAL_IPV6 = [
  '::/96', '::ffff:0:0/96', '100::/64', '2001:db8::/32', '3fff::/20', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8',
  '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32',
] // prettier-ignore

const special = new BlockList()
for (const range of SPECIAL_IPV4) add(range, 'ipv4')
for (const range of SPECIAL_IPV6) add(range, 'ipv6')

/** True for every address that is not a public one, and for what is no address at all. */
export function isPrivateAddress(address: string): boolean {
  const bare = plain(address).replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return true
  return special.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * True where a server at `peer` may send the data connection to `address` (only asked where the caller lets a
 * server choose): never from the public Internet into a private network, nor onto this machine from elsewhere.
 */
export function mayPointTo(address: string, peer: string): boolean {
  if (plain(address) === plain(peer)) return true
  if (isLoopback(address) || isLinkLocal(address))
    return isLoopback(peer) || (isLinkLocal(address) && isLinkLocal(peer))
  return !isPrivateAddress(address) || isPrivateAddress(peer)
}

function isLoopback(address: string): boolean {
  return /^127\.|^::1$|^0\./.test(plain(address))
}

function isLinkLocal(address: string): boolean {
  return /^169\.254\.|^fe[89ab]/.test(plain(address))
}

function add(range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix] = range.split('/')
  special.addSubnet(network, Number(prefix), family)
}
