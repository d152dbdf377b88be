/**
 * The control connection: commands down, replies up, strictly in pairs (RFC 959 §2.3).
 */
import net from 'node:net'
import type { Duplex } from 'node:stream'
import type tls from 'node:tls'
import { FtpError, type FtpPhase } from '../errors.ts'
import { describeCommand, encodeCommand, verbOf, type Command } from '../protocol/commands.ts'
import { nextConnectionState, type ConnectionEvent, type ConnectionState } from '../protocol/machine.ts'
import type { Reply } from '../protocol/reply.ts'
import { ReplyParser } from '../protocol/reply-parser.ts'
import {
  connectionClosed,
  connectionFailed,
  inContext,
  outOfStep,
  redactedReply,
  serviceUnavailable,
  tooManyReplies,
  unanswered,
  unasked,
  withoutSecrets,
  type ErrorContext,
} from './control-errors.ts'
import { Deadline, deferred } from './deadline.ts'
import { guarded, type DialogueObserver } from './dialogue-observer.ts'
import { Drain } from './drain.ts'
import { Exchange, settleAll, type Told, type Verdict } from './exchange.ts'
import { addressesOf } from './peer-address.ts'
import { NoopCounter } from './noop-counter.ts'
import type { TransportSettings } from './settings.ts'
import { beginTls, type TlsSessions } from './tls.ts'

export type { DialogueObserver } from './dialogue-observer.ts'

const MARK: Command = { verb: 'PWD' }

/** Reads replies, pairs them, and watches the clock. Any breach of the protocol ends it. */
export class ControlConnection {
  readonly #settings: TransportSettings
  readonly #observer: Required<DialogueObserver>
  readonly #parser: ReplyParser
  readonly #deadline = new Deadline(() => this.#fail(unanswered(this.#context)))
  readonly #closed = deferred<FtpError>()
  readonly #secrets = new Set<string>()
  readonly #noops = new NoopCounter()
  #socket: Duplex
  /** The TCP connection beneath; the same as `#socket` until TLS begins. */
  readonly #raw: Duplex
  #state: ConnectionState = 'greeting'
  #queue: Exchange[]
  #phase: FtpPhase = 'greeting'
  #failure: FtpError | undefined
  #crowded = false
  #awaitingTls = false
  /** While set, replies are swallowed until the 257 of PWD comes. */
  #drain: Drain | undefined

  /** `raw` is the TCP connection beneath a `socket` that speaks TLS from the start. */
  constructor(socket: Duplex, raw: Duplex, settings: TransportSettings, observer: DialogueObserver = {}) {
    this.#socket = socket
    this.#raw = raw
    this.#settings = settings
    this.#observer = guarded(observer, (error) => this.#fail(error))
    this.#parser = new ReplyParser(settings.limits, settings.encoding)
    this.#queue = [new Exchange('the connection', 'greeting')]
    this.#attach(socket)
    this.#deadline.set(settings.timeouts.reply)
  }

  /** Where the server is; undefined behind a proxy. */
  get peerAddress(): string | undefined {
    return this.#settings.connect === undefined ? addressesOf(this.#raw).remote : undefined
  }

