/**
 * A session: one login, one working directory, one command at a time.
 */
import type { Writable } from 'node:stream'
import { PassThrough } from 'node:stream'
import type { Reply } from '../protocol/reply.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { FtpError } from '../errors.ts'
import { checkNames, OPERATION_NAMES } from './check-names.ts'
import { copyBetween } from './copy-between.ts'
import type { Download } from './download.ts'
import type { Link } from './link.ts'
import type { Listing } from './listing.ts'
import type { OperationOptions } from './options.ts'
import { receiveFile, type OverwriteMode, type ReceiveResult } from './receive-file.ts'
import { hashWay, remoteHash, type RemoteHash } from './remote-hash.ts'
import { SessionCommands } from './session-commands.ts'
import { openSessionDownload, type SessionDownloadOptions } from './session-download.ts'
import { openSessionListing, type SessionListOptions } from './session-listing.ts'
import { identityOver } from './session-stat.ts'
import { operationSignal } from './turn-queue.ts'
import type { Verification } from './verify-file.ts'
import { walkTree, type WalkEntry, type WalkOptions } from './walk.ts'
import { UPLOAD_NAMES, uploadOver, type UploadOptions, type UploadResult } from './upload.ts'
import { guardSource, type UploadSource } from './upload-source.ts'

/** What `downloadTo` may be told beside what `download` takes. */
export interface DownloadToOptions extends Omit<SessionDownloadOptions, 'offset' | 'length'> {
  /**
   * Go on where the local file ends; only for a path. The file then has its name from the start, and what has
   * come stays there when the transfer breaks off, even by the end of this process. Default false.
   */
  readonly resume?: boolean
  /** How often to go on after a break, over a new connection where it is needed; only for a path. Default 0. */
  readonly retries?: number
  /** Whether a local file that is there is replaced; only for a path. Default `'always'`. */
  readonly overwrite?: OverwriteMode
  /**
   * What is compared when everything is here, before a new file gets its name; only for a path. What was asked for
   * and the server does not tell is `FTP_NOT_SUPPORTED`, but for `'auto'`.
   */
  readonly verify?: Verification
}

const DOWNLOAD_NAMES = [...OPERATION_NAMES, 'offset', 'length', 'type', 'onProgress'] as const
const WALK_NAMES = ['depth', 'include', 'exclude', 'followLinks', 'concurrency', 'signal'] as const
const LIST_NAMES = [
  ...OPERATION_NAMES, 'command', 'all', 'listingFormat', 'now', 'serverTimeZone', 'onUnparsedLine',
] as const // prettier-ignore

/** A logged-in session. Calls may overlap: they are served in their order. */
export class FtpSession extends SessionCommands implements AsyncDisposable {
  /** False once the connection is over. */
  get alive(): boolean {
    return this.link.current.alive
  }

  /** The reply with which the server greeted. */
  get greeting(): Reply {
    return this.link.current.greeting
  }

  /** What TLS protects: undefined without it. */
  get security():
    | {
        readonly protocol: string | null
        readonly cipher: string
        readonly verified: boolean
        readonly dataProtected: boolean
      }
    | undefined {
    const { tlsSocket, dataProtected } = this.link.current.pi
    if (tlsSocket === undefined) return undefined
    return {
      protocol: tlsSocket.getProtocol(),
      cipher: tlsSocket.getCipher().name,
      verified: tlsSocket.authorized,
      dataProtected,
    }
  }

