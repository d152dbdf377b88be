/**
 * Text of an ftp URL → what it names. `new URL()` cannot be the parser: it drops `.` and `..`, strips
 * line feeds and knows no `?` in a file name, all of which RFC 1738 §3.2.2 has otherwise.
 */
import { FtpError, type FtpErrorCode } from '../errors.ts'
import { BAD_PORTS, DEFAULT_LIMITS, type Limits } from './limits.ts'
import { showUrl } from './redact-url.ts'
import { decodeText, encodeText } from './text.ts'
import { parseHost } from './url-host.ts'

/** How data is represented: the argument of `TYPE` (RFC 959 §3.1.1). */
export interface Representation {
  /** ASCII, EBCDIC, image, or local with a byte size. */
  readonly type: 'A' | 'E' | 'I' | 'L'
  /** Non-print, telnet or carriage control: with `A` and `E` only, and only where it was named. */
  readonly form?: 'N' | 'T' | 'C'
  /** Bits of a byte, 1 to 255: with `L` only, and always with it. */
  readonly byteSize?: number
}

/** What `;type=` says: read a directory, or transfer in this representation. */
export type TypeCode = { readonly kind: 'directory' } | ({ readonly kind: 'representation' } & Representation)

/** What an ftp URL names, decoded. Octets that are no text in the encoding stand as U+DC80–U+DCFF. */
export interface FtpTarget {
  /** `ftps` is TLS from the first byte. */
  readonly protocol: 'ftp' | 'ftps'
  /** A lower-case name in A-labels, an IPv4 address, or an IPv6 address without brackets. */
  readonly host: string
  /** 21, or 990 for `ftps`, where the URL names none. */
  readonly port: number
  /** `undefined`: none given, so that anonymous FTP is meant. Never empty. */
  readonly user: string | undefined
  /** `undefined`: none given; `''`: given, and empty (RFC 1738 §3.1 tells them apart). */
  readonly password: string | undefined
  /** Each is the argument of a `CWD`; an empty one is a null argument. */
  readonly segments: readonly string[]
  /** The last part of the path; empty means the directory itself. */
  readonly name: string
  /** What `;type=` said, if it was there. */
  readonly type: TypeCode | undefined
}

/** What {@link parseFtpUrl} may be told. */
export interface ParseFtpUrlOptions {
  /** Caps on the length of the URL and on its segments. */
  readonly limits?: Partial<Pick<Limits, 'urlLength' | 'urlSegments'>> | undefined
  /** Ports to allow although they belong to other protocols. Default: none. */
  readonly allowPorts?: readonly number[] | undefined
  /** The encoding of names on the server, a label that `TextDecoder` knows. Default `utf-8`. */
  readonly encoding?: string | undefined
}

/** @internal The port where a URL names none. */
export const DEFAULT_PORTS = { ftp: 21, ftps: 990 } as const

type Refuse = (reason: string, code?: FtpErrorCode) => FtpError

/**
 * Reads an ftp or ftps URL as RFC 1738 §3.2.2 and RFC 1630 have it: split first, decoded after, nothing
 * normalised, the fragment dropped. A `URL` object is accepted, but `new URL()` has already dropped `.`
 * and `..` by then.
 *
 * @throws {FtpError} `FTP_INVALID_URL` or `FTP_PORT_FORBIDDEN`, whose message shows the URL without its password;
 * `FTP_INVALID_OPTION` for an `encoding` that is unknown.
 * @example
 * parseFtpUrl('ftp://joe@example.com/%2Fetc/motd;type=a')
 * // { protocol: 'ftp', host: 'example.com', port: 21, user: 'joe', password: undefined,
 * //   segments: ['/etc'], name: 'motd', type: { kind: 'representation', type: 'A' } }
 */
