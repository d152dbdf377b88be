/** One connection to a table server: its state, its data connections, and how a transfer goes when nothing is twisted. */
import type { Socket } from 'node:net'
import { posix } from 'node:path'
import type { TlsChoice } from './certificates.ts'
import { DataSide, type Loopback, type TlsRecord } from './listener.ts'
import type { TableFiles } from './table-files.ts'
import { Wire, type Segment } from './wire.ts'

type Bytes = string | Uint8Array

/** What a transfer does otherwise than an honest one. */
export interface TransferTwist {
  /** Instead of `150 …`; `''`: none. */
  opening?: string
  /** Instead of `226 …`; `''`: none. */
  closing?: string
  /** The closing reply goes out before the data. */
  closingFirst?: boolean
  /** Data goes out (and ends) before the opening reply. */
  dataFirst?: boolean
  /** A download stops behind so many bytes; an upload is no longer read behind so many. */
  bytes?: number
  /** How the data connection ends. `cut`: TCP ends, TLS does not. `rst` waits a moment, so that what was sent arrives. */
  end?: 'fin' | 'rst' | 'cut' | 'never'
  /** Waited before the first byte of data. */
  delayDataMs?: number
  /** Waited before the closing reply. */
  delayClosingMs?: number
  /** How data is cut into segments. */
  segment?: Segment
}

export interface TableTls {
  /** `'explicit'`: offered by `AUTH TLS`. */
  mode: 'explicit' | 'implicit'
  /** Default `server`. */
  certificate?: TlsChoice
  /** Another one for data connections. */
  data?: TlsChoice
  /** Data connections that do not resume a session are refused with 522. */
  requireResumption?: boolean
}

export interface SessionSetting {
  readonly host: Loopback
  readonly files: TableFiles
  readonly record: TlsRecord
  readonly stop: AbortSignal
  readonly segment: Segment
  readonly tls: TableTls | undefined
  readonly users: Readonly<Record<string, string>> | undefined
  readonly twist: (verb: string, argument: string) => TransferTwist
  readonly dataTimeoutMs: number
}

export class TableSession {
  readonly control: Wire
  readonly dataSide: DataSide
  readonly setting: SessionSetting
  cwd = '/'
  user: string | undefined
  loggedIn = false
  type = 'A'
  restart = 0
  renaming: string | undefined
  secure = false
  protectedData = false
  /** Where the client listens, in active mode. */
  active: { host: string; port: number } | undefined
  /** The transfer that is under way: an `ABOR` cuts it. */
  transfer: Wire | undefined

  constructor(socket: Socket, setting: SessionSetting) {
    this.control = new Wire(socket, 'control', setting.stop)
    this.dataSide = new DataSide(setting.host, setting.stop)
    this.setting = setting
  }

  get files(): TableFiles {
    return this.setting.files
  }

  path(argument: string): string {
    return posix.resolve(this.cwd, argument)
  }

  /** A line end is added to text that has none. `{{pasv}}` and `{{port}}` open a data door and name it. */
  async send(answer: Bytes): Promise<boolean> {
    if (typeof answer !== 'string') return this.control.write(answer, this.setting.segment)
    if (answer === '') return true
    if (/\{\{(pasv|port)\}\}/.test(answer)) await this.openData()
    const { pasv, port } = this.dataSide
    const text = answer.replaceAll('{{pasv}}', pasv).replaceAll('{{port}}', String(port))
    return this.control.write(text.endsWith('\n') ? text : `${text}\r\n`, this.setting.segment)
  }

  openData(): Promise<number> {
    this.active = undefined
    return this.dataSide.open()
  }

  async startControlTls(): Promise<boolean> {
    const { tls, record } = this.setting
    this.secure = (await record.start(this.control, tls?.certificate ?? 'server')) !== undefined
    return this.secure
  }

  /** The data connection that was agreed on, without TLS yet. */
  connectData(): Promise<Wire | undefined> {
    if (this.active) return this.dataSide.dial(this.active.host, this.active.port)
    if (this.dataSide.port === 0) return Promise.resolve(undefined)
    return this.dataSide.accept(true, this.setting.dataTimeoutMs)
  }

  /** `false`: the handshake failed, or resumed no session where it had to. */
  async protect(data: Wire): Promise<boolean> {
    if (!this.protectedData) return true
    const { tls, record } = this.setting
    const handshake = await record.start(data, tls?.data ?? tls?.certificate ?? 'server')
    return handshake !== undefined && (handshake.resumed || tls?.requireResumption !== true)
  }

  /** A download or a listing. */
  download(verb: string, argument: string, content: Buffer): Promise<void> {
    return this.#transferred(verb, argument, (data, twist) =>
      data.write(content.subarray(0, twist.bytes ?? content.length), twist.segment),
    )
  }

  /** An upload; `keep` gets what came when the client ended it in order. */
  upload(verb: string, argument: string, keep: (content: Buffer) => void): Promise<void> {
    return this.#transferred(verb, argument, async (data, twist) => {
      if (twist.bytes !== undefined) return data.readAtLeast(twist.bytes)
      const content = await data.readToEnd()
      if (data.reset) return false
      keep(content)
      return true
    })
  }

  async #transferred(
    verb: string,
    argument: string,
    move: (data: Wire, twist: TransferTwist) => Promise<boolean>,
  ): Promise<void> {
    const twist = this.setting.twist(verb, argument)
    const { opening = '150 Here it comes', closing = '226 Done' } = twist
    this.restart = 0
    const data = await this.connectData()
    if (!data) return void (await this.send('425 No data connection'))
    if (twist.dataFirst !== true) await this.send(opening)
    if (twist.closingFirst === true) await this.send(closing)
    if (!(await this.protect(data))) {
      data.rst()
      return void (await this.send('522 TLS on the data connection failed, or resumed no session'))
    }
    this.transfer = data
    if (twist.delayDataMs !== undefined) await this.control.pause(twist.delayDataMs)
    const whole = await move(data, twist)
    await this.#endData(data, twist.end ?? 'fin')
    this.transfer = undefined
    if (twist.dataFirst === true) await this.send(opening)
    if (twist.delayClosingMs !== undefined) await this.control.pause(twist.delayClosingMs)
    if (twist.closingFirst === true) return
    const broken = (!whole || data.reset) && twist.end === undefined
    await this.send(broken ? '426 The data connection was closed' : closing)
  }

  async #endData(data: Wire, end: 'fin' | 'rst' | 'cut' | 'never'): Promise<void> {
    if (end === 'fin') await data.fin()
    else if (end === 'cut') data.cut()
    else if (end === 'rst') {
      await this.control.pause(20)
      data.rst()
    }
  }
}
