/**
 * What comes in over a data connection, on its way to a sink: counted, held to the limits, unpacked where it is
 * packed, and held back while the sink has no room.
 */
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import type { FtpError } from '../errors.ts'
import { receiverFailed, stalled, tooMuchData } from './data-errors.ts'
import type { DataConnectionOptions } from './data-socket.ts'
import { Deadline } from './deadline.ts'
import { InflateSink, type InflateEvents } from './inflate-sink.ts'
import { NullSink, type Sink } from './sink.ts'

const FIRST_READ = 64 * 1024

/** The receiving half of one data connection. */
export class DataReceiver {
  readonly #options: DataConnectionOptions
  readonly #onFailure: (error: FtpError) => void
  readonly #stall = new Deadline(() => this.#stalled())
  #socket: Duplex | undefined
  #sink: Sink | undefined
  #inflates = false
  #inflater: InflateSink | undefined
  #unpacked = 0
  /** The memory of the sink that the next read goes into. */
  #lent: Uint8Array | undefined
  #paused = true
  #wireBytes = 0
  #seen = 0
  #throttle: NodeJS.Timeout | undefined
  /** The sink has said stop. */
  #full = false
  #stopped = false
  #patient = false
  #promised = false

  constructor(options: DataConnectionOptions, onFailure: (error: FtpError) => void) {
    this.#options = options
    this.#onFailure = onFailure
  }

  /** Bytes so far, as the sink counts them. */
  get bytes(): number {
    return this.#inflater === undefined ? this.#wireBytes : this.#unpacked
  }

  /** Bytes so far, as they came. */
  get wireBytes(): number {
    return this.#wireBytes
  }

  /** The data come compressed (`MODE Z`). To be said before {@link receive}. */
  inflate(): void {
    this.#inflates = true
  }

  /** The server has agreed to send: from now on silence is counted. Before that the reply has a deadline of its own. */
  agreed(): void {
    this.#promised = true
    if (!this.#paused && this.#socket !== undefined && !this.#stopped) this.#watch()
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
    onFailure: (error) => this.#onFailure(error),
  }

  /** Sends nothing anywhere: an upload only wants to know when the server ends the connection. */
  receiveNothing(): void {
    this.#patient = true
    this.receive(new NullSink(1024))
  }

  /** The data come from here. */
  attach(socket: Duplex, readsIntoOurs: boolean): void {
    this.#socket = socket
    if (!readsIntoOurs) {
      // Paused first: a listener for data would set it flowing before there is a sink.
      socket.pause()
      socket.on('data', (chunk: Buffer) => this.#received(chunk.length, (sink) => sink.take(chunk)))
    }
    if (!this.#paused) this.resume()
  }

  /** The sink has room again. */
  resume(): void {
    this.#full = false
    if (this.#sink === undefined || this.#stopped || this.#throttle !== undefined) return
    if (this.#inflater?.resume() === false) return
    this.#paused = false
    if (this.#socket === undefined) return
    this.#watch()
    this.#socket.resume()
  }

  /** Silence says nothing any more. */
  quiet(): void {
    this.#stall.clear()
  }

  /** All data have come; where some are still to be unpacked, the promise gives the bytes in all. */
  end(): Promise<number> | undefined {
    this.quiet()
    return this.#inflater?.finish()
  }

  /** Takes nothing more. */
  stop(): void {
    this.#stopped = true
    this.#stall.clear()
    clearTimeout(this.#throttle)
  }

  /** Takes nothing more, and gives up what was not unpacked yet. */
  destroy(): void {
    this.stop()
    this.#inflater?.destroy()
  }

  /** For a socket that reads into the memory of the sink. */
  readonly onread: net.OnReadOpts = {
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
    if (sink === undefined || this.#stopped) return false
    const isFirst = this.#wireBytes === 0
    this.#wireBytes += length
    if (isFirst) {
      this.#options.onFirstByte()
      this.#watch()
    }
    if (!this.#checkSize()) return false
    let wantsMore: boolean
    try {
      wantsMore = deliver(sink)
    } catch (error) {
      this.#onFailure(receiverFailed(error))
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
    this.#onFailure(tooMuchData(downloadBytes, this.bytes))
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
    this.#seen = this.#wireBytes
    if (!this.#patient && (this.#promised || this.#wireBytes > 0))
      this.#stall.set(this.#options.settings.timeouts.stall)
  }

  #stalled(): void {
    if (this.#wireBytes !== this.#seen) return this.#watch()
    this.#onFailure(stalled(this.#options.settings.timeouts.stall, this.#wireBytes))
  }
}