export function parseFtpUrl(input: string | URL, options: ParseFtpUrlOptions = {}): FtpTarget {
  const text = textOf(input)
  const { urlLength = DEFAULT_LIMITS.urlLength, urlSegments = DEFAULT_LIMITS.urlSegments } =
    options.limits ?? {}
  if (text.length > urlLength) {
    const reason = `The URL is ${text.length} characters long; the limit \`urlLength\` is ${urlLength}`
    throw new FtpError('FTP_INVALID_URL', reason, { phase: 'arguments' })
  }
  const refuse: Refuse = (reason, code = 'FTP_INVALID_URL') =>
    new FtpError(code, `${reason} (${showUrl(text)})`, { phase: 'arguments' })
  const decode = (part: string): string => decodePart(part, options.encoding, refuse)

  checkCharacters(text, refuse)
  const scheme = /^(ftps?):\/\//i.exec(text)
  if (scheme === null) throw refuse('An ftp URL begins with ftp:// or ftps://')
  const protocol = scheme[0].toLowerCase() === 'ftps://' ? 'ftps' : 'ftp'
  const [body = ''] = text.slice(scheme[0].length).split('#', 1)
  const slash = body.indexOf('/')
  const authority = slash === -1 ? body : body.slice(0, slash)
  const path = slash === -1 ? '' : body.slice(slash + 1)

  const { userInfo, hostPort } = splitAuthority(authority, refuse)
  const { user, password } = parseUserInfo(userInfo, decode, refuse)
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(hostPort)
  if (parts === null) throw refuse('An IPv6 address stands between [ and ], with only a :port behind it')
  const [, host = '', digits] = parts
  const segments = path.split('/')
  const last = segments.pop() ?? ''
  if (segments.length > urlSegments) {
    throw refuse(`The path has more segments than the limit \`urlSegments\`, ${urlSegments}`)
  }
  if (segments.some((segment) => /;type=/i.test(segment))) {
    throw refuse(
      ';type= belongs at the end of the URL; in the name of a directory write %3B for the semicolon',
    )
  }
  const { rawName, code } = splitType(last)
  return {
    protocol,
    host: parseHost(host, refuse),
    port: parsePort(digits, DEFAULT_PORTS[protocol], options.allowPorts ?? [], refuse),
    user,
    password,
    segments: segments.map(decode),
    name: decode(rawName),
    type: code === undefined ? undefined : parseTypeCode(code, refuse),
  }
}

/** Read once, so that an object which changes later, or answers differently each time, changes nothing. */
function textOf(input: unknown): string {
  const text = typeof input === 'object' && input !== null && 'href' in input ? input.href : input
  if (typeof text === 'string') return text
  throw new FtpError('FTP_INVALID_URL', 'Give the URL as a string or as a URL object', { phase: 'arguments' })
}

// `new URL()` would strip a tab or a line feed and take a backslash for a slash, so that two readers of one
// text would go to two hosts: such text is refused whole, its fragment included.
function checkCharacters(text: string, refuse: Refuse): void {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) throw refuse('A control character cannot stand in a URL')
  if (/^\s|\s$/.test(text)) throw refuse('The URL begins or ends with a space; write %20 where it is meant')
  if (text.includes('\\')) throw refuse('A backslash cannot stand in a URL; write / or %5C')
  if (/\p{Surrogate}/u.test(text)) throw refuse('The URL is not well-formed Unicode; write octets as %XX')
}

function splitAuthority(
  authority: string,
  refuse: Refuse,
): { userInfo: string | undefined; hostPort: string } {
  // RFC 1738 allows ? in a user name, RFC 3986 ends the host there.
  if (authority.includes('?')) throw refuse('A ? before the path must be written %3F')
  if (authority.includes(' ')) throw refuse('A space before the path must be written %20')
  const at = authority.indexOf('@')
  if (at !== authority.lastIndexOf('@')) throw refuse('An @ in a user name or password must be written %40')
  return at === -1
    ? { userInfo: undefined, hostPort: authority }
    : { userInfo: authority.slice(0, at), hostPort: authority.slice(at + 1) }
}

