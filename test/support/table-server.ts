/**
 * A small FTP server that keeps to the standards, in which single answers can be overridden: a test about one
 * hostile reply is three lines.
 */
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { listen, TlsRecord, urlOf, type Loopback, type ServerOptions } from './listener.ts'
import { COMMANDS, WITHOUT_LOGIN } from './table-commands.ts'
import { TableFiles } from './table-files.ts'
import { TableSession, type TableTls, type TransferTwist } from './table-session.ts'
import type { Handshake, Wire } from './wire.ts'

export type { TableTls, TransferTwist } from './table-session.ts'

/**
 * A reply: text gets `\r\n` where it ends without a line feed, bytes go out as they are, `''` is silence. In text,
 * `{{pasv}}` and `{{port}}` open a data door and name it. Of a list the nth call gets the nth, later ones the last.
 */
export type Answer = string | Uint8Array | AnswerFunction | readonly (string | Uint8Array | AnswerFunction)[]

/** Returns the reply, or nothing where it has sent what it wanted. */
export type AnswerFunction = (
  argument: string,
  context: TableContext,
) => string | Uint8Array | void | Promise<string | Uint8Array | void>

export interface TableContext {
  readonly verb: string
  /** Which control connection this is, from 0. */
  readonly connection: number
  /** The connection itself: `fin()`, `rst()`, `destroy()`, `pause(ms)`. */
  readonly control: Wire
  readonly session: TableSession
  /** Sends a reply at once. */
  readonly send: (answer: string | Uint8Array) => Promise<boolean>
  /** Does and answers what the server would have done without the override. */
  readonly normally: () => Promise<void>
  /** The data connection that the client makes, TLS handshake done where it was agreed on. */
  readonly data: () => Promise<Wire>
}

export interface TableOptions extends ServerOptions {
  /** By the number of the connection, from 0, where it is a function. */
  greeting?: string | Uint8Array | ((connection: number) => string)
  /** By verb, in upper case. */
  replies?: Readonly<Record<string, Answer>>
  /** By absolute path; folders follow from the paths. */
  files?: Readonly<Record<string, string | Uint8Array>>
  /** Who may log in, with which password. Default: everyone, with any. */
  users?: Readonly<Record<string, string>>
  tls?: TableTls
  /** What transfers do otherwise than honest ones. */
  transfer?: TransferTwist | ((verb: string, argument: string) => TransferTwist)
  /** How long a transfer waits for its data connection before it gets 425. Default 2000. */
  dataTimeoutMs?: number
}

export interface TableServer extends AsyncDisposable {
  readonly host: Loopback
  readonly port: number
  /** Every command line that came, over all connections. */
  readonly received: string[]
  /** The same, connection by connection. */
  readonly receivedBy: string[][]
  readonly receivedBytes: Buffer
  /** What the server holds now, by absolute path. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly handshakes: readonly Handshake[]
  readonly connections: number
  readonly dataConnections: number
  url(path?: string): string
  /** Ends everything; rejects where a function among the replies has thrown. */
  close(): Promise<void>
}

