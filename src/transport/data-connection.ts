/**
 * The data connection (RFC 959 §3.2): opened for one transfer, ended with it.
 */
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { FtpError } from '../errors.ts'
import type { DataHandle } from '../protocol/script.ts'
import { broken, over, tlsOrBroken } from './data-errors.ts'
import { DataReceiver } from './data-receiver.ts'
import { deferred } from './deadline.ts'
import type { DataConnectionOptions, DataEnd, SocketSource } from './data-socket.ts'
import { reset } from './reset.ts'
import type { Sink } from './sink.ts'
import { beginTls } from './tls.ts'
import { TlsEndTap } from './tls-end-tap.ts'

/** One data connection, from the first SYN to the last byte. */
export class DataConnection implements DataHandle {
  readonly port: number
  readonly #options: DataConnectionOptions
  readonly #stopper = new AbortController()
  readonly #established = deferred<Duplex>()
  readonly #connected = deferred<void>()
  readonly #commanded = deferred<void>()
  readonly #ended = deferred<DataEnd>()
  readonly #receiver: DataReceiver
  #raw: Duplex | undefined
  #socket: Duplex | undefined
  #tap: TlsEndTap | undefined
  /** The server has ended the data. */
  #over = false
  #failed = false
  /** The reset is under way: an orderly end must not overtake it. */
  #reset = false

  constructor(options: DataConnectionOptions) {
    this.#options = options
    this.port = options.port
    this.#receiver = new DataReceiver(options, (error) => this.destroy(error))
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
    return this.#receiver.bytes
  }

  /** The data come compressed (`MODE Z`). To be said before {@link receive}. */
  inflate(): void {
    this.#receiver.inflate()
  }

  /** TLS may begin: the transfer command is on its way. pyftpdlib resets a ClientHello that precedes it. */
  proceed(): void {
    this.#commanded.resolve()
  }

  /** The server has agreed to send: from now on silence is counted. Before that the reply has a deadline of its own. */
  agreed(): void {
    this.#receiver.agreed()
  }

  /** Sends what comes into `sink`. */
  receive(sink: Sink): void {
    this.#receiver.receive(sink)
  }

  /** Sends nothing anywhere: an upload only wants to know when the server ends the connection. */
  receiveNothing(): void {
    this.#receiver.receiveNothing()
  }

  /** The sink has room again. */
  resume(): void {
    this.#receiver.resume()
  }

  /** Ends it at once. An upload must not look whole to the server: the socket is reset, not ended. */
  destroy(error: FtpError): void {
    if (this.#failed) return
    this.#failed = true
    this.#receiver.destroy()
    this.#stopper.abort(error)
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
    this.#receiver.stop()
    if (this.#reset) return
    this.#socket?.destroy()
    this.#raw?.destroy()
  }

  async #open(source: SocketSource): Promise<void> {
    const { sessions, watchEnd, settings } = this.#options
    const { socket: raw, readsIntoOurs, secured } = await source(this.#receiver.onread, this.#stopper.signal)
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
    socket.on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onClose)
    this.#established.resolve(socket)
    this.#receiver.attach(socket, readsIntoOurs)
  }

  readonly #onEnd = (): void => {
    this.#over = true
    const unpacking = this.#receiver.end()
    // vsftpd says 226 only when this end has closed as well.
    this.#socket?.end()
    const secure = this.#options.sessions !== undefined
    const cleanClose = secure ? this.#tap?.endedCleanly : true
    if (unpacking === undefined) return this.#ended.resolve({ bytes: this.bytes, cleanClose })
    unpacking.then(
      (bytes) => this.#ended.resolve({ bytes, cleanClose }),
      (error: unknown) => this.destroy(error as FtpError),
    )
  }

  readonly #onClose = (): void => {
    this.#receiver.quiet()
    if (!this.#over) this.#ended.reject(broken(undefined, this.#receiver.wireBytes))
  }

  readonly #onError = (cause: Error): void => {
    const error =
      this.#socket === undefined || this.#socket instanceof TLSSocket
        ? tlsOrBroken(cause, this.#receiver.wireBytes)
        : broken(cause, this.#receiver.wireBytes)
    this.destroy(error)
  }
}
