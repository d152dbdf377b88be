/** An FTP server that plays steps given as data: for everything that an honest server never does. */
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TlsChoice } from './certificates.ts'
import { DataSide, listen, TlsRecord, urlOf, type Loopback, type ServerOptions } from './listener.ts'
import { Wire, type Handshake, type Segment } from './wire.ts'

import type { Bytes, Script, Step } from './script-steps.ts'

export type { Script } from './script-steps.ts'
export { startDecoy } from './listener.ts'

export interface ScriptedOptions extends ServerOptions {
  /** TLS from the first byte. */
  tls?: TlsChoice
}

export interface ScriptedServer extends AsyncDisposable {
  readonly host: Loopback
  readonly port: number
  /** Every line that came, over all connections, without its line end. */
  readonly received: string[]
  /** The same, connection by connection. */
  readonly receivedBy: string[][]
  /** Every byte that came on control connections, decrypted. */
  readonly receivedBytes: Buffer
  /** What came on data connections that were read to their end. */
  readonly uploads: Buffer[]
  readonly handshakes: readonly Handshake[]
  /** Control connections, and data connections, that were accepted. */
  readonly connections: number
  readonly dataConnections: number
  /** For each control connection, whether its script was played to the end. */
  readonly finished: boolean[]
  /** Resolves when the client has ended the first control connection. */
  readonly closed: Promise<void>
  url(path?: string): string
  /** Ends everything; rejects where a line came that the script did not expect. */
  close(): Promise<void>
}

