/**
 * The user protocol interpreter (RFC 959 §2.2): drives scripts over one control connection, and opens the
 * data connections they ask for.
 */
import type tls from 'node:tls'
import { FtpError } from '../errors.ts'
import { verbOf, type Command } from '../protocol/commands.ts'
import type { Reply } from '../protocol/reply.ts'
import type { Listening, Request, Script, Step } from '../protocol/script.ts'
import { askCaller } from './ask-caller.ts'
import { checkPeer } from './check-peer.ts'
import { ControlConnection, type DialogueObserver } from './control-connection.ts'
import { DataConnection } from './data-connection.ts'
import type { OpenedSocket, SocketSource } from './data-socket.ts'
import { listenForData } from './data-listener.ts'
import type { Exchange } from './exchange.ts'
import { isLoginRefused, isRefused } from './flight.ts'
import { heeding } from './heed-signal.ts'
import { openDataSocket, type DataSocketRequest } from './open-data-socket.ts'
import { openSocket } from './open-socket.ts'
import { mayPointTo } from './private-address.ts'
import { familyOf, plain } from './peer-address.ts'
import type { TransportSettings } from './settings.ts'
import { securedAtOnce, TlsSessions } from './tls.ts'

/** What a script may need of its caller. */
export interface ScriptContext {
  /** A data connection was begun; data may come from now on. */
  readonly onData?: ((data: DataConnection) => void) | undefined
  /** Which way the data go. */
  readonly direction?: 'receive' | 'send' | undefined
  /** The server wants a secret that was not given. */
  readonly onAsk?:
    | ((what: 'password' | 'account', reply: Reply) => string | undefined | Promise<string | undefined>)
    | undefined
  /** Whether to watch the end of TLS on the data connection: nothing else may vouch for the data. */
  readonly watchEnd?: (() => boolean) | undefined
}

/** One session's machinery: the control connection, and at most one data connection. */
export class UserPI {
  readonly control: ControlConnection
  readonly #settings: TransportSettings
  readonly #sessions: TlsSessions
  #data: DataConnection | undefined
  #transfer: Exchange | undefined
  #tlsSocket: tls.TLSSocket | undefined
  #dataProtected = false

  private constructor(control: ControlConnection, settings: TransportSettings, sessions: TlsSessions) {
    this.control = control
    this.#sessions = sessions
    this.#settings = settings
    // Without a control connection nothing can vouch for the data, unless it has done so already.
    void control.closed.then((error) => {
      if (this.#transfer?.state !== 'succeeded') this.#data?.destroy(error)
    })
  }

  /** Connects, secures the connection at once where TLS is implicit, and waits for the greeting. */
  static async connect(
    settings: TransportSettings,
    signal: AbortSignal,
    observer?: DialogueObserver,
  ): Promise<{ pi: UserPI; greeting: Reply }> {
    const { host, port } = settings
    const sessions = new TlsSessions()
    const raw = await openSocket({ host, port, purpose: 'control', settings, signal })
    const secure =
      settings.tls === 'implicit' ? await securedAtOnce(raw, settings, sessions, signal) : undefined
    const pi = new UserPI(new ControlConnection(secure ?? raw, raw, settings, observer), settings, sessions)
    pi.#tlsSocket = secure
    const greeting = await heeding(signal, (error) => pi.destroy(error), pi.control.greeting())
    return { pi, greeting }
  }

  /** True where data connections are protected (PROT P). */
  get dataProtected(): boolean {
    return this.#dataProtected
  }

  set dataProtected(value: boolean) {
    this.#dataProtected = value
  }

  /** The TLS socket of the control connection, for those who want to know its cipher or certificate. */
  get tlsSocket(): tls.TLSSocket | undefined {
    return this.#tlsSocket
  }

  /** The transfer that is under way. */
  get transfer(): Exchange | undefined {
    return this.#transfer
  }

  /** Bytes of the data connection so far; undefined where there is none. */
  get transferred(): number | undefined {
    return this.#data?.bytes
  }

  /** 4 or 6. */
  get family(): 4 | 6 {
    return familyOf(this.control.peerAddress ?? this.#settings.host)
  }

  /** Drives a script to its end. What it throws quotes no secret, also where the server does. */
  async run<T>(script: Script<T>, context: ScriptContext = {}): Promise<T> {
    try {
      return await this.#drive(script, context)
    } catch (error) {
      throw this.control.redacted(error)
    }
  }

  async #drive<T>(script: Script<T>, context: ScriptContext): Promise<T> {
    let step = script.next()
    while (step.done !== true) {
      let answer: unknown
      try {
        answer = await this.#fulfil(step.value, context)
      } catch (error) {
        step = script.throw(error)
        continue
      }
      step = script.next(answer)
    }
    return step.value
  }

  /** Forgets the data connection of a transfer that is over. */
  release(): void {
    this.#data?.close()
    this.#data = undefined
    this.#transfer = undefined
  }

  /** Ends everything at once. */
  destroy(error?: FtpError): void {
    this.control.destroy(error)
    this.release()
  }

  async #secure(): Promise<void> {
    this.#tlsSocket = await this.control.secure(this.#sessions)
  }