  /**
   * The entries of a directory, or of the working directory: `for await` reads them as they come, `toArray()`
   * gathers them. Paths with blanks or characters that a server might take for a pattern are entered first.
   */
  list(path?: Path, options: SessionListOptions = {}): Listing {
    checkNames(options, LIST_NAMES)
    if (path !== undefined && path.length > 0) this.check({ verb: 'CWD', argument: path })
    const { command = 'auto', serverTimeZone } = options
    // What MLSD tells is UTC whatever the server's clock shows (RFC 3659 §2.3), and NLST tells no time.
    const byClock = command === 'list' || command === 'stat' || (command === 'auto' && !this.link.listsByMlsd)
    if (serverTimeZone !== 'detect' || this.link.serverTimeZone !== undefined || !byClock) {
      return openSessionListing(this.link, path, options)
    }
    return openSessionListing(this.link, path, options, () => this.#detectZone(path, options))
  }

  /** Everything below a directory, depth first, in the order of names; links are not followed unless asked for. */
  walk(path = '', options: WalkOptions = {}): AsyncGenerator<WalkEntry, void, undefined> {
    checkNames(options, WALK_NAMES)
    const at = (place: string): string =>
      place === '' ? path : path === '' ? place : `${path.replace(/\/+$/, '')}/${place}`
    return walkTree(
      {
        list: (place) =>
          this.list(at(place), options.signal === undefined ? {} : { signal: options.signal }).toArray(),
        identity: (place) => this.link.turn((link, signal) => identityOver(link, at(place), signal)),
        mostDepth: this.link.settings.limits.depth,
      },
      options,
    )
  }

  /**
   * The file at `path`, as a stream with `bytes()`, `text()` and `saveTo()`. The session serves nothing else
   * until the download is over; one that nobody reads keeps it waiting.
   */
  download(path: Path, options: SessionDownloadOptions = {}): Download {
    checkNames(options, DOWNLOAD_NAMES)
    this.check({ verb: 'RETR', argument: path })
    return openSessionDownload(this.link, path, options)
  }

  /**
   * Downloads into a local file or a Node or Web stream. A file has another name until it is whole, or is
   * continued where it ends (`resume`). `resume`, `retries`, `verify` and `overwrite` are for files.
   */
  async downloadTo(
    path: Path,
    destination: string | Writable | WritableStream<Uint8Array>,
    options: DownloadToOptions = {},
  ): Promise<ReceiveResult> {
    checkNames(options, [...DOWNLOAD_NAMES, 'resume', 'retries', 'verify', 'overwrite'])
    const { resume, retries, verify, overwrite, ...all } = options
    if (typeof destination !== 'string') {
      onlyForFiles({ resume, retries, verify, overwrite })
      return { ...(await this.#pipe(path, destination, all)), resumedAt: 0, hashed: false, kept: false }
    }
    const { timeoutMs: _, ...download } = all
    const { signal, release } = operationSignal(options)
    try {
      return await receiveFile(
        {
          size: () => this.size(path, { signal }),
          modified: () => this.modified(path, { signal }),
          hash: () => this.#hash(path, { signal }),
          download: (offset) => this.download(path, { ...download, offset, signal }),
          reopen: async () => {
            if (!this.alive) await this.link.reopen(signal)
          },
        },
        destination,
        { resume, retries, verify, overwrite, signal },
      )
    } finally {
      release()
    }
  }

  /** Uploads a local file (its path or `file:` URL), `{ text }`, bytes, a stream or an iterable. */
  async upload(source: UploadSource, path?: Path, options: UploadOptions = {}): Promise<UploadResult> {
    checkNames(options, UPLOAD_NAMES)
    guardSource(source)
    if (path !== undefined) this.check({ verb: 'STOR', argument: path })
    return this.link.turn((link, signal) => uploadOver(link, source, path, options, signal), options)
  }

  /**
   * Copies a file to another server, straight from server to server (RFC 959 §5.2). Many servers refuse it.
   * Errors: `FTP_REFUSED`, `FTP_NOT_SUPPORTED` where the source is reached over IPv6 or through a proxy.
   */
  async copyTo(
    path: Path,
    target: FtpSession,
    targetPath: Path,
    options: OperationOptions = {},
  ): Promise<void> {
    this.check({ verb: 'RETR', argument: path }, { verb: 'STOR', argument: targetPath })
    if (target === this)
      throw new FtpError('FTP_INVALID_ARGUMENT', 'A copy needs two sessions.', { phase: 'arguments' })
    const copy = (from: Link, to: Link, signal: AbortSignal): Promise<void> =>
      copyBetween({ link: from, path }, { link: to, path: targetPath }, signal)
    // Both turns are taken in one order everywhere, or two copies might wait for each other for ever.
    if (this.link.order < target.link.order) {
      await this.link.turn(
        (from) => target.link.turn((to, signal) => copy(from, to, signal), options),
        options,
      )
    } else {
      await target.link.turn(
        (to) => this.link.turn((from, signal) => copy(from, to, signal), options),
        options,
      )
    }
  }

  /** A stream to write a remote file to. It is finished when the server has confirmed the file. */
  createWriteStream(path: Path, options: UploadOptions = {}): Writable {
    const entry = new PassThrough({ highWaterMark: 256 * 1024 })
    const stored = this.upload(entry, path, options)
    // `finish` of a PassThrough comes when its bytes are read, which is before they are stored: hold it back.
    entry._final = (done) => {
      entry.push(null)
      stored.then(
        () => done(),
        (error: unknown) => done(error as Error),
      )
    }
    stored.catch((error: unknown) => entry.destroy(error as Error))
    return entry
  }

  /**
   * Says `QUIT` and closes, when everything before it is done. A transfer of which nothing moves for `timeouts.stall`
   * more, because nobody reads it or its source gives nothing, is broken off.
   */
  close(): Promise<void> {
    return this.link.close()
  }

  /** Ends the connection at once; whatever is under way fails. */
  destroy(): void {
    this.link.current.destroy()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** One file's MDTM, which is UTC, beside its line in the listing, which is the server's clock. */
  async #detectZone(path: Path | undefined, options: SessionListOptions): Promise<void> {
    const { serverTimeZone: _, ...rest } = options
    for await (const entry of openSessionListing(this.link, path, { ...rest, serverTimeZone: 0 })) {
      if (
        entry.type !== 'file' ||
        entry.modified === undefined ||
        entry.modifiedPrecision === 'day' ||
        path instanceof Uint8Array
      )
        continue
      const name = path === undefined || path === '' ? entry.name : `${path}/${entry.name}`
      const shown = entry.modified.getTime()
      this.link.serverTimeZone = await this.modified(name, rest).then(
        (time) => time && Math.round((shown - time.getTime()) / 900_000) * 15,
        () => undefined,
      )
      return
    }
  }

  async #pipe(
    path: Path,
    destination: Writable | WritableStream<Uint8Array>,
    options: SessionDownloadOptions,
  ): Promise<Awaited<Download['result']>> {
    const stream = this.download(path, options)
    const { pipeline } = await import('node:stream/promises')
    await ('getWriter' in destination
      ? pipeline(stream, async (source) => writeAll(source, destination))
      : pipeline(stream, destination))
    return stream.result
  }

  async #hash(path: Path, options: OperationOptions): Promise<RemoteHash | undefined> {
    const way = hashWay(await this.features(options))
    return way && this.run(() => remoteHash(path, way), options)
  }
}

function onlyForFiles(options: object): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (name === undefined) return
  throw new FtpError('FTP_INVALID_OPTION', `${name} is for local files; the destination is a stream.`, {
    phase: 'arguments',
  })
}

async function writeAll(
  source: AsyncIterable<Uint8Array>,
  destination: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = destination.getWriter()
  try {
    for await (const chunk of source) await writer.write(chunk)
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  } finally {
    writer.releaseLock()
  }
}