/** Plays a script to each connection; of several scripts the nth connection gets the nth, and later ones the last. */
export async function startScriptedServer(
  script: Script | readonly Script[],
  options: ScriptedOptions = {},
): Promise<ScriptedServer> {
  const host = options.host ?? '127.0.0.1'
  const scripts = isOne(script) ? [script] : script
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const record = new TlsRecord()
  const players: Player[] = []
  const received: string[] = []
  const uploads: Buffer[] = []
  const finished: boolean[] = []
  const failures: string[] = []
  const playing: Promise<void>[] = []
  const { promise: closed, resolve: firstClosed } = withResolver()

  const accept = async (socket: Socket): Promise<void> => {
    const index = players.length
    const player = new Player(socket, { host, record, received, uploads, stop: stop.signal, ...options })
    players.push(player)
    finished.push(false)
    void player.control.closed.then(firstClosed)
    try {
      if (options.tls !== undefined) await record.start(player.control, options.tls)
      finished[index] = await player.play(scripts[index] ?? scripts.at(-1) ?? [])
    } catch (error) {
      failures.push(`connection ${index + 1}: ${error instanceof Error ? error.message : String(error)}`)
      player.control.destroy()
    }
  }
  const listener = await listen(host, (socket) => void playing.push(accept(socket)))

  let closing: Promise<void> | undefined
  const shut = async (): Promise<void> => {
    stop.abort()
    await Promise.all([listener.close(), ...players.map((player) => player.data.close())])
    await Promise.all(playing)
    if (failures.length > 0) throw new Error(`The client did not keep to the script: ${failures.join('; ')}`)
  }
  const close = (): Promise<void> => (closing ??= shut())
  return {
    host,
    port: listener.port,
    received,
    uploads,
    finished,
    closed,
    handshakes: record.handshakes,
    get receivedBy() {
      return players.map((player) => player.lines)
    },
    get receivedBytes() {
      return Buffer.concat(players.map((player) => player.control.receivedBytes))
    },
    get connections() {
      return listener.connections
    },
    get dataConnections() {
      return players.reduce((sum, player) => sum + player.data.connections, 0)
    },
    url: (path = '/') =>
      urlOf(options.tls === undefined ? 'ftp' : 'ftps', { host, port: listener.port }, path),
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Surroundings extends ServerOptions {
  host: Loopback
  record: TlsRecord
  received: string[]
  uploads: Buffer[]
  stop: AbortSignal
}

class Player {
  readonly control: Wire
  readonly data: DataSide
  readonly lines: string[] = []
  readonly #around: Surroundings
  #transfer: Wire | undefined

  constructor(socket: Socket, around: Surroundings) {
    this.#around = around
    this.control = new Wire(socket, 'control', around.stop)
    this.data = new DataSide(around.host, around.stop)
  }

  /** `false`: the client went before the end. Afterwards the connection stays open and is read. */
  async play(script: Script): Promise<boolean> {
    for (const step of script) {
      if (!(await this.#step(step))) {
        await this.#listenOn()
        return false
      }
    }
    void this.#listenOn()
    return true
  }

  async #listenOn(): Promise<void> {
    while ((await this.#line()) !== undefined);
    await this.control.fin()
  }

  async #line(): Promise<string | undefined> {
    const line = await this.control.readLine()
    if (line !== undefined) {
      this.lines.push(line)
      this.#around.received.push(line)
    }
    return line
  }

  /** Resolves to `false` where the script cannot go on because the client is gone. */
  async #step(step: Step): Promise<boolean> {
    const { segment = 'whole', record } = this.#around
    if ('expect' in step) return this.#expect(step.expect)
    if ('send' in step) return this.control.write(this.#filled(step.send), segment)
    if ('sendSlowly' in step) return this.control.write(this.#filled(step.sendSlowly), 'bytes', step.everyMs)
    if ('sendSplit' in step) return this.#sendSplit(step)
    if ('sendForever' in step) return this.#forever(this.control, step.sendForever, segment, step.everyMs)
    if ('pauseMs' in step) return this.#done(this.control.pause(step.pauseMs))
    if ('openData' in step) return this.#done(this.data.open())
    if ('shutData' in step) return this.#done(this.data.shutDoor())
    if ('acceptData' in step) return this.#accept(step.acceptData !== 'unread')
    if ('awaitEnd' in step) return this.#awaitEnd()
    if ('startTls' in step) return (await record.start(this.control, step.startTls)) !== undefined
    if ('fin' in step) return this.#done(this.#wire(step.fin).fin())
    if ('rst' in step) return this.#done(this.#wire(step.rst).rst())
    if ('cut' in step) return this.#done(this.#wire(step.cut).cut())
    const data = this.#wire('data')
    if ('dataSend' in step) {
      const slowly = step.everyMs !== undefined
      return this.#done(data.write(step.dataSend, step.segment ?? (slowly ? 'bytes' : 'whole'), step.everyMs))
    }
    if ('dataSendForever' in step) {
      return this.#done(this.#forever(data, step.dataSendForever, 'whole', step.everyMs))
    }
    if ('dataReadToEnd' in step) {
      this.#around.uploads.push(await data.readToEnd())
      return this.#done(data.fin())
    }
    if ('dataRead' in step) return data.readAtLeast(step.dataRead)
    return this.#done(record.start(data, step.startDataTls, step.cutAfterBytes))
  }

  async #done(work: unknown): Promise<true> {
    await work
    return true
  }

  async #expect(wanted: string | RegExp): Promise<boolean> {
    const line = await this.#line()
    if (line === undefined) return false
    const fits = typeof wanted === 'string' ? line === wanted : wanted.test(line)
    if (!fits) throw new Error(`expected ${String(wanted)}, got ${JSON.stringify(line)}`)
    return true
  }

  async #sendSplit(step: Extract<Step, { sendSplit: Bytes }>): Promise<boolean> {
    const whole = Buffer.from(this.#filled(step.sendSplit))
    const ends = [...step.at, whole.length]
    let start = 0
    for (const end of ends) {
      if (!(await this.control.write(whole.subarray(start, end)))) return false
      if (end < whole.length) await this.control.pause(step.pauseMs ?? 1)
      start = end
    }
    return true
  }

  async #forever(wire: Wire, bytes: Bytes, segment: Segment, everyMs = 0): Promise<boolean> {
    const once = this.#filled(bytes)
    const flood = segment === 'whole' && everyMs === 0
    const piece = flood
      ? Buffer.concat(Array.from({ length: Math.ceil(65_536 / once.length) }, () => once))
      : once
    while (await wire.write(piece, segment)) {
      if (everyMs > 0) await wire.pause(everyMs)
      // A write that the system takes at once is over within the turn, and nothing else would ever run.
      else await nextTurn()
    }
    return false
  }

  async #accept(reading: boolean): Promise<boolean> {
    this.#transfer = await this.data.accept(reading)
    return this.#transfer !== undefined
  }

  async #awaitEnd(): Promise<boolean> {
    await this.#listenOn()
    return true
  }

  #wire(which: 'control' | 'data'): Wire {
    const wire = which === 'control' ? this.control : this.#transfer
    if (!wire) throw new Error('a step of the script needs a data connection before any was accepted')
    return wire
  }

  #filled(bytes: Bytes): Buffer {
    if (typeof bytes !== 'string') return Buffer.from(bytes)
    return Buffer.from(
      bytes.replaceAll('{{pasv}}', this.data.pasv).replaceAll('{{port}}', String(this.data.port)),
    )
  }
}

function isOne(script: Script | readonly Script[]): script is Script {
  return !Array.isArray(script[0])
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
