/**
 * A session: one login, one working directory, one command at a time.
 */
import type { Writable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { FtpError } from '../errors.ts'
import { encodeCommand, type Command } from '../protocol/commands.ts'
import { parseFeatures, type Features } from '../protocol/features.ts'
import { quotedCommand } from '../protocol/quoted-command.ts'
import type { Reply } from '../protocol/reply.ts'
import { query, send, type Script } from '../protocol/script.ts'
import * as directory from '../protocol/scripts/directory.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import * as file from '../protocol/scripts/file.ts'
import { saysUnknown } from '../protocol/scripts/refusals.ts'
import { Download } from './download.ts'
import type { Link } from './link.ts'
import type { OperationOptions, Settings } from './options.ts'
import { receiveFile, type ReceiveResult } from './receive-file.ts'
import { hashWay, remoteHash } from './remote-hash.ts'
import { openSessionDownload, type SessionDownloadOptions } from './session-download.ts'
import { SessionLink } from './session-link.ts'
import { uploadOver, type UploadOptions, type UploadResult } from './upload.ts'
import type { UploadSource } from './upload-source.ts'

/** What `downloadTo` may be told beside what `download` takes. */
export interface DownloadToOptions extends Omit<SessionDownloadOptions, 'offset' | 'length'> {
  /** Go on where the local file ends; only for a path. Default false. */
  readonly resume?: boolean
  /** How often to reconnect and resume after a broken connection; only for a path. Default 0. */
  readonly retries?: number
  /** Compare sizes, or the hashes that the server offers, when everything is here; only for a path. */
  readonly verify?: 'size' | 'hash' | 'auto'
}

/** A logged-in session. Calls may overlap: they are served in their order. */
export class FtpSession implements AsyncDisposable {
  readonly #link: SessionLink
  #features: Features | undefined

  /** @internal Use `connect`. */
  constructor(link: SessionLink) {
    this.#link = link
  }

  /** False once the connection is over. */
  get alive(): boolean {
    return this.#link.current.alive
  }

  /** The reply with which the server greeted. */
  get greeting(): Reply {
    return this.#link.current.greeting
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
    const { tlsSocket, dataProtected } = this.#link.current.pi
    if (tlsSocket === undefined) return undefined
    return {
      protocol: tlsSocket.getProtocol(),
      cipher: tlsSocket.getCipher().name,
      verified: tlsSocket.authorized,
      dataProtected,
    }
  }

  /** The working directory (`PWD`, RFC 959). Errors: `FTP_BAD_REPLY`, `FTP_REFUSED`. */
  pwd(options?: OperationOptions): Promise<string> {
    return this.#run(() => directory.printDirectory(), options)
  }

  /** Changes the working directory (`CWD`). Errors: `FTP_NOT_FOUND`. */
  async cwd(path: Path, options?: OperationOptions): Promise<void> {
    await this.#change(() => directory.changeDirectory(path), options)
  }

  /** Goes to the parent directory (`CDUP`). */
  async cdup(options?: OperationOptions): Promise<void> {
    await this.#change(() => directory.changeToParent(), options)
  }

  /** Makes a directory (`MKD`); gives its name as the server tells it. With `recursive`, its parents too, and it may be there already. */
  mkdir(
    path: Path,
    options: OperationOptions & { readonly recursive?: boolean } = {},
  ): Promise<string | undefined> {
    if (options.recursive !== true) return this.#run(() => directory.makeDirectory(path), options)
    return this.#run(() => this.#makeDirectories(path), options)
  }

  /** Removes an empty directory (`RMD`). */
  rmdir(path: Path, options?: OperationOptions): Promise<void> {
    return this.#run(() => directory.removeDirectory(path), options)
  }

  /** Removes a file (`DELE`). */
  delete(path: Path, options?: OperationOptions): Promise<void> {
    return this.#run(() => file.deleteFile(path), options)
  }

  /** Renames or moves (`RNFR`, `RNTO`). */
  rename(from: Path, to: Path, options?: OperationOptions): Promise<void> {
    this.#check({ verb: 'RNFR', argument: from }, { verb: 'RNTO', argument: to })
    return this.#run(() => file.rename(from, to), options)
  }

  /** The size of a file in bytes (`SIZE` in `TYPE I`, RFC 3659 §4); undefined where the server gives no number. */
  size(path: Path, options?: OperationOptions): Promise<number | undefined> {
    return this.#link.turn(async (link, signal) => {
      await link.prepare(link.typeSteps({ type: 'I' }), signal)
      link.noteType({ type: 'I' })
      return link.command(file.fileSize(path), signal)
    }, options)
  }

  /** The time of the last change (`MDTM`, RFC 3659 §3), UTC. */
  modified(path: Path, options?: OperationOptions): Promise<Date | undefined> {
    return this.#run(() => file.modificationTime(path), options)
  }

  /** Sets the time of the last change: `MFMT`, else `MDTM` or `SITE UTIME` where the server takes them. */
  async setModified(path: Path, date: Date, options?: OperationOptions): Promise<void> {
    if (Number.isNaN(date.getTime()))
      throw new FtpError('FTP_INVALID_ARGUMENT', 'The date is not a valid one.', { phase: 'arguments' })
    const features = await this.features(options)
    return this.#run(() => file.setModificationTime(path, date, features), options)
  }

  /** Sets permission bits (`SITE CHMOD`), for example `0o644`. */
  chmod(path: Path, mode: number, options?: OperationOptions): Promise<void> {
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777)
      throw new FtpError('FTP_INVALID_ARGUMENT', 'A mode is a number from 0 to 0o7777.', {
        phase: 'arguments',
      })
    return this.#run(() => file.changeMode(path, mode), options)
  }

  /** True where the path names a file or a directory. */
  exists(path: Path, options?: OperationOptions): Promise<boolean> {
    return this.#link.turn(
      async (link, signal) => (await this.#kindOf(link, path, signal)) !== undefined,
      options,
    )
  }

  /** What the server can do beyond RFC 959 (`FEAT`, RFC 2389): upper-case names with their parameters. */
  async features(options?: OperationOptions): Promise<Features> {
    this.#features ??= this.#link.features ?? parseFeatures(await this.#run(() => query('FEAT'), options))
    return this.#features
  }

  /** What the server runs on (`SYST`). */
  async system(options?: OperationOptions): Promise<string> {
    return (await this.#run(() => send('SYST'), options)).text
  }

  /** What the server says of itself or of a command (`HELP`). */
  async help(command?: string, options?: OperationOptions): Promise<string> {
    return (await this.#run(() => send('HELP', command), options)).text
  }

  /** Does nothing, and shows that the server is there (`NOOP`). */
  async noop(options?: OperationOptions): Promise<void> {
    await this.#run(() => send('NOOP'), options)
  }

  /** A command of this server's own (`SITE`). */
  site(command: string, options?: OperationOptions): Promise<Reply> {
    return this.#run(() => send('SITE', command), options)
  }

  /**
   * Sends one command as it is and gives the reply, also a refusal. Commands that move data, that log in or
   * out, or that prepare another command are refused: the session would lose step.
   */
  quote(command: string, options?: OperationOptions): Promise<Reply> {
    const { verb, argument } = quotedCommand(command)
    return this.#run(() => query(verb, argument), options)
  }

  /**
   * The file at `path`, as a stream with `bytes()`, `text()` and `saveTo()`. The session serves nothing else
   * until the download is over; one that nobody reads keeps it waiting.
   */
  download(path: Path, options: SessionDownloadOptions = {}): Download {
    this.#check({ verb: 'RETR', argument: path })
    return openSessionDownload(this.#link, path, options)
  }

  /**
   * Downloads into a local file or a Node or Web stream. A file has another name until it is whole, or is
   * continued where it ends (`resume`).
   */
  async downloadTo(
    path: Path,
    destination: string | Writable | WritableStream<Uint8Array>,
    options: DownloadToOptions = {},
  ): Promise<ReceiveResult> {
    if (typeof destination !== 'string')
      return { ...(await this.#pipe(path, destination, options)), resumedAt: 0, hashed: false }
    const { resume, retries, verify, onProgress, ...download } = options
    const signal = options.signal ?? new AbortController().signal
    return receiveFile(
      {
        size: () => this.size(path, { signal }),
        hash: () => this.#hash(path, { signal }),
        download: async (offset, attempt) => {
          if (attempt > 0 && !this.alive) await this.#link.reopen(signal)
          return this.download(path, {
            ...download,
            ...(onProgress === undefined ? {} : { onProgress }),
            offset,
          })
        },
      },
      destination,
      { resume, retries, verify, signal },
    )
  }

  /** Uploads a local file (its path or `file:` URL), `{ text }`, bytes, a stream or an iterable. */
  async upload(source: UploadSource, path?: Path, options: UploadOptions = {}): Promise<UploadResult> {
    if (path !== undefined) this.#check({ verb: 'STOR', argument: path })
    return this.#link.turn((link, signal) => uploadOver(link, source, path, options, signal), options)
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

  /** Says `QUIT` and closes, when everything before it is done. */
  close(): Promise<void> {
    return this.#link.close()
  }

  /** Ends the connection at once; whatever is under way fails. */
  destroy(): void {
    this.#link.current.destroy()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #run<T>(script: () => Script<T>, options?: OperationOptions): Promise<T> {
    return this.#link.turn((link, signal) => link.command(script(), signal), options)
  }

  async #change(script: () => Script<string | undefined>, options?: OperationOptions): Promise<void> {
    await this.#link.turn(async (link, signal) => {
      link.forgetDirectory()
      this.#link.directory = await link.command(script(), signal)
    }, options)
  }

  *#makeDirectories(path: Path): Script<string | undefined> {
    const text = typeof path === 'string' ? path : Buffer.from(path).toString('latin1')
    const back = yield* directory.printDirectory()
    const parts = text.split('/')
    for (let at = 1; at <= parts.length; at++) {
      const parent = parts.slice(0, at).join('/')
      if (parent === '' || parts[at - 1] === '' || parts[at - 1] === '.') continue
      yield* directory.ensureDirectory(
        typeof path === 'string' ? parent : Buffer.from(parent, 'latin1'),
        back,
      )
    }
    return undefined
  }

  async #kindOf(link: Link, path: Path, signal: AbortSignal): Promise<'file' | 'directory' | undefined> {
    const reply = await link.command(query('MLST', path), signal)
    if (reply.kind === 'completion')
      return /\btype=(?:dir|cdir|pdir)\b/i.test(reply.rawText) ? 'directory' : 'file'
    if (!saysUnknown(reply)) return undefined
    const back = await link.command(directory.printDirectory(), signal)
    const entered = await link.command(query('CWD', path), signal)
    if (entered.kind === 'completion') {
      await link.command(send('CWD', back), signal)
      return 'directory'
    }
    await link.prepare(link.typeSteps({ type: 'I' }), signal)
    link.noteType({ type: 'I' })
    const sized = await link.command(query('SIZE', path), signal)
    return sized.kind === 'completion' ? 'file' : undefined
  }

  async #pipe(
    path: Path,
    destination: Writable | WritableStream<Uint8Array>,
    options: DownloadToOptions,
  ): Promise<Awaited<Download['result']>> {
    const { resume: _resume, retries: _retries, verify: _verify, ...download } = options
    const stream = this.download(path, download)
    const { pipeline } = await import('node:stream/promises')
    await ('getWriter' in destination
      ? pipeline(stream, async (source) => writeAll(source, destination))
      : pipeline(stream, destination))
    return stream.result
  }

  async #hash(
    path: Path,
    options: OperationOptions,
  ): Promise<{ algorithm: 'sha512' | 'sha256' | 'sha1' | 'md5'; digits: string } | undefined> {
    const way = hashWay(await this.features(options))
    if (way === undefined) return undefined
    const digits = await this.#run(() => remoteHash(path, way), options)
    return digits === undefined ? undefined : { algorithm: way.algorithm, digits }
  }

  /** Whatever cannot be sent is refused before the call has any effect. */
  #check(...commands: readonly Command[]): void {
    const { encoding, limits }: Settings = this.#link.settings
    for (const command of commands) encodeCommand(command, { encoding, commandBytes: limits.commandBytes })
  }
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
