/** One TCP connection of a test server, control or data: lines in, bytes out in any cut, TLS, and every way to end. */
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { SecureContexts, TlsChoice } from './certificates.ts'
import { LimitedDuplex } from './limited-duplex.ts'

/** `'bytes'`: every byte is written as a TCP segment of its own. */
export type Segment = 'whole' | 'bytes'

export interface Handshake {
  readonly channel: 'control' | 'data'
  readonly resumed: boolean
  readonly protocol: string | null
  readonly serverName: string | undefined
  /** The common name of the client's certificate. */
  readonly clientName: string | undefined
}

export interface TlsSide {
  readonly contexts: SecureContexts
  readonly choice: TlsChoice
  /**
   * The connection ends, without TLS's own ending, behind so many bytes of ciphertext, counted from the end of the
   * handshake, which is not always of one length.
   */
  readonly cutAfterBytes?: number
}

const LINE_FEED = 0x0a

export class Wire {
  readonly closed: Promise<void>
  readonly #raw: Socket
  readonly #channel: 'control' | 'data'
  readonly #stop: AbortSignal
  #socket: Socket
  #unread: Buffer[] = []
  #unreadLength = 0
  #read: Buffer[] = []
  #ended = false
  #reset = false
  #wake: (() => void)[] = []

  constructor(raw: Socket, channel: 'control' | 'data', stop: AbortSignal, reading = true) {
    raw.setNoDelay(true)
    this.#raw = raw
    this.#socket = raw
    this.#channel = channel
    this.#stop = stop
    this.closed = new Promise((resolve) => raw.once('close', () => resolve()))
    if (reading) this.#attach()
    else raw.on('error', () => {})
  }

