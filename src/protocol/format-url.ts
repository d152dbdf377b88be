import { FtpError } from '../errors.ts'
import { encodeText } from './text.ts'
import { DEFAULT_PORTS, type FtpTarget, parseFtpUrl, type TypeCode } from './url.ts'

export { redactUrl } from './redact-url.ts'

// RFC 3986 §2.3. Of what may stand unencoded besides, nothing is left: another reader may split there.
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * The URL of a target, with its password: `parseFtpUrl(formatFtpUrl(target))` is `target`. Show it only
 * through {@link redactUrl}.
 *
 * @param encoding that of names on the server, as given to {@link parseFtpUrl}. Default `utf-8`.
 * @throws {FtpError} `FTP_INVALID_URL` where the target is none that a URL can name.
 */
export function formatFtpUrl(target: FtpTarget, encoding?: string): string {
  const { protocol, host, port, user, password, segments, name, type } = target
  if (/[/?#@%\\[\]]/.test(host)) throw invalid('The host of the target is neither a name nor an address')
  if (user === undefined && password !== undefined) throw invalid('The target has a password but no user')
  const encode = (text: string): string => encodePart(text, encoding)
  const secret = password === undefined ? '' : `:${encode(password)}`
  const userInfo = user === undefined ? '' : `${encode(user)}${secret}@`
  const hostPart = host.includes(':') ? `[${host}]` : host
  const portPart = port === DEFAULT_PORTS[protocol] ? '' : `:${port}`
  const path = [...segments, name].map(encode).join('/')
  const url = `${protocol}://${userInfo}${hostPart}${portPart}/${path}${typeSuffix(type)}`
  // A target made by hand may hold what the parser refuses: let it judge.
  const limits = { urlLength: Number.POSITIVE_INFINITY, urlSegments: Number.POSITIVE_INFINITY }
  parseFtpUrl(url, { limits, allowPorts: [port], encoding })
  return url
}

function encodePart(text: string, encoding: string | undefined): string {
  let encoded = ''
  for (const octet of encodeText(text, encoding)) {
    const character = String.fromCharCode(octet)
    encoded += UNRESERVED.test(character)
      ? character
      : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

function typeSuffix(type: TypeCode | undefined): string {
  if (type === undefined) return ''
  if (type.kind === 'directory') return ';type=d'
  return `;type=${type.type}${type.form ?? ''}${type.byteSize ?? ''}`.toLowerCase()
}

function invalid(reason: string): FtpError {
  return new FtpError('FTP_INVALID_URL', reason, { phase: 'arguments' })
}
