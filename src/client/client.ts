/**
 * A client for ftp URLs: it keeps sessions and hands each URL to the one that stands nearest.
 */
import { fileURLToPath } from 'node:url'
import { FtpError } from '../errors.ts'
import { encodeCommand } from '../protocol/commands.ts'
import type { Entry } from '../listing/index.ts'
import { planFor, type FetchPlan } from '../protocol/plan.ts'
import { nameList, retrieve } from '../protocol/scripts/retrieve.ts'
import { represent, walk } from '../protocol/scripts/walk.ts'
import { parseFtpUrl, type FtpTarget } from '../protocol/url.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import { credentialsFor } from './credentials.ts'
import { Download, type DownloadOptions } from './download.ts'
import { fetchOver } from './fetch-over.ts'
import type { Incoming, OpenDownload } from './incoming.ts'
import { Lender, type LendRequest } from './lender.ts'
import type { Link, LinkTarget } from './link.ts'
import { saysNoFiles } from './listing.ts'
import { settingsOf, type FtpOptions, type OperationOptions, type Settings } from './options.ts'
import { NameSink } from './name-sink.ts'
import type { MirrorOptions, MirrorResult, WithSession } from './mirror.ts'
import { mirrorDown } from './mirror-down.ts'
import { mirrorUp, removeTree } from './mirror-up.ts'
import { FtpSession } from './session.ts'
import { SessionLink } from './session-link.ts'
import type { SessionListOptions } from './session-listing.ts'
import { operationSignal } from './turn-queue.ts'
import type { UploadOptions, UploadResult } from './upload.ts'
import type { UploadSource } from './upload-source.ts'

/** What `get` takes for one download. */
export interface GetOptions extends OperationOptions {
  /** Called about ten times a second while data come, and once at the end. */
  readonly onProgress?: DownloadOptions['onProgress']
}

/** What `list` takes. */
export type ListOptions = OperationOptions

/** Sessions to any number of servers, and the verbs for URLs on them. */
export class FtpClient implements AsyncDisposable {
  readonly #settings: Settings
  readonly #lender: Lender

  /** @throws FtpError `FTP_INVALID_OPTION` */
  constructor(options: FtpOptions = {}) {
    this.#settings = settingsOf(options)
    this.#lender = new Lender(this.#settings)
  }

