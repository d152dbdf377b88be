/**
 * The replies to PASV (227, RFC 959 §4.2 and RFC 1123 §4.1.2.6) and EPSV (229, RFC 2428 §3).
 */
import { FtpError } from '../errors.ts'
import { BAD_PORTS, LOWEST_DATA_PORT } from './limits.ts'
import type { Reply } from './reply.ts'

/** Where the server listens. */
export interface PassiveEndpoint {
  readonly port: number
  /** What a 227 claims. Not to be dialled unless the caller trusts it (CVE-2020-8284). */
  readonly address: string | undefined
}

/**
 * Reads a 227 or a 229; a translating gateway may answer PASV with a 229.
 * @throws FtpError `FTP_BAD_PASV`, `FTP_BAD_EPSV`, or `FTP_DATA_PORT_FORBIDDEN`.
 */
export function parsePassiveReply(reply: Reply, ports: 'safe' | 'any' = 'safe'): PassiveEndpoint {
  const endpoint = reply.code === 229 ? parse229(reply) : parse227(reply)
  if (ports === 'safe' && (endpoint.port < LOWEST_DATA_PORT || BAD_PORTS.has(endpoint.port))) {
    throw new FtpError(
      'FTP_DATA_PORT_FORBIDDEN',
      `The server asks for a data connection to port ${endpoint.port}, which belongs to another service; dataPorts: 'any' would allow it.`,
      { phase: 'passive', reply: reply.toJSON() },
    )
  }
  return endpoint
}

/** Six numbers from 0 to 255 with commas between; RFC 1123 says to look for them anywhere in the text. */
function parse227(reply: Reply): PassiveEndpoint {
  const text = reply.rawText
  // A number begins where nothing of a number stands before it: without that, 30,000 digits would cost seconds.
  const groups = [...text.matchAll(/(?<![-+\d])[-+]?\d+(?: *, *[-+]?\d+)+/g)].map(([group]) =>
    group.split(',').map((part) => part.trim()),
  )
  const [numbers, ...others] = groups
  if (numbers === undefined || others.length > 0 || numbers.length !== 6 || !numbers.every(isOctet))
    throw bad('FTP_BAD_PASV', reply)
  // Decimal, also with leading zeros: some servers pad to three digits.
  const [a, b, c, d, high, low] = numbers.map(Number) as [number, number, number, number, number, number]
  const port = high * 256 + low
  if (port === 0) throw bad('FTP_BAD_PASV', reply)
  return { port, address: [a, b, c, d].join('.') }
}

function isOctet(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255
}

/** `(<d><d><d><port><d>)`, where `<d>` is one printable character, usually `|`; IBM i takes `!`. */
function parse229(reply: Reply): PassiveEndpoint {
  const text = reply.rawText
  const open = text.indexOf('(')
  const close = text.indexOf(')', open)
  const inside = open === -1 || close === -1 ? '' : text.slice(open + 1, close)
  const delimiter = inside[0] ?? ''
  const port = inside.slice(3, -1)
  const wellFormed =
    /^[!-~]$/.test(delimiter) &&
    !/\d/.test(delimiter) &&
    inside.startsWith(delimiter.repeat(3)) &&
    inside.endsWith(delimiter) &&
    /^\d{1,5}$/.test(port)
  if (!wellFormed || Number(port) === 0 || Number(port) > 65_535) throw bad('FTP_BAD_EPSV', reply)
  return { port: Number(port), address: undefined }
}

function bad(code: 'FTP_BAD_PASV' | 'FTP_BAD_EPSV', reply: Reply): FtpError {
  return new FtpError(code, `The server's answer names no usable data port: ${reply.toString()}`, {
    phase: 'passive',
    reply: reply.toJSON(),
  })
}
