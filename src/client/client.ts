/**
 * A client for ftp URLs: it keeps sessions and hands each URL to the one that stands nearest.
 */
import { fileURLToPath } from 'node:url'
import { FtpError } from '../errors.ts'
import type { Entry } from '../listing/index.ts'
import { saysNoFiles } from '../protocol/scripts/refusals.ts'
import type { FtpTarget } from '../protocol/url.ts'
import { checkNames, OPERATION_NAMES } from './check-names.ts'
import { ClientCore, parseTarget } from './client-core.ts'
import { Download, type DownloadOptions } from './download.ts'
import type { DownloadResult } from './incoming.ts'
import type { OperationOptions } from './options.ts'
import { NameSink } from './name-sink.ts'
import type { ManyOptions, ManyOutcome } from './many.ts'
import type { MirrorOptions, MirrorResult, WithSession } from './mirror.ts'
import type { FtpSession } from './session.ts'
import type { SegmentsRequest } from './segments.ts'
import type { SessionListOptions } from './session-listing.ts'
import { operationSignal } from './turn-queue.ts'
import type { UploadOptions, UploadResult } from './upload.ts'
import { guardSource, type UploadSource } from './upload-source.ts'

/** What `get` takes for one download. */
export interface GetOptions extends OperationOptions {
  /** Called about ten times a second while data come, and once at the end. */
  readonly onProgress?: DownloadOptions['onProgress']
}

/** What `list` takes. */
export type ListOptions = OperationOptions

