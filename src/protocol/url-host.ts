import { domainToASCII } from 'node:url'
import type { FtpError } from '../errors.ts'

// RFC 1035 §2.3.4.
const HOST_CHARACTERS = 253
const LABEL_CHARACTERS = 63

/**
 * The host of a URL as it is dialled: names in lower-case A-labels, IPv4 in four decimal numbers whatever
 * notation it came in, IPv6 compressed and without brackets. A filter on addresses sees what is dialled.
 *
 * @internal
 */
export function parseHost(text: string, refuse: (reason: string) => FtpError): string {
  if (text === '') throw refuse('The URL names no host; write ftp://host/path')
  if (text.startsWith('[')) return parseIpv6(text, refuse)
  // Punycode takes time that grows with the square of the length. A character of a name is at most four
  // octets, each of them at most `%XX`.
  const host = text.length > HOST_CHARACTERS * 12 ? text : domainToASCII(text)
  if (host.replace(/\.$/, '').length > HOST_CHARACTERS) {
    throw refuse(`The host is longer than ${HOST_CHARACTERS} characters`)
  }
  // The WHATWG rules, which domainToASCII follows, let through more than a name can hold.
  if (!/^[a-z0-9._-]+$/.test(host)) {
    throw refuse('The host is neither a name nor an address; an IPv6 address stands in [brackets]')
  }
  if (host.startsWith('-')) throw refuse('The host begins with a hyphen, which no host does')
  for (const label of host.replace(/\.$/, '').split('.')) {
    if (label === '') throw refuse('The host has an empty part between two dots')
    if (label.length > LABEL_CHARACTERS) {
      throw refuse(`The host has a part longer than ${LABEL_CHARACTERS} characters`)
    }
  }
  return host
}

function parseIpv6(text: string, refuse: (reason: string) => FtpError): string {
  if (text.includes('%')) {
    throw refuse('A zone identifier cannot stand in an ftp URL; give the host by an option instead')
  }
  const host = /^\[[0-9a-f:.]+\]$/i.test(text) ? domainToASCII(text) : ''
  if (host === '') throw refuse('The IPv6 address in the brackets is not one')
  return host.slice(1, -1)
}