  /** Everything that came so far, decrypted. */
  get receivedBytes(): Buffer {
    return Buffer.concat([...this.#read, ...this.#unread])
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten
  }

  /** Whether the client, or this end, broke the connection off instead of ending it. */
  get reset(): boolean {
    return this.#reset
  }

  get gone(): boolean {
    return this.#raw.destroyed
  }

  readonly #take = (chunk: Buffer): void => {
    this.#unread.push(chunk)
    this.#unreadLength += chunk.length
    this.#wakeAll()
  }

  readonly #end = (): void => {
    this.#ended = true
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  #attach(): void {
    const socket = this.#socket
    socket.on('error', () => (this.#reset = true))
    socket.on('data', this.#take)
    socket.on('end', this.#end)
    socket.on('close', this.#end)
    socket.resume()
  }

  async #until<T>(look: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = look()
      if (found !== undefined || this.#ended) return found
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
  }

  /** Joined only when it is looked at, or a long upload would be copied once for each of its chunks. */
  #joined(): Buffer {
    const whole = this.#unread.length === 1 ? this.#unread[0] : Buffer.concat(this.#unread)
    this.#unread = whole ? [whole] : []
    return whole ?? Buffer.alloc(0)
  }

  #consume(length: number): Buffer {
    const whole = this.#joined()
    const taken = whole.subarray(0, length)
    this.#unread = [whole.subarray(length)]
    this.#unreadLength = whole.length - taken.length
    this.#read.push(taken)
    return taken
  }

  /** The next line without its end, or `undefined` when the client is gone. */
  async readLine(): Promise<string | undefined> {
    const end = await this.#until(() => found(this.#joined().indexOf(LINE_FEED)))
    return end === undefined ? undefined : text(this.#consume(end + 1))
  }

  /** The next line, which stays to be read. */
  async peekLine(): Promise<string | undefined> {
    const end = await this.#until(() => found(this.#joined().indexOf(LINE_FEED)))
    return end === undefined ? undefined : text(this.#joined().subarray(0, end + 1))
  }

  async readToEnd(): Promise<Buffer> {
    await this.#until(() => undefined)
    return this.#consume(this.#unreadLength)
  }

  /** Waits for so many bytes, which stay to be read. `false`: the client ended before. */
  async readAtLeast(length: number): Promise<boolean> {
    return (await this.#until(() => this.#unreadLength >= length || undefined)) !== undefined
  }

  /** Resolves when the system has taken the bytes, or the connection is gone (`false`). Never rejects. */
  async write(bytes: string | Uint8Array, segment: Segment = 'whole', everyMs = 0): Promise<boolean> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    if (segment === 'whole') return this.#push(buffer)
    for (let at = 0; at < buffer.length; at++) {
      if (!(await this.#push(buffer.subarray(at, at + 1)))) return false
      if (everyMs > 0) await this.pause(everyMs)
      else await nextTurn()
    }
    return true
  }

  #push(bytes: Uint8Array): Promise<boolean> {
    if (this.gone) return Promise.resolve(false)
    // Node reports a write that was pending when the socket was destroyed as a success.
    return new Promise((resolve) => this.#socket.write(bytes, (error) => resolve(!error && !this.gone)))
  }

  /** Ends early when the server is closed. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop }).catch(() => {})
  }

  /** Ends this direction in order; over TLS with its closing alert. */
  fin(): Promise<void> {
    return new Promise((resolve) => {
      if (this.gone) resolve()
      else this.#socket.end(() => resolve())
    })
  }

  /** Ends TCP beneath TLS, without the closing alert. */
  cut(): void {
    this.#raw.end()
  }

  rst(): void {
    this.#reset = true
    // Behind an end of this side Node would neither reset the connection nor let its handle rest.
    if (this.#socket.writableEnded || this.#raw.writableEnded) this.#raw.destroy()
    else this.#raw.resetAndDestroy()
  }

  destroy(): void {
    this.#raw.destroy()
  }

  /** Takes the server's side of a handshake; what was read but not used is given to TLS. `undefined`: it failed. */
  async startTls(side: TlsSide): Promise<Handshake | undefined> {
    const raw = this.#raw
    raw.removeListener('data', this.#take)
    raw.removeListener('end', this.#end)
    raw.pause()
    if (this.#unreadLength > 0) raw.unshift(this.#joined())
    this.#unread = []
    this.#unreadLength = 0
    const { choice, contexts, cutAfterBytes } = side
    const options: Partial<Exclude<TlsChoice, string>> = typeof choice === 'string' ? {} : choice
    const limited = cutAfterBytes === undefined ? undefined : new LimitedDuplex(raw)
    const secure = new TLSSocket(limited ?? raw, {
      isServer: true,
      secureContext: contexts.get(choice),
      ...(options.requestCert !== undefined && { requestCert: options.requestCert }),
      ...(options.ALPNProtocols !== undefined && { ALPNProtocols: options.ALPNProtocols }),
    })
    this.#socket = secure
    secure.on('close', () => raw.destroy())
    this.#attach()
    const secured = await new Promise<boolean>((resolve) => {
      secure.once('secure', () => resolve(true))
      void this.closed.then(() => resolve(false))
    })
    if (limited && cutAfterBytes !== undefined) {
      // The tickets of TLS 1.3 follow in the same turn.
      await nextTurn()
      limited.limit(cutAfterBytes)
    }
    return secured ? describe(secure, this.#channel) : undefined
  }
}

function describe(secure: TLSSocket, channel: 'control' | 'data'): Handshake {
  // Node types `servername` on the server's side only as an event's argument.
  const { servername } = secure as TLSSocket & { servername?: string | false }
  const subject = secure.getPeerCertificate()?.subject as { CN?: string | string[] } | undefined
  return {
    channel,
    resumed: secure.isSessionReused(),
    protocol: secure.getProtocol(),
    serverName: servername === false ? undefined : servername,
    clientName: subject?.CN?.toString(),
  }
}

function found(index: number): number | undefined {
  return index === -1 ? undefined : index
}

function text(line: Buffer): string {
  return line.toString().replace(/\r?\n$/, '')
}