  /** This end's address, for active mode. */
  get localAddress(): string | undefined {
    return addressesOf(this.#raw).local
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Why the connection ended. */
  get failure(): FtpError | undefined {
    return this.#failure
  }

  /** Resolves with the reason when the connection is over. */
  get closed(): Promise<FtpError> {
    return this.#closed.promise
  }

  /** True where several commands were unanswered when the connection failed. */
  get failedInFlight(): boolean {
    return this.#crowded
  }

  /** The 220, however many 120s precede it. */
  greeting(): Promise<Reply> {
    const [greeting] = this.#queue
    return greeting?.final ?? Promise.reject(this.#closedError())
  }

  /** Writes the commands in one go. Nothing is written where one of them cannot be. */
  send(commands: readonly Command[]): Exchange[] {
    const { encoding, limits } = this.#settings
    const lines = commands.map((command) =>
      encodeCommand(command, { encoding, commandBytes: limits.commandBytes }),
    )
    if (this.#failure !== undefined) throw this.#closedError()
    this.#move('send')
    const exchanges = commands.map((command) => this.#exchangeOf(command))
    const idle = this.#queue.length === 0
    this.#queue.push(...exchanges)
    this.#phase = 'reply'
    if (idle) this.#deadline.set(this.#settings.timeouts.reply)
    for (const { command } of exchanges) this.#observer.onCommand(command)
    this.#socket.write(lines.length === 1 && lines[0] !== undefined ? lines[0] : Buffer.concat(lines))
    return exchanges
  }

  /** Shows the server, and every NAT on the way, that this end is alive while data flow. */
  keepAlive(): void {
    if (this.#failure !== undefined || this.#queue.length === 0 || this.#drain !== undefined) return
    this.#noops.sent()
    try {
      this.#observer.onCommand('NOOP')
      this.#socket.write('NOOP\r\n')
    } catch {} // a callback that throws has ended the connection
  }

  /** The deadline of the reply waits while data flow (issue 21 of basic-ftp and many like it). */
  holdDeadline(): void {
    this.#deadline.clear()
  }

  /** The data have ended: the last reply is due. */
  expectFinal(ms: number): void {
    if (this.#queue.length === 0 || this.#failure !== undefined) return
    this.#phase = 'final-reply'
    this.#deadline.set(ms)
  }

  /**
   * Finds the way back into step where nobody can count the replies: sends `first`, waits for any reply, then
   * sends PWD, whose 257 cannot be taken for anything else, and swallows all replies up to that. Gives the
   * number of replies before it. PWD must not ride along: Pure-FTPd drops what comes in one packet with ABOR.
   */
  async drain(first: Command | undefined, ms: number): Promise<number> {
    const drain = new Drain(first === undefined)
    this.#drain = drain
    this.send([first ?? MARK])
    this.#phase = 'abort'
    this.#deadline.set(ms)
    return drain.done
  }

  /** Begins TLS. Nothing the server sent before may be left (CVE-2021-22947). */
  async secure(sessions: TlsSessions): Promise<tls.TLSSocket> {
    if (this.#failure !== undefined) throw this.#closedError()
    this.#move('secure')
    this.#detach(this.#socket)
    const { socket, secured } = beginTls(this.#raw, {
      settings: this.#settings,
      sessions,
      purpose: 'control',
    })
    this.#socket = socket
    try {
      await secured
    } catch (error) {
      this.#fail(error as FtpError)
      throw error
    }
    // The caller may have closed the connection during the handshake.
    if (this.#failure !== undefined) throw this.#closedError()
    this.#move('secured')
    this.#attach(socket)
    return socket
  }

  /** The same error without the secrets that this connection has sent. */
  redacted(error: unknown): unknown {
    return withoutSecrets(error, this.#secrets)
  }

  /** Keeps the process alive, or lets it end: an idle connection shall not hold it. */
  setHolding(holding: boolean): void {
    for (const socket of [this.#raw, this.#socket]) {
      if (socket instanceof net.Socket) socket[holding ? 'ref' : 'unref']()
    }
  }

  /** Ends at once. */
  destroy(error?: FtpError): void {
    this.#fail(
      error ?? new FtpError('FTP_CLOSED', 'The connection was closed by this end.', { phase: 'close' }),
    )
  }

  #exchangeOf(command: Command): Exchange {
    const verb = verbOf(command)
    if (verb.secret === true && typeof command.argument === 'string') this.#secrets.add(command.argument)
    return new Exchange(describeCommand(command), verb.exchange, verb.codes, verb.exchange === 'login')
  }

  readonly #onData = (chunk: Buffer): void => {
    const told: Told[] = []
    try {
      for (const reply of this.#parser.push(chunk)) this.#take(this.#redacted(reply), told)
    } catch (thrown) {
      const error = inContext(thrown, this.#context)
      // A reply too many in the same packet takes those before it along; a 421 may follow a good one.
      if (error.code === 'FTP_SERVICE_UNAVAILABLE') settleAll(told)
      else for (const { exchange } of told) exchange.fail(error)
      return this.#fail(error)
    }
    settleAll(told)
    if (this.#queue.length > 0 || this.#noops.waiting || !this.#parser.partial) return
    // Whoever says half a word unasked will say the rest in answer to something else.
    this.#fail(inContext(unasked('part of a reply', this.#awaitingTls), this.#context))
  }

  #take(reply: Reply, told: Told[]): void {
    this.#observer.onReply(redactedReply(reply, this.#secrets))
    if (reply.code === 421) throw serviceUnavailable(reply)
    if (this.#drain !== undefined) return this.#swallow(reply, this.#drain)
    const [exchange] = this.#queue
    if (this.#noops.claims(reply, exchange?.kind === 'transfer')) return
    if (exchange === undefined) throw unasked(reply.toString(), this.#awaitingTls)
    const verdict = exchange.judge(reply)
    if (verdict === 'out-of-step') throw outOfStep(exchange.command, reply)
    if (exchange.preliminaries > this.#settings.limits.preliminaryReplies)
      throw tooManyReplies(exchange.command, reply)
    if (verdict === 'over') this.#queue.shift()
    this.#awaitingTls = exchange.command === 'AUTH TLS' && reply.code === 234
    this.#rewind(exchange, verdict)
    if (this.#queue.length === 0) this.#move('answered')
    told.push({ exchange, reply, verdict })
  }

  #swallow(reply: Reply, drain: Drain): void {
    const verdict = drain.take(reply)
    if (verdict === 'mark') this.send([MARK])
    if (verdict !== 'over') return
    this.#noops.reset()
    this.#drain = undefined
    const aborted = new FtpError('FTP_ABORTED', 'The transfer was aborted.', { phase: 'abort' })
    for (const exchange of this.#queue) exchange.fail(aborted)
    this.#queue = []
    this.#deadline.clear()
    this.#move('answered')
    drain.settle()
  }

  /** Sets the deadline for whatever is due next. */
  #rewind(exchange: Exchange, verdict: Verdict): void {
    if (verdict === 'more') {
      // A transfer has no deadline while it runs: the data connection has. A 120 starts the wait anew.
      if (exchange.kind === 'greeting') this.#deadline.set(this.#settings.timeouts.reply)
      else if (this.#phase !== 'final-reply') this.#deadline.clear()
      return
    }
    if (this.#queue.length === 0) this.#deadline.clear()
    else if (this.#phase === 'reply') this.#deadline.set(this.#settings.timeouts.reply)
  }

  #move(event: ConnectionEvent): void {
    const state = nextConnectionState(this.#state, event)
    if (state === undefined)
      throw new FtpError('FTP_BUSY', `A control connection that is ${this.#state} cannot ${event}.`)
    this.#state = state
  }

  /** Some servers quote a password in their refusal. Replies that are read by machine stay as they are. */
  #redacted(reply: Reply): Reply {
    const exchange = this.#queue[0]
    const exposed = reply.kind === 'refusal' || exchange?.secret === true || exchange?.kind === 'transfer'
    return exposed ? redactedReply(reply, this.#secrets) : reply
  }

  #attach(socket: Duplex): void {
    socket.on('data', this.#onData).on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onEnd)
  }

  #detach(socket: Duplex): void {
    socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd)
    // The error listener stays: a late error on the socket beneath TLS must not end the process.
  }

  readonly #onError = (cause: Error): void => this.#fail(connectionFailed(this.#context, cause))

  readonly #onEnd = (): void => this.#fail(connectionClosed(this.#context))

  /** What was going on, for an error. */
  get #context(): ErrorContext {
    return { phase: this.#phase, command: this.#queue[0]?.command, secrets: this.#secrets }
  }

  #closedError(): FtpError {
    return this.#failure ?? new FtpError('FTP_CONNECTION_CLOSED', 'The control connection is closed.')
  }

  #fail(error: FtpError): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#state = 'closed'
    this.#deadline.clear()
    this.#crowded = this.#queue.length > 1
    this.#drain?.fail(error)
    for (const exchange of this.#queue) exchange.fail(error)
    this.#queue = []
    this.#secrets.clear()
    this.#socket.destroy()
    this.#raw.destroy()
    this.#closed.resolve(error)
  }
}
