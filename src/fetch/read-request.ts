/**
 * The arguments of `ftpFetch`, brought into one form.
 */
import {
  formatFtpUrl,
  parseFtpUrl,
  planFor,
  type FtpOptions,
  type FtpTarget,
  type Representation,
} from '../index.ts'

/** What `ftpFetch` takes beside what `fetch` does. */
export interface FtpFetchInit extends RequestInit {
  /** How the server is reached, who logs in, and so on: the options of every verb of `ftpwire`. */
  readonly ftp?: FtpOptions
  /**
   * Whether a file is asked for its time of change (`MDTM`), which costs round trips: see `docs/fetch.md`.
   * Default true.
   */
  readonly lastModified?: boolean
}

/** One request, ready to be carried out. */
export interface FetchRequest {
  readonly method: string
  readonly target: FtpTarget
  /** The URL as a Response shows it: without user, password and fragment. */
  readonly url: string
  readonly headers: Headers
  readonly body: unknown
  readonly signal: AbortSignal | undefined
  readonly options: FtpOptions
  /** How the file is represented. */
  readonly representation: Representation
  /** True where the time of change is wanted: for its header, or for a condition. */
  readonly dated: boolean
}

/**
 * Reads what `fetch` would read from the same arguments.
 * @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN`
 * @throws TypeError for headers that are none, and a body where there can be none
 */
export function readRequest(input: string | URL | Request, init: FtpFetchInit): FetchRequest {
  const { ftp: options = {}, lastModified = true } = init
  const request = input instanceof Request ? input : undefined
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase()
  const body = init.body ?? request?.body ?? null
  if (body !== null && (method === 'GET' || method === 'HEAD'))
    throw new TypeError('Request with GET/HEAD method cannot have body.')
  const headers = new Headers(init.headers ?? request?.headers)
  const { limits, allowPorts, encoding, emptySegment, inferType } = options
  const named = parseFtpUrl(input instanceof Request ? input.url : input, { limits, allowPorts, encoding })
  const target = { ...named, ...basicCredentials(headers.get('authorization')) }
  return {
    method,
    target,
    url: formatFtpUrl({ ...target, user: undefined, password: undefined }, encoding),
    headers,
    body,
    // `null` takes the signal of a Request away, as it does for `fetch`.
    signal: (init.signal === undefined ? request?.signal : init.signal) ?? undefined,
    options,
    representation: planFor(target, { emptySegment, inferType }).representation,
    dated: lastModified || headers.has('if-modified-since') || headers.has('if-range'),
  }
}

/** A Request refuses URLs with a user: the header is the way that is left to it (RFC 7617). */
function basicCredentials(header: string | null): Pick<FtpTarget, 'user' | 'password'> | undefined {
  const [, token = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header ?? '') ?? []
  const [, user, password] = /^([^:]+):(.*)$/s.exec(Buffer.from(token, 'base64').toString('utf8')) ?? []
  return user === undefined ? undefined : { user, password }
}

/** The URL of the directory that a session for `target` stands in. */
export function directoryUrl(target: FtpTarget, { encoding }: FtpOptions): string {
  return formatFtpUrl({ ...target, name: '', type: undefined }, encoding)
}

/** True where the URL names a directory: by a slash at its end, or by `;type=d`. */
export function namesDirectory({ name, type }: FtpTarget): boolean {
  return name === '' || type?.kind === 'directory'
}