/** Sessions to any number of servers, and the verbs for URLs on them. */
export class FtpClient extends ClientCore implements AsyncDisposable {
  /**
   * The file that the URL names (RFC 1738 §3.2.2), or the raw name list of a directory.
   * @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN` at once; everything else through the stream.
   */
  get(url: string | URL, options: GetOptions = {}): Download {
    checkNames(options, [...OPERATION_NAMES, 'onProgress'])
    const { settings } = this
    const target = parseTarget(url, settings)
    return new Download((receive, signal) => this.fetch(target, receive, signal), {
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
    const download = new Download((receive, signal) => this.fetch(directory, receive, signal), {
      ...options,
      lineEnd: 'keep',
    })
    try {
      await download.into(names)
    } catch (error) {
      // RFC 959 has no reply for a directory without files; some servers say 450 or 550 and mean it.
      if (
        error instanceof FtpError &&
        error.command?.startsWith('NLST') === true &&
        error.reply !== undefined &&
        saysNoFiles(error.reply)
      )
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
    const target = parseTarget(url, this.settings)
    if (target.name === '') return this.useIn(target, work, options)
    throw new FtpError('FTP_INVALID_URL', 'The URL of a session names a directory: end it with a slash.', {
      phase: 'arguments',
    })
  }

  /** Uploads to the file that the URL names. */
  put(source: UploadSource, url: string | URL, options: UploadOptions = {}): Promise<UploadResult> {
    guardSource(source)
    const { directory, name } = this.placeOf(url)
    return this.useIn(directory, (session) => session.upload(source, name, options), options)
  }

  /** The entries of the directory that the URL names, with what the server tells of each. */
  entries(url: string | URL, options: SessionListOptions = {}): Promise<Entry[]> {
    const target = parseTarget(url, this.settings)
    const directory =
      target.name === ''
        ? target
        : { ...target, segments: [...target.segments, target.name], name: '', type: undefined }
    return this.useIn(directory, (session) => session.list(undefined, options).toArray(), options)
  }

  /** What the URL names. Errors: `FTP_NOT_FOUND`. */
  stat(url: string | URL, options: OperationOptions = {}): Promise<Entry> {
    return this.at(url, (session, name) => session.stat(name, options), options)
  }

  /** True where the URL names a file or a directory. */
  exists(url: string | URL, options: OperationOptions = {}): Promise<boolean> {
    return this.at(url, (session, name) => session.exists(name, options), options).catch((error: unknown) => {
      if (error instanceof FtpError && error.code === 'FTP_NOT_FOUND') return false
      throw error
    })
  }

  /** Removes the file that the URL names, or the empty directory if it ends with a slash. */
  remove(url: string | URL, options: OperationOptions = {}): Promise<void> {
    const isDirectory = parseTarget(url, this.settings).name === ''
    return this.at(
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
      await this.at(url, (session, name) => session.mkdir(name, options), options)
      return
    }
    const target = parseTarget(url, this.settings)
    const path = [...target.segments, target.name].filter((segment) => segment !== '')
    if (path.length === 0) return
    await this.useIn(
      { ...target, segments: [], name: '', type: undefined },
      (session) => session.mkdir(path.join('/'), options),
      options,
    )
  }

  /** Gives the file or directory that the URL names another path, seen from the directory that it is in. */
  rename(url: string | URL, to: string, options: OperationOptions = {}): Promise<void> {
    if (isFtpUrl(to))
      throw new FtpError('FTP_INVALID_ARGUMENT', 'The new name is a path on the server, not a URL.', {
        phase: 'arguments',
      })
    return this.at(url, (session, name) => session.rename(name, to, options), options)
  }

  /**
   * Downloads into a local file. With `segments`, large files come in so many parts at once, over as many
   * sessions, where the server can begin in the middle; else in one.
   */
  async download(
    url: string | URL,
    path: string,
    options: GetOptions & { readonly segments?: number } = {},
  ): Promise<DownloadResult> {
    const { segments = 1, ...rest } = options
    const { directory, name } = this.placeOf(url)
    const { type } = parseTarget(url, this.settings)
    if (segments > 1 && (type === undefined || (type.kind === 'representation' && type.type === 'I'))) {
      const { signal, release } = operationSignal(rest)
      const withSession: SegmentsRequest['withSession'] = (work) => this.useIn(directory, work, { signal })
      const most = Math.min(segments, this.settings.maxSessions)
      const { onProgress } = rest
      const { downloadSegments } = await import('./segments.ts')
      const size = await downloadSegments({
        name,
        path,
        segments: most,
        signal,
        onProgress,
        withSession,
      }).finally(release)
      if (size !== undefined)
        return {
          bytes: size,
          verified: true,
          cleanClose: undefined,
          reply: { code: 226, text: `${segments} parts` },
        }
    }
    return this.get(url, rest).saveTo(path)
  }

  /** Downloads many files, `maxSessions` at a time; the outcomes stand in the order of the jobs. */
  async downloadMany<Job extends { readonly url: string | URL; readonly path: string }>(
    jobs: readonly Job[],
    options: ManyOptions = {},
  ): Promise<Array<ManyOutcome<Job, DownloadResult>>> {
    const { maxSessions } = this.settings
    const { doMany } = await import('./many.ts')
    return doMany(jobs, ({ url, path }) => this.get(url, signalOf(options)).saveTo(path), {
      concurrency: maxSessions,
      ...options,
    })
  }

  /** Uploads many files, `maxSessions` at a time; the outcomes stand in the order of the jobs. */
  async uploadMany<Job extends { readonly source: UploadSource; readonly url: string | URL }>(
    jobs: readonly Job[],
    options: ManyOptions & Pick<UploadOptions, 'mode' | 'verify'> = {},
  ): Promise<Array<ManyOutcome<Job, UploadResult>>> {
    const { maxSessions } = this.settings
    const { mode, verify, ...many } = options
    const upload = {
      ...signalOf(options),
      ...(mode === undefined ? {} : { mode }),
      ...(verify === undefined ? {} : { verify }),
    }
    const { doMany } = await import('./many.ts')
    return doMany(jobs, ({ source, url }) => this.put(source, url, upload), {
      concurrency: maxSessions,
      ...many,
    })
  }

  /**
   * Makes a local folder like a remote one, or the other way round: one of both is an ftp URL that ends with a
   * slash. Several sessions work at once; unchanged files are left alone; one failure does not stop the rest.
   *
   * @throws FtpError where no session can be had, or the signal fires, or `stopOnError` is set.
   * @example
   * await client.mirror('ftp://ftp.example.com/pub/', 'pub')
   */
  async mirror(
    source: string | URL,
    destination: string | URL,
    options: MirrorOptions = {},
  ): Promise<MirrorResult> {
    const { MIRROR_NAMES } = await import('./mirror.ts')
    checkNames(options, MIRROR_NAMES)
    const { limits, maxSessions } = this.settings
    const [down, up] = [isFtpUrl(source), isFtpUrl(destination)]
    if (down === up)
      throw new FtpError(
        'FTP_INVALID_ARGUMENT',
        'One of source and destination is an ftp URL, the other a local folder.',
        { phase: 'arguments' },
      )
    const wished = options.concurrency ?? maxSessions
    if (!(wished >= 1))
      throw new FtpError('FTP_INVALID_OPTION', 'The option concurrency is a number from 1 up.', {
        phase: 'arguments',
      })
    const concurrency = Math.floor(Math.min(wished, maxSessions, 64))
    const withSession: WithSession = (work, signal) => this.use(down ? source : destination, work, { signal })
    if (down) {
      const { mirrorDown } = await import('./mirror-down.ts')
      return mirrorDown(withSession, localPath(destination), options, concurrency, limits.depth)
    }
    const { mirrorUp } = await import('./mirror-up.ts')
    const { signal } = options
    if (options.dryRun !== true)
      await this.mkdir(destination, { recursive: true, ...(signal === undefined ? {} : { signal }) })
    return mirrorUp(withSession, localPath(source), options, concurrency, limits.depth)
  }

  /** Removes a directory with all it holds; links in it are removed, not followed. */
  async removeTree(url: string | URL, options: OperationOptions = {}): Promise<void> {
    const { removeTree } = await import('./remove-tree.ts')
    const signal = options.signal ?? new AbortController().signal
    return this.at(url, (session, name) => removeTree(session, name, signal), options)
  }

  /** Closes every session; those at work close when they are done. */
  close(): Promise<void> {
    return this.lender.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function signalOf({ signal }: ManyOptions): OperationOptions {
  return signal === undefined ? {} : { signal }
}

function isFtpUrl(place: string | URL): boolean {
  return /^ftps?:\/\//i.test(place instanceof URL ? place.href : place)
}

function localPath(place: string | URL): string {
  return place instanceof URL ? fileURLToPath(place) : place
}