function parseUserInfo(
  userInfo: string | undefined,
  decode: (part: string) => string,
  refuse: Refuse,
): Pick<FtpTarget, 'user' | 'password'> {
  if (userInfo === undefined) return { user: undefined, password: undefined }
  const colon = userInfo.indexOf(':')
  const user = decode(colon === -1 ? userInfo : userInfo.slice(0, colon))
  const password = colon === -1 ? undefined : decode(userInfo.slice(colon + 1))
  // An empty name is not the absence of one (RFC 1738 §3.1), and USER needs an argument (RFC 959 §5.3.1).
  if (user === '') throw refuse('The user name is empty; leave out everything up to the @ for anonymous FTP')
  return { user, password }
}

function parsePort(
  digits: string | undefined,
  otherwise: number,
  allowed: readonly number[],
  refuse: Refuse,
): number {
  if (digits === undefined || digits === '') return otherwise
  const port = /^\d+$/.test(digits) ? Number(digits) : 0
  if (port < 1 || port > 65_535)
    throw refuse('The port is not a number from 1 to 65535, or an IPv6 address lacks its [brackets]')
  if (BAD_PORTS.has(port) && !allowed.includes(port)) {
    throw refuse(
      `Port ${port} belongs to another protocol; allow it with \`allowPorts\``,
      'FTP_PORT_FORBIDDEN',
    )
  }
  return port
}

function splitType(last: string): { rawName: string; code: string | undefined } {
  const at = last.search(/;type=/i)
  return at === -1
    ? { rawName: last, code: undefined }
    : { rawName: last.slice(0, at), code: last.slice(at + ';type='.length) }
}

// RFC 1630: the codes of RFC 959 §5.3.2, "except that the space is omitted from the URL".
const TYPE_CODE = /^(?:(?<text>[AE])(?<form>[NTC])?|(?<image>I)|L(?<size>[1-9]\d{0,2}))$/

function parseTypeCode(code: string, refuse: Refuse): TypeCode {
  const upper = code.toUpperCase()
  if (upper === 'D') return { kind: 'directory' }
  const { text, form, image, size } = TYPE_CODE.exec(upper)?.groups ?? {}
  if (image !== undefined) return { kind: 'representation', type: 'I' }
  if (text === 'A' || text === 'E') {
    const representation = { kind: 'representation', type: text } as const
    return form === 'N' || form === 'T' || form === 'C' ? { ...representation, form } : representation
  }
  if (size !== undefined && Number(size) <= 255) {
    return { kind: 'representation', type: 'L', byteSize: Number(size) }
  }
  throw refuse(';type= takes one of a, i, d, an, at, ac, e, en, et, ec, or l with a byte size such as l8')
}

/** Decoded once, to octets and only then to text: a name need not be UTF-8. */
function decodePart(part: string, encoding: string | undefined, refuse: Refuse): string {
  // Of UTF-8 text nothing can be lost on the way to octets and back.
  if (encoding === undefined && !part.includes('%')) return part
  const [first = '', ...escaped] = part.split('%')
  const chunks: Uint8Array[] = [encodeLiteral(first, encoding, refuse)]
  for (const piece of escaped) {
    chunks.push(decodeOctet(piece.slice(0, 2), refuse), encodeLiteral(piece.slice(2), encoding, refuse))
  }
  return decodeText(Buffer.concat(chunks), encoding)
}

function decodeOctet(digits: string, refuse: Refuse): Uint8Array {
  if (!/^[\da-f]{2}$/i.test(digits)) {
    throw refuse('A % must be followed by two hexadecimal digits; write %25 for the character itself')
  }
  const octet = Number.parseInt(digits, 16)
  if (octet === 0x00 || octet === 0x0a || octet === 0x0d) {
    throw refuse('An encoded CR, LF or NUL would end the FTP command; it is never sent')
  }
  if (octet < 0x20 || octet === 0x7f) throw refuse('An encoded control character is never sent')
  return Uint8Array.of(octet)
}

function encodeLiteral(text: string, encoding: string | undefined, refuse: Refuse): Uint8Array {
  try {
    return encodeText(text, encoding)
  } catch (error) {
    if (error instanceof FtpError && error.code === 'FTP_INVALID_OPTION') throw error
    throw refuse(`The URL holds a character that the encoding ${encoding ?? 'utf-8'} has not`)
  }
}
