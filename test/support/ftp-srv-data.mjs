/** The data connection of ftp-srv, passive or active, in place of its own connectors, which poll and leak. */
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'

/** ftp-srv's listing command chains Bluebird's own methods to the promise it is given. */
const Bluebird = createRequire(createRequire(import.meta.url).resolve('ftp-srv'))('bluebird')

/** Has the shape of ftp-srv's connectors: `type`, `socket`, `waitForConnection()`, `end()`. */
export class DataChannel {
  type
  socket = null
  #connection
  #state
  #listener
  #ended = false
  #arrive
  #fail
  #arrival

  constructor(connection, state, type) {
    this.#connection = connection
    this.#state = state
    this.type = type
    this.#arrival = new Promise((resolve, reject) => {
      this.#arrive = resolve
      this.#fail = reject
    })
    this.#arrival.catch(() => {})
  }

  /** Listens for one connection from the client, and for no other. */
  static async listen(connection, state) {
    const channel = new DataChannel(connection, state, 'passive')
    const client = connection.commandSocket.remoteAddress
    const listener = createServer({ pauseOnConnect: true }, (socket) => {
      listener.close()
      if (socket.remoteAddress === client) channel.#accept(socket)
      else socket.destroy()
    })
    listener.on('error', (error) => channel.#fail(error))
    channel.#listener = state.track(state, listener)
    await new Promise((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(0, connection.commandSocket.localAddress, resolve)
    })
    return channel
  }

  static connect(connection, state, { host, port }) {
    const channel = new DataChannel(connection, state, 'active')
    const socket = connect({ host, port })
    state.track(state, socket)
    socket.once('connect', () => channel.#accept(socket))
    socket.on('error', (error) => channel.#fail(error))
    return channel
  }

  get port() {
    return this.#listener.address().port
  }

  #accept(raw) {
    if (this.#ended) {
      raw.destroy()
      return
    }
    const { secureContext, track, dataResumed } = this.#state
    track(this.#state, raw)
    raw.setNoDelay(true)
    raw.on('error', () => {})
    if (this.#connection.secure) {
      this.socket = new TLSSocket(raw, { isServer: true, secureContext })
      track(this.#state, this.socket)
      this.socket.on('error', () => raw.destroy())
      this.socket.once('secure', () => dataResumed.push(this.socket?.isSessionReused() ?? false))
    } else {
      this.socket = raw
    }
    this.#arrive(this.socket)
  }

  /** The TLS handshake is not waited for: a client may begin it only when it has seen the preliminary reply. */
  waitForConnection() {
    let timer
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Bluebird.TimeoutError('No data connection')),
        this.#state.dataTimeoutMs,
      )
    })
    const arrival = Promise.race([this.#arrival, late]).finally(() => clearTimeout(timer))
    return Bluebird.resolve(arrival)
  }

  /** Cuts a transfer short; what was under way then ends with an error. */
  abort() {
    this.socket?.destroy()
  }

  end() {
    this.#ended = true
    this.type = false
    this.#listener?.close()
    this.#fail(new Error('The data connection was given up'))
    const socket = this.socket
    this.socket = null
    if (socket && !socket.destroyed) {
      socket.resume()
      socket.end(() => socket.destroy())
    }
    if (this.#connection.connector === this) this.#connection.connector = new NoChannel()
  }
}

/** Stands where a data connection would be: none was asked for. */
class NoChannel {
  type = false
  socket = null

  waitForConnection() {
    return Bluebird.reject(new Bluebird.TimeoutError('No data connection was asked for'))
  }

  end() {}
}
