/**
 * A client for ftp URLs: it keeps sessions and hands each URL to the one that stands nearest.
 */
import { FtpError } from '../errors.ts'
import { encodeCommand } from '../protocol/commands.ts'
import { planFor, type FetchPlan } from '../protocol/plan.ts'
import { nameList, retrieve } from '../protocol/scripts/retrieve.ts'
import { represent, walk } from '../protocol/scripts/walk.ts'
import { parseFtpUrl, type FtpTarget } from '../protocol/url.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import { credentialsFor } from './credentials.ts'
import { Download, type DownloadOptions } from './download.ts'
import type { Incoming } from './incoming.ts'
import { Link, type LinkTarget } from './link.ts'
import { saysNoFiles } from './listing.ts'
import { observerOf } from './observe.ts'
import { settingsOf, type FtpOptions, type OperationOptions, type Settings } from './options.ts'
import { NameSink } from './name-sink.ts'
import { SessionPool } from './pool.ts'

/** What `get` takes for one download. */
export interface GetOptions extends OperationOptions {
  /** Called about ten times a second while data come, and once at the end. */
  readonly onProgress?: DownloadOptions['onProgress']
}

/** What `list` takes. */
export type ListOptions = OperationOptions

/** The attempts that one fetch may make: as wished, on a fresh session, and without pipelining. */
const MOST_ATTEMPTS = 3

/** Sessions to any number of servers, and the verbs for URLs on them. */
export class FtpClient implements AsyncDisposable {
  readonly #settings: Settings
  readonly #pool: SessionPool
  /** Servers that choked on a flight of commands, or whose passive mode needs care. */
  readonly #oneAtATime = new Set<string>()

  /** @throws FtpError `FTP_INVALID_OPTION` */
  constructor(options: FtpOptions = {}) {
    this.#settings = settingsOf(options)
    this.#pool = new SessionPool(this.#settings)
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

  /** @internal */
  get settings(): Settings {
    return this.#settings
  }

  /** Closes every session; those at work close when they are done. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #fetch(
    target: FtpTarget,
    receive: (data: DataConnection, text: boolean) => void,
    signal: AbortSignal,
  ): Promise<Incoming> {
    const linkTarget = linkTargetFor(target, this.#settings)
    checkPlan(this.#plan(target), this.#settings)
    const key = JSON.stringify(linkTarget)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(target, linkTarget, key, receive, signal)
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || signal.aborted || !this.#mayRepeat(error, linkTarget))
          throw error instanceof Attempt ? error.reason : error
      }
    }
  }

  async #attempt(
    target: FtpTarget,
    linkTarget: LinkTarget,
    key: string,
    receive: (data: DataConnection, text: boolean) => void,
    signal: AbortSignal,
  ): Promise<Incoming> {
    const settings = this.#settingsFor(linkTarget)
    const { link, reused } = await this.#pool.borrow({
      key,
      signal,
      distance: (kept) => {
        const { start, directories } = planFor(target, { ...settings, state: kept.state })
        return start === 'continue' ? directories.length : undefined
      },
      open: () => Link.connect(linkTarget, settings, signal, observerOf(settings)),
    })
    let data: DataConnection | undefined
    const plan = planFor(target, reused ? { ...settings, state: link.state } : settings)
    try {
      const onData = (begun: DataConnection): void => {
        data = begun
        receive(begun, isText(plan))
      }
      const { size, done } = await link.fetch(plan, onData, signal, settings.idleMs > 0)
      const returned = done.finally(() => this.#pool.giveBack(key, link))
      returned.catch(() => undefined)
      return { size, done: returned, secure: link.pi.dataProtected }
    } catch (error) {
      const crowded = link.pi.control.failedInFlight
      this.#pool.giveBack(key, link)
      throw new Attempt(error, {
        reused,
        crowded,
        pipelined: settings.pipelining !== 'off',
        bytes: data?.bytes ?? 0,
      })
    }
  }

  #plan(target: FtpTarget): FetchPlan {
    return planFor(target, this.#settings)
  }

  #settingsFor({ host, port }: LinkTarget): Settings {
    return this.#oneAtATime.has(`${host}:${port}`) ? { ...this.#settings, pipelining: 'off' } : this.#settings
  }

  /** Once on a fresh session where a kept one had died; once without pipelining where the server choked on it. */
  #mayRepeat(error: unknown, { host, port }: LinkTarget): boolean {
    if (!(error instanceof Attempt) || !(error.reason instanceof FtpError) || error.bytes > 0) return false
    const { code, phase } = error.reason
    const lost = code === 'FTP_CONNECTION_CLOSED' || (code === 'FTP_SERVICE_UNAVAILABLE' && error.reused)
    if (error.reused && lost) return true
    const choked = error.crowded && (lost || code === 'FTP_TIMEOUT' || code === 'FTP_UNEXPECTED_REPLY')
    const unreachable =
      code === 'FTP_DATA_CONNECTION_FAILED' || (code === 'FTP_TIMEOUT' && phase === 'data-connect')
    if (!error.pipelined || !(choked || unreachable)) return false
    this.#oneAtATime.add(`${host}:${port}`)
    return true
  }
}

/** A failed attempt, and what speaks for another one. */
class Attempt extends Error {
  readonly reason: unknown
  readonly reused: boolean
  readonly crowded: boolean
  readonly pipelined: boolean
  readonly bytes: number

  constructor(
    reason: unknown,
    facts: { reused: boolean; crowded: boolean; pipelined: boolean; bytes: number },
  ) {
    super('attempt')
    this.reason = reason
    this.reused = facts.reused
    this.crowded = facts.crowded
    this.pipelined = facts.pipelined
    this.bytes = facts.bytes
  }
}

function parseTarget(url: string | URL, { limits, allowPorts, encoding }: Settings): FtpTarget {
  return parseFtpUrl(url, { limits, allowPorts, encoding })
}

function linkTargetFor(target: FtpTarget, settings: Settings): LinkTarget {
  const tls = target.protocol === 'ftps' ? 'implicit' : settings.tls
  return { host: target.host, port: target.port, tls, credentials: credentialsFor(target, settings) }
}

function isText({ representation }: FetchPlan): boolean {
  return representation.type === 'A'
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
