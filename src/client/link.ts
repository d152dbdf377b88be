/**
 * One logged-in session from within: the user-PI, and what is known to be true at the server's end.
 */
import { FtpError } from '../errors.ts'
import { pathOfReply } from '../protocol/path-reply.ts'
import { isSameType, type SessionState } from '../protocol/plan.ts'
import type { Reply } from '../protocol/reply.ts'
import { attempt, flight, judge, query, type Script, type Step } from '../protocol/script.ts'
import { login } from '../protocol/scripts/login.ts'
import { passiveOrder, type PassiveCommand } from '../protocol/scripts/passive.ts'
import { sizeOfReply } from '../protocol/scripts/retrieve.ts'
import { authenticateTls, protectData } from '../protocol/scripts/secure.ts'
import { openTransfer, type DataMode } from '../protocol/scripts/transfer.ts'
import { represent } from '../protocol/scripts/walk.ts'
import type { Representation } from '../protocol/url.ts'
import type { DialogueObserver } from '../transport/control-connection.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import { joinTransfer } from '../transport/join-transfer.ts'
import { settleRefusal } from '../transport/resynchronise.ts'
import { aborted } from '../transport/open-socket.ts'
import { UserPI, type ScriptContext } from '../transport/user-pi.ts'
import { Deadline } from '../transport/deadline.ts'
import { observeTransfer } from './observe.ts'
import type { LinkTarget, LinkTransfer, StartedTransfer } from './link-request.ts'
import { isInStep } from './in-step.ts'
import { PassiveAhead } from './passive-ahead.ts'
import { transportSettings } from './transport-settings.ts'
import type { Settings } from './options.ts'

/** A session. Its user sees to it that only one thing happens at a time. */
export class Link {
  readonly target: LinkTarget
  readonly #settings: Settings
  readonly #pi: UserPI
  readonly #greeting: Reply
  #loggedIn = false
  #loginDirectory: string | undefined
  #walked: readonly string[] | undefined = []
  #type: Representation | undefined
  #learnedPassive: PassiveCommand | undefined
  readonly #ahead = new PassiveAhead()
  #markerLeft = false
  /** The server wants to know the transfer before the data connection (PRET). */
  announces = false
  /** The data go through zlib (MODE Z). */
  deflates = false

  private constructor(target: LinkTarget, settings: Settings, pi: UserPI, greeting: Reply) {
    this.target = target
    this.#settings = settings
    this.#pi = pi
    this.#greeting = greeting
  }

  /** Connects and waits for the greeting; TLS begins here. The login rides with the first commands. */
  static async connect(
    target: LinkTarget,
    settings: Settings,
    signal: AbortSignal,
    observer: DialogueObserver,
  ): Promise<Link> {
    const { pi, greeting } = await UserPI.connect(transportSettings(target, settings), signal, observer)
    const link = new Link(target, settings, pi, greeting)
    if (greeting.kind === 'refusal') {
      const error = new FtpError('FTP_REFUSED', `The server refused the connection: ${greeting.toString()}`, {
        phase: 'greeting',
        reply: greeting.toJSON(),
      })
      link.destroy(error)
      throw error
    }
    if (target.tls === 'explicit') await link.#guarded(signal, () => pi.run(authenticateTls()))
    return link
  }

  /** The greeting of the server. */
  get greeting(): Reply {
    return this.#greeting
  }

  /** True once the login is done: it rides with the first commands. */
  get loggedIn(): boolean {
    return this.#loggedIn
  }

  get pi(): UserPI {
    return this.#pi
  }

  get settings(): Settings {
    return this.#settings
  }

  /** False once the connection is over. */
  get alive(): boolean {
    return this.#pi.control.failure === undefined
  }

