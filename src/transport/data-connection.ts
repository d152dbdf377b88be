/**
 * The data connection (RFC 959 §3.2): opened for one transfer, ended with it.
 */
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { FtpError } from '../errors.ts'
import type { DataHandle } from '../protocol/script.ts'
import { broken, over, receiverFailed, stalled, tlsOrBroken, tooMuchData } from './data-errors.ts'
import { Deadline, deferred } from './deadline.ts'
import type { DataConnectionOptions, DataEnd, SocketSource } from './data-socket.ts'
import { reset } from './reset.ts'
import { InflateSink, type InflateEvents } from './inflate-sink.ts'
import { NullSink, type Sink } from './sink.ts'
import { beginTls } from './tls.ts'
import { TlsEndTap } from './tls-end-tap.ts'

const FIRST_READ = 64 * 1024

/** One data connection, from the first SYN to the last byte. */
export class DataConnection implements DataHandle {
  readonly port: number
  readonly #options: DataConnectionOptions
  readonly #stopper = new AbortController()
  readonly #established = deferred<Duplex>()
  readonly #connected = deferred<void>()
  readonly #commanded = deferred<void>()
  readonly #ended = deferred<DataEnd>()
  readonly #stall = new Deadline(() => this.#stalled())
  #raw: Duplex | undefined
  #socket: Duplex | undefined
  #tap: TlsEndTap | undefined
  #sink: Sink | undefined
  #inflates = false
  #inflater: InflateSink | undefined
  #unpacked = 0
  /** The memory of the sink that the next read goes into. */
  #lent: Uint8Array | undefined
  #paused = true
  #bytes = 0
  #seen = 0
  #throttle: NodeJS.Timeout | undefined
  /** The sink has said stop. */
  #full = false
  /** The server has ended the data. */
  #over = false
  #failed = false
  /** The reset is under way: an orderly end must not overtake it. */
  #reset = false
  #patient = false
  #promised = false

  constructor(options: DataConnectionOptions) {
    this.#options = options
    this.port = options.port
  }

  /** Begins. Whoever receives should be known by then: Node asks for memory to read into at once. */
  open(source: SocketSource): void {
    this.#open(source).catch((error: unknown) => this.destroy(error as FtpError))
  }

  /** The TCP connection stands; TLS may still be to come. */
  get connected(): Promise<void> {
    return this.#connected.promise
  }

  /** The socket, ready to write to. */
  get established(): Promise<Duplex> {
    return this.#established.promise
  }

  /** Resolves at the end of the data, rejects where they broke off. */
  get ended(): Promise<DataEnd> {
    return this.#ended.promise
  }

  /** Aborted, with the reason, when {@link destroy} is called, also behind the end of the data. */
  get broken(): AbortSignal {
    return this.#stopper.signal
  }

  /** Bytes received so far, as the receiver counts them. */
  get bytes(): number {
    return this.#inflater === undefined ? this.#bytes : this.#unpacked
  }

  /** The data come compressed (`MODE Z`). To be said before {@link receive}. */
  inflate(): void {
    this.#inflates = true
  }

  /** TLS may begin: the transfer command is on its way. pyftpdlib resets a ClientHello that precedes it. */
  proceed(): void {
    this.#commanded.resolve()
  }

  /** The server has agreed to send: from now on silence is counted. Before that the reply has a deadline of its own. */
  agreed(): void {
    this.#promised = true
    if (!this.#paused && this.#socket !== undefined && !this.#failed) this.#watch()
  }

  /** Sends what comes into `sink`. */
  receive(sink: Sink): void {
    this.#inflater = this.#inflates ? new InflateSink(sink, this.#inflateEvents) : undefined
    this.#sink = this.#inflater ?? sink
    this.resume()
  }

  readonly #inflateEvents: InflateEvents = {
    onRoom: () => this.resume(),
    onBytes: (bytes) => {
      this.#unpacked = bytes
      this.#checkSize()
    },
    onFailure: (error) => this.destroy(error),
  }

  /** Sends nothing anywhere: an upload only wants to know when the server ends the connection. */
  receiveNothing(): void {
    this.#patient = true
    this.receive(new NullSink(1024))
  }

