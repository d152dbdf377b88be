/**
 * A `Readable` for an ftp URL, in the calling shape of the package `get-uri`.
 */
import type { Readable } from 'node:stream'
import {
  formatFtpUrl,
  FtpError,
  get,
  parseFtpUrl,
  planFor,
  type Download,
  type FtpOptions,
  type FtpTarget,
} from '../index.ts'
import { Call } from './call.ts'
import { directoryUrl, namesDirectory } from './read-request.ts'

/** A stream that `getUri` has given. */
export interface UriReadable extends Readable {
  /** The time of the last change, where the server tells it. */
  lastModified?: Date
}

/** What `getUri` takes: the names that `get-uri` has for ftp, and `ftp` for everything else. Others are ignored. */
export interface GetUriOptions {
  /** A stream of an earlier call: where the file has not changed since, `getUri` rejects with `ENOTMODIFIED`. */
  readonly cache?: UriReadable | undefined
  /** Instead of the URL's host. */
  readonly host?: string | undefined
  /** Instead of the URL's port. */
  readonly port?: number | undefined
  /** Instead of the URL's user. */
  readonly user?: string | undefined
  /** Instead of the URL's password. */
  readonly password?: string | undefined
  /** `true`: explicit TLS. */
  readonly secure?: boolean | 'implicit' | undefined
  /** Passed on to `tls.connect`. */
  readonly secureOptions?: FtpOptions['tlsOptions'] | undefined
  /** Ends the call, and the stream. */
  readonly signal?: AbortSignal | undefined
  /** The options of every verb of `ftpwire`. */
  readonly ftp?: FtpOptions | undefined
}

/** What `getUri` rejects with where there is no stream to give, with the codes of `get-uri`. */
export class GetUriError extends Error {
  override readonly name = 'GetUriError'
  readonly code: 'ENOTFOUND' | 'ENOTMODIFIED'

  constructor(code: GetUriError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * The file that an ftp or ftps URL names, as a stream. It is there when the server has agreed to send. A URL
 * that ends in a slash gives the names in the directory, a line each.
 *
 * @throws GetUriError `ENOTFOUND` where there is no such file, `ENOTMODIFIED` where `cache` is still good.
 * @throws TypeError for no URL, or one of another protocol.
 * @throws FtpError for everything else.
 * @example
 * const stream = await getUri('ftp://ftp.example.com/pub/hello.txt')
 * stream.pipe(process.stdout)
 */
export async function getUri(uri: string | URL, options: GetUriOptions = {}): Promise<UriReadable> {
  checkProtocol(uri)
  const { cache, signal } = options
  const ftp = ftpOptions(options)
  const { limits, allowPorts, encoding } = ftp
  const target = redirected(parseFtpUrl(uri, { limits, allowPorts, encoding }), options)
  const call = new Call(signal)
  try {
    const { download, modified } = await open(target, ftp, cache?.lastModified, call)
    // A failure before the stream is handed over is that of the promise, not an event that nobody hears.
    download.on('error', ignore)
    download.once('close', () => (download.readableEnded ? call.end() : call.cancel(download.errored)))
    await download.opened
    download.off('error', ignore)
    return modified === undefined ? download : Object.assign(download, { lastModified: modified })
  } catch (error) {
    call.end()
    if (!(error instanceof FtpError) || error.code !== 'FTP_NOT_FOUND') throw error
    throw new GetUriError('ENOTFOUND', error.message, { cause: error })
  }
}

async function open(
  target: FtpTarget,
  ftp: FtpOptions,
  known: Date | undefined,
  call: Call,
): Promise<{ download: Download; modified: Date | undefined }> {
  const { signal } = call
  const { name } = target
  const { emptySegment, inferType } = ftp
  // Text has its line ends converted, and `TYPE L 8` only a URL can say: both are left to `get`.
  const { representation } = planFor(target, { emptySegment, inferType })
  if (namesDirectory(target) || representation.type !== 'I') {
    return {
      download: get(formatFtpUrl(target, ftp.encoding), { ...ftp, signal }),
      modified: undefined,
    }
  }
  const session = await call.connect(directoryUrl(target, ftp), ftp)
  const modified = await session.modified(name, { signal }).catch((error: unknown) => {
    // Without a time there is no cache; the file may be there all the same.
    if (!session.alive || signal.aborted) throw error
    return undefined
  })
  if (modified !== undefined && modified.getTime() === known?.getTime())
    throw new GetUriError('ENOTMODIFIED', 'The file has not changed since the stream in `cache`.')
  return { download: session.download(name, { signal }), modified }
}

function ftpOptions({ ftp = {}, secure, secureOptions }: GetUriOptions): FtpOptions {
  return {
    ...ftp,
    ...(secure === undefined || secure === false
      ? {}
      : { tls: secure === 'implicit' ? secure : ('explicit' as const) }),
    ...(secureOptions === undefined ? {} : { tlsOptions: secureOptions }),
  }
}

/** `get-uri` lets its options go before the URL. */
function redirected(target: FtpTarget, { host, port, user, password }: GetUriOptions): FtpTarget {
  const secret = password ?? target.password
  return {
    ...target,
    host: host ?? target.host,
    port: port ?? target.port,
    user: user ?? target.user ?? (secret === undefined ? undefined : 'anonymous'),
    password: secret,
  }
}

function ignore(): void {}

function checkProtocol(uri: string | URL): void {
  const [, protocol] = /^\s*([a-z][a-z0-9+.-]*):/i.exec(String(uri)) ?? []
  if (uri === '') throw new TypeError('Must pass in a URI to "getUri()"')
  if (protocol !== undefined && !/^ftps?$/i.test(protocol))
    throw new TypeError(
      `Unsupported protocol "${protocol.toLowerCase()}": getUri of ftpwire reads ftp and ftps.`,
    )
}