  /** True where nothing is under way but perhaps a passive reply that was asked for ahead. */
  get idle(): boolean {
    const { state } = this.#pi.control
    return this.alive && (state === 'ready' || (state === 'exchanging' && this.#ahead.pending))
  }

  /** What the planner may count on. */
  get state(): SessionState {
    return { loginDirectory: this.#loginDirectory, walked: this.#walked, type: this.#type }
  }

  /** The directory in which the login ended, where PWD told it. */
  get loginDirectory(): string | undefined {
    return this.#loginDirectory
  }

  /** The caller has changed the directory in a way of its own. */
  forgetDirectory(): void {
    this.#walked = undefined
  }

  /** The session stands where the arguments of these `CWD`s lead from the login directory. */
  noteWalked(path: readonly string[] | undefined): void {
    this.#walked = path
  }

  /** Sends a flight; logs in first, in the same flight where that is allowed. */
  async prepare(steps: readonly Step[], signal: AbortSignal): Promise<readonly Reply[]> {
    return this.#guarded(signal, async () => {
      if (this.#loggedIn) return this.run(flight(...steps))
      return this.#login(steps)
    })
  }

  /** Runs a script on a session that is logged in. */
  run<T>(script: Script<T>, context: ScriptContext = {}): Promise<T> {
    return this.#pi.run(script, { onAsk: this.#onAsk, ...context })
  }

  /** Runs one command's script; what fails for another reason than a refusal ends the session. */
  command<T>(script: Script<T>, signal: AbortSignal): Promise<T> {
    return this.#guarded(signal, () => this.run(script))
  }

  /** Where the login has led to, which is the only sure way back to it (RFC 1630). */
  rememberLoginDirectory(reply: Reply | undefined): void {
    this.#loginDirectory = this.pathOf(reply)
  }

  /** The path in a 257, or undefined: then there is no way back, and a new connection serves. */
  pathOf(reply: Reply | undefined): string | undefined {
    try {
      return reply?.kind === 'completion' ? pathOfReply(reply) : undefined
    } catch {
      return undefined
    }
  }

  /** Sets the representation type unless it is set already. */
  typeSteps(type: Representation): Step[] {
    return isSameType(this.#type, type) ? [] : [represent(type)]
  }

  /** The type that the server has agreed to; undefined after a failure. */
  noteType(type: Representation | undefined): void {
    this.#type = type
  }

  /** Opens a transfer. What it promises has to be waited for before anything else is sent. */
  async transfer(request: LinkTransfer, signal: AbortSignal): Promise<StartedTransfer> {
    let data: DataConnection | undefined
    const restart = request.restart ?? (this.#markerLeft ? 0 : undefined)
    const context: ScriptContext = {
      direction: request.direction,
      watchEnd: () => request.direction === 'receive' && request.size === undefined,
      onData: (begun) => {
        data = begun
        if (this.deflates && request.direction === 'receive') begun.inflate()
        request.onData(begun)
      },
    }
    const announce = this.announces
    const opening = await this.#guarded(signal, async () => {
      // A server may keep the marker of a RETR that failed for the next one (ftp-srv does).
      const hadMarker = this.#markerLeft
      this.#markerLeft ||= (restart ?? 0) > 0
      try {
        const passiveReply = request.passiveReply ?? (await this.#ahead.take())
        return await this.run(
          openTransfer({ ...request, restart, announce, passiveReply, data: this.#dataMode() }),
          context,
        )
      } catch (error) {
        const { dataProtected } = this.#pi
        if (error instanceof FtpError && error.command?.startsWith('REST') === true)
          this.#markerLeft = hadMarker
        if (data !== undefined && dataProtected && isInStep(error)) {
          await settleRefusal(this.#pi, data, this.#settings.timeouts.abort)
        }
        throw error
      }
    })
    this.#learnedPassive = opening.by
    const exchange = this.#pi.transfer
    if (data === undefined || exchange === undefined)
      throw new FtpError('FTP_BUSY', 'The transfer has no data connection.')
    const size = request.size ?? sizeOfReply(opening.along)
    const stopNoops = this.#keepAlive()
    const done = joinTransfer({
      pi: this.#pi,
      data,
      exchange,
      ended: request.sent?.() ?? data.ended,
      direction: request.direction,
      mayBeEmpty: request.mayBeEmpty === true || size === 0,
      abortMs: this.#settings.timeouts.abort,
      finalReplyMs: this.#settings.timeouts.finalReply,
      last: request.last ?? false,
    })
      .then((end) => {
        this.#markerLeft = false
        if (request.last !== true) this.#askAhead()
        return end
      })
      .finally(stopNoops)
    done.catch(() => undefined)
    observeTransfer(`${this.target.host}:${this.target.port}`, exchange.command, done)
    return { reply: opening.reply, size, done }
  }

  /** Says QUIT and closes; waits no longer than the deadline `close`. */
  async close(): Promise<void> {
    if (this.idle) {
      const deadline = new Deadline(() => this.destroy())
      deadline.set(this.#settings.timeouts.close)
      try {
        await this.run(query('QUIT'))
      } catch {
        // Whatever the server makes of it, the connection ends here.
      } finally {
        deadline.clear()
      }
    }
    this.destroy()
  }

  /** Ends at once. */
  destroy(error?: FtpError): void {
    this.#pi.destroy(error)
  }

  async #login(steps: readonly Step[]): Promise<readonly Reply[]> {
    const { credentials, tls } = this.target
    const protection =
      tls === 'off' ? [] : protectData(this.#settings.dataProtection === 'private' ? 'P' : 'C')
    const { clientName, sendHost } = this.#settings
    const name = clientName === undefined ? [] : [{ verb: 'CLNT', argument: clientName, optional: true }]
    const first = [...name, ...protection]
    const all = [...first, ...steps]
    // A server that does not know HOST serves one host: then nothing is lost (RFC 7151 §3.1).
    if (sendHost) await this.run(attempt({ verb: 'HOST', argument: this.target.host, optional: true }))
    // 230 as a greeting: logged in already (curl's test 1219).
    const script =
      this.#greeting.code === 230 ? flight(...all) : login(credentials, this.#settings.pipelining, all)
    const replies = judge(all, await this.run(script))
    this.#loggedIn = true
    this.#pi.dataProtected = tls !== 'off' && this.#settings.dataProtection === 'private'
    return replies.slice(first.length)
  }

  #keepAlive(): () => void {
    const { noopMs } = this.#settings
    const timer = noopMs > 0 ? setInterval(() => this.#pi.control.keepAlive(), noopMs) : undefined
    return () => clearInterval(timer)
  }

  /** What was asked for ahead is of no use any more: another PASV, or a PORT, comes in between. */
  forgetAhead(): void {
    void this.#ahead.take()
  }

  /** With `'full'` the passive command rides in the flight before. */
  passiveAhead(): PassiveCommand | undefined {
    const { pipelining, dataMode } = this.#settings
    const rides = pipelining === 'full' && dataMode === 'passive' && !this.announces && !this.#ahead.fresh
    return rides ? this.passiveOrder()[0] : undefined
  }

  #askAhead(): void {
    const by = this.passiveAhead()
    if (by !== undefined && this.idle) this.#ahead.ask(this.#pi, by)
  }

  passiveOrder(): readonly PassiveCommand[] {
    return passiveOrder(this.#settings.passive, this.#pi.family, this.#learnedPassive)
  }

  #dataMode(): DataMode {
    const { dataMode, pasvAddress, dataPorts } = this.#settings
    if (dataMode === 'active') return { mode: 'active' }
    return { mode: 'passive', order: this.passiveOrder(), address: pasvAddress, ports: dataPorts }
  }

  readonly #onAsk = (what: 'password' | 'account', reply: Reply): string | undefined | Promise<string> =>
    (what === 'password' ? this.#settings.onPassword : this.#settings.onAccount)?.(reply)

  /** Whatever is under way when the signal fires ends with the connection; so does what fails half-way. */
  async #guarded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const stop = (): void => this.destroy(aborted(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await work()
    } catch (error) {
      if (!this.#loggedIn || !isInStep(error)) this.destroy(error instanceof FtpError ? error : undefined)
      this.#pi.release()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