  async #fulfil(request: Request, context: ScriptContext): Promise<unknown> {
    switch (request.do) {
      case 'send':
        return this.#send(request.flight)
      case 'dial':
        return this.#dial(request.port, request.address, context)
      case 'listen':
        return this.#listen(context)
      case 'secure':
        return this.#secure()
      case 'ask':
        return askCaller(request.what, request.reply, context, this.control.closed)
    }
  }

  async #send(flight: readonly Step[]): Promise<readonly Reply[]> {
    const replies: Reply[] = []
    if (this.#settings.pipelining !== 'off') {
      const flown = this.#write(flight)
      for (const [at, exchange] of flown.entries()) {
        try {
          replies.push(await this.#firstReply(exchange))
        } catch (error) {
          // Some servers hang up behind a refusal; what they refused says more than that.
          if (!isRefused(flight, replies)) throw error
          break
        }
        if (isLoginRefused(flight.slice(0, at + 1), replies)) break
      }
      return replies
    }
    for (const step of flight) {
      const [exchange] = this.#write([step])
      if (exchange === undefined) break
      const reply = await this.#firstReply(exchange)
      replies.push(reply)
      if (reply.kind === 'refusal' && step.optional !== true) break
    }
    return replies
  }

  #write(commands: readonly Command[]): Exchange[] {
    const exchanges = this.control.send(commands)
    const last = exchanges.at(-1)
    const lastCommand = commands.at(-1)
    if (last !== undefined && lastCommand !== undefined && verbOf(lastCommand).exchange === 'transfer') {
      this.#transfer = last
      this.#data?.proceed()
    }
    return exchanges
  }

  /** A data connection that fails leaves the server waiting, perhaps for minutes: do not wait as long. */
  async #firstReply(exchange: Exchange): Promise<Reply> {
    const data = this.#data
    if (exchange !== this.#transfer || data === undefined) return exchange.first
    const failed = data.established.then(
      () => new Promise<never>(() => undefined),
      (error: unknown) => error as FtpError,
    )
    const winner = await Promise.race([exchange.first, failed])
    if (!(winner instanceof FtpError)) {
      if (winner.kind !== 'refusal') data.agreed()
      return winner
    }
    this.control.expectFinal(this.#settings.timeouts.abort)
    const reply = await exchange.first.catch(() => {
      this.control.destroy(winner)
      throw winner
    })
    // 425 says the same in the server's words. Anything else says more: the file may not be there at all.
    if (reply.code === 425) throw winner
    return reply
  }

  #dial(
    port: number,
    address: string | undefined,
    context: ScriptContext,
  ): Promise<DataConnection> | DataConnection {
    const peer = this.control.peerAddress
    const host = address ?? peer ?? this.#settings.host
    if (address !== undefined && peer !== undefined && !mayPointTo(address, peer)) {
      throw new FtpError(
        'FTP_BAD_PASV',
        `The server at ${peer} points the data connection to ${address}, which only a server in the same network may.`,
        { phase: 'passive' },
      )
    }
    const watchEnd = this.#watchesEnd(context)
    const data = this.#begin(port, context, watchEnd, async (onread, signal): Promise<OpenedSocket> => {
      const tls = this.#tlsFor(context, watchEnd)
      const sessions = this.#sessions
      const opened = await openDataSocket({
        settings: this.#settings,
        host,
        port,
        onread,
        signal,
        tls,
        sessions,
      })
      if (peer !== undefined) checkPeer(opened.socket, host)
      return opened
    })
    // With pipelining the transfer command leaves together with the SYN.
    return this.#settings.pipelining === 'off' ? data.connected.then(() => data) : data
  }

  /**
   * TLS may begin with the connection only where the transfer command is ahead of it, nobody watches the
   * records, and no reset will be needed: an upload that fails must reset the socket beneath TLS.
   */
  #tlsFor({ direction }: ScriptContext, watchEnd: boolean): DataSocketRequest['tls'] {
    if (!this.#dataProtected) return 'none'
    const { pipelining, connect } = this.#settings
    const atOnce = direction === 'receive' && !watchEnd && pipelining !== 'off' && connect === undefined
    return atOnce ? 'at-once' : 'later'
  }

  #watchesEnd({ watchEnd }: ScriptContext): boolean {
    return this.#dataProtected && (watchEnd?.() ?? true)
  }

  async #listen(context: ScriptContext): Promise<Listening> {
    const { control } = this
    const { localAddress, peerAddress } = control
    if (localAddress === undefined || peerAddress === undefined) {
      throw new FtpError(
        'FTP_INVALID_OPTION',
        "Active mode needs a direct connection: use dataMode: 'passive' with a proxy.",
        { phase: 'data-connect' },
      )
    }
    const { active, timeouts } = this.#settings
    const listener = await listenForData({
      address: localAddress,
      peer: peerAddress,
      ports: active.ports,
      timeoutMs: timeouts.connect,
    })
    const data = this.#begin(listener.port, context, this.#watchesEnd(context), async (_, signal) => ({
      socket: await listener.accept(signal),
      readsIntoOurs: false,
    }))
    const address = plain(active.address ?? localAddress).replace(/%.*$/, '')
    return { data, address, family: familyOf(address), port: listener.port }
  }

  #begin(port: number, context: ScriptContext, watchEnd: boolean, source: SocketSource): DataConnection {
    this.release()
    const { control } = this
    const { timeouts } = this.#settings
    const data = new DataConnection({
      settings: this.#settings,
      port,
      sessions: this.#dataProtected ? this.#sessions : undefined,
      watchEnd,
      onFirstByte: () => control.holdDeadline(),
    })
    this.#data = data
    data.ended.then(
      () => control.expectFinal(timeouts.finalReply),
      () => undefined,
    )
    context.onData?.(data)
    data.open(source)
    return data
  }
}
