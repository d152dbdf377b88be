/**
 * The connection behind a session: whose turn it is, and how to get a new one like it.
 */
import { FtpError } from '../errors.ts'
import { parseFeatures, type Features } from '../protocol/features.ts'
import { send } from '../protocol/script.ts'
import { walk } from '../protocol/scripts/walk.ts'
import { mayBeChoked } from './in-step.ts'
import { Link } from './link.ts'
import type { LinkTarget } from './link-request.ts'
import { observerOf } from './observe.ts'
import type { OperationOptions, Settings } from './options.ts'
import { TurnQueue } from './turn-queue.ts'

let made = 0
const sessions = new WeakMap<Link, SessionLink>()

/** Owns the link of one session. */
export class SessionLink {
  readonly settings: Settings
  /** Rises with each session. */
  readonly order = ++made
  readonly #target: LinkTarget
  readonly #queue = new TurnQueue((busy) => this.#hold(busy))
  #link: Link
  /** The way that `directory` belongs to. */
  #walked: readonly string[] | undefined
  #closed = false
  /** The working directory, where a PWD told it; undefined after a move that nobody could follow. */
  directory: string | undefined
  /** What the server offers, where it was asked at login. */
  features: Features | undefined
  /** False once MLSD was not there; remembered for the session. */
  listsByMlsd = false
  /** The facts of MLSD have been chosen. */
  factsAsked = false
  /** The zone of the server's clock, once it was found out. */
  serverTimeZone: number | undefined

  private constructor(target: LinkTarget, settings: Settings, link: Link) {
    this.#target = target
    this.settings = settings
    this.#link = link
  }

  /** Connects and logs in. FEAT and PWD ride along: the session will need what they tell. */
  static async open(target: LinkTarget, settings: Settings, signal: AbortSignal): Promise<SessionLink> {
    const link = await Link.connect(
      target,
      settings,
      signal,
      observerOf(settings, `${target.host}:${target.port}`),
    )
    const session = new SessionLink(target, settings, link)
    try {
      await session.#login(link, signal)
      return session
    } catch (error) {
      // A server that chokes on a flight of commands gets them one at a time, on a connection of its own.
      const choked = settings.pipelining !== 'off' && link.pi.control.failedInFlight && mayBeChoked(error)
      link.destroy()
      if (!choked || signal.aborted) throw error
      return await SessionLink.open(target, { ...settings, pipelining: 'off' }, signal)
    }
  }

  /** The session of a link from a pool: made at the first use, kept with the link. */
  static async over(link: Link, signal: AbortSignal): Promise<SessionLink> {
    const known = sessions.get(link)
    if (known !== undefined) return known
    const session = new SessionLink(link.target, link.settings, link)
    await session.#login(link, signal)
    sessions.set(link, session)
    return session
  }

  /** Walks into a directory whose whole way from the login is `path`. */
  async goTo(directories: readonly string[], path: readonly string[], signal: AbortSignal): Promise<void> {
    const link = this.#link
    // A fetch may have moved the link meanwhile.
    const moved = link.state.walked !== this.#walked
    if (directories.length > 0 || moved || this.directory === undefined) {
      link.forgetDirectory()
      const replies = await link.prepare([...walk(directories), { verb: 'PWD', optional: true }], signal)
      this.directory = link.pathOf(replies.at(-1))
    }
    link.noteWalked(path)
    this.#walked = path
  }

  /** Nothing is under way: an idle session does not keep the process alive. */
  rest(): void {
    this.#hold(false)
  }

  /** True while something is under way or waits for its turn. */
  get busy(): boolean {
    return this.#queue.busy
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    const leave = await this.#queue.enter(new AbortController().signal)
    leave()
  }

  get current(): Link {
    return this.#link
  }