  /**
   * The file that the URL names (RFC 1738 §3.2.2), or the raw name list of a directory.
   * @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN` at once; everything else through the stream.
   */
  get(url: string | URL, options: GetOptions = {}): Download {
    const { settings } = this
    const target = parseTarget(url, settings)
    return new Download((receive, signal) => this.#fetch(target, receive, signal), {
      ...options,
      lineEnd: settings.lineEnd,
    })
  }

  /**
   * The names in the directory that the URL names, or, with `;type=d`, in the one that its last part names
   * (`NLST`, RFC 959 §4.1.3), without the path that some servers put before them.
   * @throws FtpError as {@link get} does.
   */
  async list(url: string | URL, options: ListOptions = {}): Promise<string[]> {
    const { settings } = this
    const target = parseTarget(url, settings)
    const directory: FtpTarget = target.name === '' ? target : { ...target, type: { kind: 'directory' } }
    const names = new NameSink(settings.limits, settings.encoding)
    const download = new Download((receive, signal) => this.#fetch(directory, receive, signal), {
      ...options,
      lineEnd: 'keep',
    })
    try {
      await download.into(names)
    } catch (error) {
      // RFC 959 has no reply for a directory without files; some servers say 450 or 550 and mean it.
      if (error instanceof FtpError && error.command?.startsWith('NLST') === true && saysNoFiles(error))
        return []
      throw error
    }
    return names.end()
  }

  /**
   * Lends a session that stands in the directory of the URL, for as long as `work` runs.
   * @throws whatever `work` throws, and the errors of connecting, logging in and walking there.
   */
  use<T>(
    url: string | URL,
    work: (session: FtpSession) => Promise<T>,
    options: OperationOptions = {},
  ): Promise<T> {
    const target = parseTarget(url, this.#settings)
    if (target.name === '') return this.#useIn(target, work, options)
    throw new FtpError('FTP_INVALID_URL', 'The URL of a session names a directory: end it with a slash.', {
      phase: 'arguments',
    })
  }

  /** Uploads to the file that the URL names. */
  put(source: UploadSource, url: string | URL, options: UploadOptions = {}): Promise<UploadResult> {
    const { directory, name } = this.#placeOf(url)
    return this.#useIn(directory, (session) => session.upload(source, name, options), options)
  }

  /** The entries of the directory that the URL names, with what the server tells of each. */
  entries(url: string | URL, options: SessionListOptions = {}): Promise<Entry[]> {
    const target = parseTarget(url, this.#settings)
    const directory =
      target.name === ''
        ? target
        : { ...target, segments: [...target.segments, target.name], name: '', type: undefined }
    return this.#useIn(directory, (session) => session.list(undefined, options).toArray(), options)
  }

  /** What the URL names. Errors: `FTP_NOT_FOUND`. */
  stat(url: string | URL, options: OperationOptions = {}): Promise<Entry> {
    return this.#at(url, (session, name) => session.stat(name, options), options)
  }

  /** True where the URL names a file or a directory. */
  exists(url: string | URL, options: OperationOptions = {}): Promise<boolean> {
    return this.#at(url, (session, name) => session.exists(name, options), options).catch(
      (error: unknown) => {
        if (error instanceof FtpError && error.code === 'FTP_NOT_FOUND') return false
        throw error
      },
    )
  }

  /** Removes the file that the URL names, or the empty directory if it ends with a slash. */
  remove(url: string | URL, options: OperationOptions = {}): Promise<void> {
    const isDirectory = parseTarget(url, this.#settings).name === ''
    return this.#at(
      url,
      (session, name) => (isDirectory ? session.rmdir(name, options) : session.delete(name, options)),
      options,
    )
  }

  /** Makes the directory that the URL names. */
  async mkdir(
    url: string | URL,
    options: OperationOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    if (options.recursive !== true) {
      await this.#at(url, (session, name) => session.mkdir(name, options), options)
      return
    }
    const target = parseTarget(url, this.#settings)
    const path = [...target.segments, target.name].filter((segment) => segment !== '')
    await this.#useIn(
      { ...target, segments: [], name: '', type: undefined },
      (session) => session.mkdir(path.join('/'), options),
      options,
    )
  }

  /** Gives the file or directory that the URL names another path, seen from the directory that it is in. */
  rename(url: string | URL, to: string, options: OperationOptions = {}): Promise<void> {
    return this.#at(url, (session, name) => session.rename(name, to, options), options)
  }

  /**
   * Makes a local folder like a remote one, or the other way round: one of both is an ftp URL that ends with a
   * slash. Several sessions work at once; unchanged files are left alone; one failure does not stop the rest.
   *
   * @throws FtpError where no session can be had, or the signal fires, or `stopOnError` is set.
   * @example
   * await client.mirror('ftp://ftp.example.com/pub/', 'pub')
   */
  mirror(
    source: string | URL,
    destination: string | URL,
    options: MirrorOptions = {},
  ): Promise<MirrorResult> {
    const { limits, maxSessions } = this.#settings
    const [down, up] = [isFtpUrl(source), isFtpUrl(destination)]
    if (down === up)
      throw new FtpError(
        'FTP_INVALID_ARGUMENT',
        'One of source and destination is an ftp URL, the other a local folder.',
        { phase: 'arguments' },
      )
    const concurrency = Math.max(1, Math.min(options.concurrency ?? maxSessions, maxSessions))
    const withSession: WithSession = (work, signal) => this.use(down ? source : destination, work, { signal })
    return down
      ? mirrorDown(withSession, localPath(destination), options, concurrency, limits.depth)
      : mirrorUp(withSession, localPath(source), options, concurrency, limits.depth)
  }

  /** Removes a directory with all it holds; links in it are removed, not followed. */
  removeTree(url: string | URL, options: OperationOptions = {}): Promise<void> {
    const signal = options.signal ?? new AbortController().signal
    return this.#at(url, (session, name) => removeTree(session, name, signal), options)
  }

  /** @internal */
  get settings(): Settings {
    return this.#settings
  }

  /** Closes every session; those at work close when they are done. */
  close(): Promise<void> {
    return this.#lender.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #fetch(target: FtpTarget, receive: Parameters<OpenDownload>[0], signal: AbortSignal): Promise<Incoming> {
    const { settings } = this
    checkPlan(planFor(target, settings), settings)
    let data: DataConnection | undefined
    const request: LendRequest = {
      target: linkTargetFor(target, settings),
      signal,
      distance: (kept) => distanceTo(target, kept, settings),
      mayRepeat: () => (data?.bytes ?? 0) === 0,
    }
    return this.#lender.lend(request, async (link, reused) => {
      const plan = planFor(target, reused ? { ...settings, state: link.state } : settings)
      const onData = (begun: DataConnection): void => {
        data = begun
        receive(begun, plan.representation.type === 'A')
      }
      const { size, done } = await fetchOver(link, plan, { onData, signal, keep: settings.idleMs > 0 })
      return { value: { size, done, secure: link.pi.dataProtected }, done }
    })
  }

  #at<T>(
    url: string | URL,
    work: (session: FtpSession, name: string) => Promise<T>,
    options: OperationOptions,
  ): Promise<T> {
    const { directory, name } = this.#placeOf(url)
    return this.#useIn(directory, (session) => work(session, name), options)
  }

  /** The directory of a target, as a target of its own, and the name in it. */
  #placeOf(url: string | URL): { readonly directory: FtpTarget; readonly name: string } {
    const target = parseTarget(url, this.#settings)
    if (target.name !== '') return { directory: { ...target, name: '', type: undefined }, name: target.name }
    const name = target.segments.at(-1)
    if (name === undefined || name === '') return { directory: target, name: '.' }
    return { directory: { ...target, segments: target.segments.slice(0, -1) }, name }
  }

  #useIn<T>(
    directory: FtpTarget,
    work: (session: FtpSession) => Promise<T>,
    options: OperationOptions,
  ): Promise<T> {
    const { settings } = this
    const { signal, release } = operationSignal(options)
    let started = false
    const request: LendRequest = {
      target: linkTargetFor(directory, settings),
      signal,
      distance: (kept) => distanceTo(directory, kept, settings),
      mayRepeat: () => !started,
    }
    return this.#lender
      .lend(request, async (link) => {
        const session = await SessionLink.over(link, signal)
        const { directories, path } = planFor(directory, { ...settings, state: link.state })
        await session.goTo(directories, path, signal)
        started = true
        const value = await work(new FtpSession(session))
        return { value, done: session.idle() }
      })
      .finally(release)
  }
}