  /** The sink has room again. */
  resume(): void {
    this.#full = false
    if (this.#sink === undefined || this.#failed || this.#throttle !== undefined) return
    if (this.#inflater?.resume() === false) return
    this.#paused = false
    if (this.#socket === undefined) return
    this.#watch()
    this.#socket.resume()
  }

  /** Ends it at once. An upload must not look whole to the server: the socket is reset, not ended. */
  destroy(error: FtpError): void {
    if (this.#failed) return
    this.#failed = true
    this.#stall.clear()
    clearTimeout(this.#throttle)
    this.#stopper.abort(error)
    this.#inflater?.destroy()
    this.#connected.reject(error)
    this.#established.reject(error)
    this.#ended.reject(error)
    this.#reset = true
    reset(this.#raw, this.#socket, this.#options.sessions !== undefined)
  }

  /** Ends it in order although nothing was transferred, and waits for the server to do the same. */
  async finish(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, ms)
      const done = (): void => {
        clearTimeout(patience)
        resolve()
      }
      this.#established.promise.then((socket) => {
        if (socket.closed) done()
        else socket.once('close', done).resume().end()
      }, done)
    })
  }

  /** Closes what is left of it after an orderly end. */
  close(): void {
    this.#failed = true
    if (this.#socket === undefined) {
      // A dial or a listener that is still under way ends as well.
      const reason = over()
      this.#stopper.abort(reason)
      this.#established.reject(reason)
    }
    this.#stall.clear()
    clearTimeout(this.#throttle)
    if (this.#reset) return
    this.#socket?.destroy()
    this.#raw?.destroy()
  }

  async #open(source: SocketSource): Promise<void> {
    const { sessions, watchEnd, settings } = this.#options
    const { socket: raw, readsIntoOurs, secured } = await source(this.#onread, this.#stopper.signal)
    this.#raw = raw
    raw.on('error', this.#onError)
    if (this.#failed) {
      // Nobody waits for the handshake any more.
      secured?.catch(() => undefined)
      raw.destroy()
      return
    }
    this.#connected.resolve()
    if (sessions === undefined) return this.#use(raw, readsIntoOurs)
    if (secured !== undefined) {
      await secured
      return this.#use(raw, readsIntoOurs)
    }
    await this.#commanded.promise
    if (watchEnd) this.#tap = new TlsEndTap(raw)
    const tls = beginTls(this.#tap ?? raw, { settings, sessions, purpose: 'data' })
    await tls.secured
    this.#use(tls.socket, false)
  }

  #use(socket: Duplex, readsIntoOurs: boolean): void {
    if (this.#failed) {
      socket.destroy()
      return
    }
    this.#socket = socket
    if (!readsIntoOurs) {
      // Paused first: a listener for data would set it flowing before there is a sink.
      socket.pause()
      socket.on('data', (chunk: Buffer) => this.#received(chunk.length, (sink) => sink.take(chunk)))
    }
    socket.on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onClose)
    this.#established.resolve(socket)
    if (!this.#paused) this.resume()
  }

  readonly #onread: net.OnReadOpts = {
    buffer: () => {
      this.#lent = this.#sink?.buffer()
      return this.#lent ?? Buffer.allocUnsafeSlow(FIRST_READ)
    },
    callback: (length: number, memory: Uint8Array): boolean => {
      // Node asks for memory when the socket is made, before there is a sink that could lend some.
      const lent = memory === this.#lent
      return this.#received(length, (sink) =>
        lent ? sink.filled(length) : sink.take(memory.subarray(0, length)),
      )
    },
  }

  #received(length: number, deliver: (sink: Sink) => boolean): boolean {
    const sink = this.#sink
    if (sink === undefined || this.#failed) return false
    const isFirst = this.#bytes === 0
    this.#bytes += length
    if (isFirst) {
      this.#options.onFirstByte()
      this.#watch()
    }
    if (!this.#checkSize()) return false
    let wantsMore: boolean
    try {
      wantsMore = deliver(sink)
    } catch (error) {
      this.destroy(receiverFailed(error))
      return false
    }
    const tooFast = this.#isTooFast(length)
    this.#full = !wantsMore
    wantsMore &&= !tooFast
    if (!wantsMore) {
      this.#paused = true
      this.#stall.clear()
      this.#socket?.pause()
    }
    return wantsMore
  }

  #checkSize(): boolean {
    const { downloadBytes } = this.#options.settings.limits
    if (this.bytes <= downloadBytes) return true
    this.destroy(tooMuchData(downloadBytes, this.bytes))
    return false
  }

  /** Holds the connection back for as long as the limit on bytes per second wants. */
  #isTooFast(length: number): boolean {
    const wait = this.#options.settings.limiter?.book(length, performance.now()) ?? 0
    if (wait < 1) return false
    // TLS may hand on more while it is held back: the last wait is the longest.
    clearTimeout(this.#throttle)
    this.#throttle = setTimeout(() => {
      this.#throttle = undefined
      if (!this.#full) this.resume()
    }, wait)
    return true
  }

  /** Bytes are counted, not timed: setting a timer for every packet would cost more than the packet. */
  #watch(): void {
    this.#seen = this.#bytes
    if (!this.#patient && (this.#promised || this.#bytes > 0))
      this.#stall.set(this.#options.settings.timeouts.stall)
  }

  #stalled(): void {
    if (this.#bytes !== this.#seen) return this.#watch()
    this.destroy(stalled(this.#options.settings.timeouts.stall, this.#bytes))
  }

  readonly #onEnd = (): void => {
    this.#over = true
    this.#stall.clear()
    // vsftpd says 226 only when this end has closed as well.
    this.#socket?.end()
    const secure = this.#options.sessions !== undefined
    const cleanClose = secure ? this.#tap?.endedCleanly : true
    if (this.#inflater === undefined) return this.#ended.resolve({ bytes: this.#bytes, cleanClose })
    this.#inflater.finish().then(
      (bytes) => this.#ended.resolve({ bytes, cleanClose }),
      (error: unknown) => this.destroy(error as FtpError),
    )
  }

  readonly #onClose = (): void => {
    this.#stall.clear()
    if (!this.#over) this.#ended.reject(broken(undefined, this.#bytes))
  }

  readonly #onError = (cause: Error): void => {
    const error =
      this.#socket === undefined || this.#socket instanceof TLSSocket
        ? tlsOrBroken(cause, this.#bytes)
        : broken(cause, this.#bytes)
    this.destroy(error)
  }
}