  /** Runs `work` when its turn comes. */
  turn<T>(work: (link: Link, signal: AbortSignal) => Promise<T>, options?: OperationOptions): Promise<T> {
    return this.#queue.run((signal) => {
      this.checkOpen()
      return work(this.#link, signal)
    }, options)
  }

  /** Waits for the turn, and gives the function that ends it. */
  async enter(signal: AbortSignal): Promise<() => void> {
    const leave = await this.#queue.enter(signal)
    try {
      this.checkOpen()
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** @throws FtpError `FTP_CLOSED` after `close`, or whatever ended the connection. */
  checkOpen(): void {
    if (this.#closed) throw new FtpError('FTP_CLOSED', 'The session is closed.', { phase: 'arguments' })
    const { failure } = this.#link.pi.control
    if (failure !== undefined) {
      throw new FtpError('FTP_CLOSED', `The session is over: ${failure.message}`, {
        phase: 'arguments',
        kind: failure.kind,
        cause: failure,
      })
    }
  }

  /** A new connection in the place of a lost one, in the same directory. */
  async reopen(signal: AbortSignal): Promise<void> {
    if (this.#closed) this.checkOpen()
    if (this.directory === undefined) {
      throw new FtpError(
        'FTP_CLOSED',
        'The connection was lost, and the server never told the working directory: there is no sure way back to it.',
      )
    }
    const { directory } = this
    const link = await Link.connect(
      this.#target,
      this.settings,
      signal,
      observerOf(this.settings, `${this.#target.host}:${this.#target.port}`),
    )
    try {
      await this.#login(link, signal)
      if (this.directory !== directory) await link.command(send('CWD', directory), signal)
    } catch (error) {
      link.destroy()
      throw error
    }
    this.directory = directory
    this.#link = link
  }

  async close(): Promise<void> {
    if (this.#closed) return
    const unread = this.#breakOffUnread()
    const leave = await this.#queue.enter(new AbortController().signal)
    clearInterval(unread)
    this.#closed = true
    try {
      await this.#link.close()
    } finally {
      leave()
    }
  }

  /** A download that nobody reads would hold up the end of the session for ever: no clock watches a slow reader. */
  #breakOffUnread(): NodeJS.Timeout | undefined {
    const { stall } = this.settings.timeouts
    if (!(stall > 0 && stall < 2 ** 31)) return undefined
    let before = this.#link.pi.transferred
    return setInterval(() => {
      const now = this.#link.pi.transferred
      if (now !== undefined && now === before) {
        this.#link.destroy(
          new FtpError('FTP_CLOSED', `The session was closed, and nothing moved for ${stall} ms more.`, {
            phase: 'close',
          }),
        )
      }
      before = now
    }, stall)
  }

  async #login(link: Link, signal: AbortSignal): Promise<void> {
    const isFirst = !link.loggedIn
    const [feat, where] = await link.prepare(
      [
        { verb: 'FEAT', optional: true },
        { verb: 'PWD', optional: true },
      ],
      signal,
    )
    this.features = parseFeatures(feat)
    // Not under TLS: what packs well shows through the encryption (CVE-2012-4929).
    const mayPack = this.settings.compression === 'auto' && !link.pi.dataProtected
    if (mayPack && /(?:^|;| )Z\b/i.test(this.features.get('MODE') ?? '')) {
      const [reply] = await link.prepare([{ verb: 'MODE', argument: 'Z', optional: true }], signal)
      link.deflates = reply?.kind === 'completion'
    }
    // RFC 3659 §7.8: MLST in the reply to FEAT stands for both MLST and MLSD.
    this.listsByMlsd = this.features.has('MLST') || this.features.has('MLSD')
    this.factsAsked = false
    link.announces = this.features.has('PRET')
    // A link that has served URLs stands anywhere: only what was asked right after the login is the way back.
    if (isFirst) link.rememberLoginDirectory(where)
    this.directory = link.pathOf(where)
    // Some servers (IIS, older FileZilla) send UTF-8 only when told to; whatever they answer is fine.
    if (this.settings.encoding === undefined && this.features.has('UTF8')) {
      await link.prepare([{ verb: 'OPTS', argument: 'UTF8 ON', optional: true }], signal)
    }
  }

  #hold(busy: boolean): void {
    if (this.#link.alive) this.#link.pi.control.setHolding(busy)
  }
}