function isFtpUrl(place: string | URL): boolean {
  return /^ftps?:\/\//i.test(place instanceof URL ? place.href : place)
}

function localPath(place: string | URL): string {
  return place instanceof URL ? fileURLToPath(place) : place
}

function distanceTo(target: FtpTarget, kept: Link, settings: Settings): number | undefined {
  const { start, directories } = planFor(target, { ...settings, state: kept.state })
  return start === 'continue' ? directories.length : undefined
}

function parseTarget(url: string | URL, { limits, allowPorts, encoding }: Settings): FtpTarget {
  return parseFtpUrl(url, { limits, allowPorts, encoding })
}

function linkTargetFor(target: FtpTarget, settings: Settings): LinkTarget {
  const tls = target.protocol === 'ftps' ? 'implicit' : settings.tls
  return { host: target.host, port: target.port, tls, credentials: credentialsFor(target, settings) }
}

/** Whatever cannot be sent is refused before anything is. */
function checkPlan(plan: FetchPlan, { encoding, limits }: Settings): void {
  const { action } = plan
  const commands = [
    ...walk(plan.directories),
    represent(plan.representation),
    action.kind === 'retrieve' ? retrieve(action.name) : nameList(action.name),
  ]
  for (const command of commands) encodeCommand(command, { encoding, commandBytes: limits.commandBytes })
}