export async function startTableServer(options: TableOptions = {}): Promise<TableServer> {
  const { host = '127.0.0.1', segment = 'whole', transfer = {}, tls, users, dataTimeoutMs = 2000 } = options
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const record = new TlsRecord()
  const files = new TableFiles(options.files ?? {})
  const sessions: TableSession[] = []
  const received: string[] = []
  const receivedBy: string[][] = []
  const serving: Promise<void>[] = []
  const calls = new Map<string, number>()
  const twist = typeof transfer === 'function' ? transfer : () => transfer
  const setting = { host, files, record, stop: stop.signal, segment, tls, users, twist, dataTimeoutMs }

  const serve = async (socket: Socket): Promise<void> => {
    const session = new TableSession(socket, setting)
    const lines: string[] = []
    const connection = sessions.push(session) - 1
    receivedBy.push(lines)
    if (tls?.mode === 'implicit' && !(await session.startControlTls())) return
    const { greeting = '220 Ready' } = options
    await session.send(typeof greeting === 'function' ? greeting(connection) : greeting)
    for (;;) {
      const line = await session.control.readLine()
      if (line === undefined) break
      lines.push(line)
      received.push(line)
      await interruptible(session, respond(session, connection, line))
    }
    await session.control.fin()
  }

  const respond = async (session: TableSession, connection: number, line: string): Promise<void> => {
    const { verb, argument } = parse(line)
    const normally = async (): Promise<void> =>
      void (await session.send((await standard(session, verb, argument)) ?? ''))
    const number = calls.get(verb) ?? 0
    calls.set(verb, number + 1)
    const own = pick(options.replies?.[verb], number)
    if (own === undefined) return normally()
    if (typeof own !== 'function') return void (await session.send(own))
    const answer = await own(argument, {
      verb,
      connection,
      session,
      normally,
      control: session.control,
      send: (answer) => session.send(answer),
      data: () => protectedData(session),
    })
    if (answer !== undefined) await session.send(answer)
  }

  const failures: unknown[] = []
  const accept = (socket: Socket): Promise<void> =>
    serve(socket).catch((error: unknown) => {
      failures.push(error)
      socket.destroy()
    })
  const listener = await listen(host, (socket) => void serving.push(accept(socket)))
  let closing: Promise<void> | undefined
  const shut = async (): Promise<void> => {
    stop.abort()
    await Promise.all([listener.close(), ...sessions.map((session) => session.dataSide.close())])
    await Promise.all(serving)
    if (failures.length > 0)
      throw new AggregateError(failures, `A reply of the test failed: ${String(failures[0])}`)
  }
  const close = (): Promise<void> => (closing ??= shut())
  return {
    host,
    port: listener.port,
    received,
    receivedBy,
    files: files.contents,
    handshakes: record.handshakes,
    get receivedBytes() {
      return Buffer.concat(sessions.map((session) => session.control.receivedBytes))
    },
    get connections() {
      return listener.connections
    },
    get dataConnections() {
      return sessions.reduce((sum, session) => sum + session.dataSide.connections, 0)
    },
    url: (path = '/') =>
      urlOf(tls?.mode === 'implicit' ? 'ftps' : 'ftp', { host, port: listener.port }, path),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An `ABOR` may come behind Telnet's "interrupt process" and "data mark" (RFC 959, section 4.1.3). */
function parse(line: string): { verb: string; argument: string } {
  const [, verb = '', argument = ''] = /^[^A-Za-z]*([A-Za-z0-9]*) ?(.*)$/s.exec(line) ?? []
  return { verb: verb.toUpperCase(), argument }
}

function pick(answer: Answer | undefined, number: number): string | Uint8Array | AnswerFunction | undefined {
  return isList(answer) ? (answer[number] ?? answer.at(-1)) : answer
}

function isList(answer: Answer | undefined): answer is readonly (string | Uint8Array | AnswerFunction)[] {
  return Array.isArray(answer)
}

function standard(session: TableSession, verb: string, argument: string) {
  const command = COMMANDS[verb]
  if (!command) return '500 Not known'
  if (!session.loggedIn && !WITHOUT_LOGIN.has(verb)) return '530 Log in first'
  return command(session, argument, verb)
}

/** Lets a command end, or cuts its data connection when an `ABOR` comes first. */
async function interruptible(session: TableSession, command: Promise<void>): Promise<void> {
  const next = session.control.peekLine().then((line) => line !== undefined && parse(line).verb === 'ABOR')
  const aborted = await Promise.race([command.then(() => false), next])
  if (aborted) session.transfer?.rst()
  await command
}

async function protectedData(session: TableSession): Promise<Wire> {
  const data = await session.connectData()
  if (!data) throw new Error('the client made no data connection')
  await session.protect(data)
  return data
}
