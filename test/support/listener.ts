/** What every test server stands on: a loopback listener that counts, and that leaves nothing behind when closed. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { SecureContexts, type TlsChoice } from './certificates.ts'
import { Wire, type Handshake, type Segment } from './wire.ts'

export type Loopback = '127.0.0.1' | '::1'

/** The loopback addresses of this machine: some containers have no IPv6. */
export const loopbacks: readonly Loopback[] = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')
  ? ['127.0.0.1', '::1']
  : ['127.0.0.1']

/** Options of every test server. */
export interface ServerOptions {
  /** Default `127.0.0.1`. */
  host?: Loopback
  /** How replies are cut into TCP segments. Default `whole`. */
  segment?: Segment
}

export interface Listener extends AsyncDisposable {
  readonly host: Loopback
  readonly port: number
  /** How many connections were accepted. */
  readonly connections: number
  close(): Promise<void>
}

/** Listens on a free port. Sockets still open when it is closed are destroyed. */
export async function listen(
  host: Loopback,
  accept: (socket: Socket) => void,
  options: { pauseOnConnect?: boolean } = {},
): Promise<Listener> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ allowHalfOpen: true, ...options }, (socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    accept(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    }))
  return {
    host,
    port,
    get connections() {
      return connections
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A listener that must see no connection: whatever comes is counted and cut. */
export function startDecoy(host: Loopback = '127.0.0.1'): Promise<Listener> {
  return listen(host, (socket) => {
    socket.on('error', () => {})
    socket.destroy()
  })
}

export function urlOf(
  scheme: 'ftp' | 'ftps',
  { host, port }: { host: Loopback; port: number },
  path: string,
) {
  return `${scheme}://${host === '::1' ? '[::1]' : host}:${port}${path}`
}

/** Data connections of one control connection: the door that stands open, and what came through it. */
export class DataSide {
  readonly #host: Loopback
  readonly #stop: AbortSignal
  readonly #doors: Listener[] = []
  readonly #dialled = new Set<Socket>()
  #arrived: Socket[] = []
  #wake: (() => void)[] = []

  constructor(host: Loopback, stop: AbortSignal) {
    this.#host = host
    this.#stop = stop
    stop.addEventListener('abort', () => this.#wakeAll(), { once: true })
  }

  get connections(): number {
    return this.#doors.reduce((sum, door) => sum + door.connections, 0)
  }

  /** The port of the newest door. */
  get port(): number {
    return this.#doors.at(-1)?.port ?? 0
  }

  /** As it stands in a 227. */
  get pasv(): string {
    return `127,0,0,1,${this.port >> 8},${this.port & 0xff}`
  }

  async open(): Promise<number> {
    this.#arrived = []
    const door = await listen(
      this.#host,
      (socket) => {
        socket.on('error', () => {})
        this.#arrived.push(socket)
        this.#wakeAll()
      },
      { pauseOnConnect: true },
    )
    this.#doors.push(door)
    if (this.#stop.aborted) await door.close()
    return door.port
  }

  /** The port stays known, but connecting to it is refused. */
  async shutDoor(): Promise<void> {
    await this.#doors.at(-1)?.close()
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  /** The next connection through the door; `undefined` once the server is closed, or after `giveUpMs`. */
  async accept(reading = true, giveUpMs?: number): Promise<Wire | undefined> {
    const giveUpAt = giveUpMs === undefined ? Infinity : performance.now() + giveUpMs
    const timer = giveUpMs === undefined ? undefined : setTimeout(() => this.#wakeAll(), giveUpMs + 1)
    while (this.#arrived.length === 0 && performance.now() < giveUpAt && !this.#stop.aborted) {
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
    clearTimeout(timer)
    const socket = this.#arrived.shift()
    return socket && new Wire(socket, 'data', this.#stop, reading)
  }

  /** Connects to the client instead, as in active mode. */
  async dial(host: string, port: number): Promise<Wire | undefined> {
    const socket = connect({ host, port, allowHalfOpen: true })
    this.#dialled.add(socket)
    socket.once('close', () => this.#dialled.delete(socket))
    const wire = new Wire(socket, 'data', this.#stop)
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    return connected ? wire : undefined
  }

  async close(): Promise<void> {
    for (const socket of this.#dialled) socket.destroy()
    await Promise.all(this.#doors.map((door) => door.close()))
  }
}

/** What servers report about TLS, and the contexts that make resumption possible. */
export class TlsRecord {
  readonly handshakes: Handshake[] = []
  readonly #contexts = new SecureContexts()

  async start(wire: Wire, choice: TlsChoice, cutAfterBytes?: number): Promise<Handshake | undefined> {
    const handshake = await wire.startTls({
      choice,
      contexts: this.#contexts,
      ...(cutAfterBytes !== undefined && { cutAfterBytes }),
    })
    if (handshake) this.handshakes.push(handshake)
    return handshake
  }
}
