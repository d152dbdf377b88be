/**
 * The faults of ftp-srv 4.6.3, each mended in a function of its own.
 *
 * A test that fails because of the server says nothing about the client. What ftp-srv answers is left as it is;
 * only where it hangs, leaks, races or breaks the process is it put right.
 */
import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { TLSSocket } from 'node:tls'
import { FileSystem } from 'ftp-srv'
import { DataChannel } from './ftp-srv-data.mjs'
import { store, storeUnique, retrieve } from './ftp-srv-transfers.mjs'

const registry = createRequire(import.meta.url)('ftp-srv/src/commands/registry')
const LINE_FEED = 0x0a

/** What this project knows of a server and ftp-srv has no place for. */
const states = new WeakMap()

export function adopt(server, state) {
  states.set(server, state)
  server.server.on('connection', (socket) => track(state, socket))
  track(state, server.server)
}

export function stateOf(connection) {
  return states.get(connection.server)
}

/** Whatever is tracked is closed with the server: ftp-srv forgets sockets and listeners of data connections. */
function track({ handles }, handle) {
  handles.add(handle)
  handle.once('close', () => handles.delete(handle))
  return handle
}

/** Fault: each instance adds handlers that call `process.exit(0)` on a signal, and never removes them. */
export function withoutSignalHandlers(construct) {
  const signals = ['SIGTERM', 'SIGINT', 'SIGQUIT']
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  try {
    return construct()
  } finally {
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) {
        if (!before.get(signal).includes(listener)) process.removeListener(signal, listener)
      }
    }
  }
}

/** Fault: every client that leaves starts a timer of a second, which keeps the process alive. */
export function mendDisconnecting(server) {
  server.disconnectClient = (id) => {
    const connection = server.connections[id]
    delete server.connections[id]
    connection?.commandSocket.destroy()
    return Promise.resolve('Disconnected')
  }
}

export function mendConnection(connection) {
  withoutNagle(connection.commandSocket)
  connection.commandSocket.removeAllListeners('data')
  afterGreeting(connection, () => readCommands(connection))
}

/** Fault: Nagle's algorithm holds each reply back until the client has acknowledged the one before: 44 ms. */
function withoutNagle(socket) {
  socket.setNoDelay(true)
}

/** Fault: with implicit TLS a command sent early is answered before the greeting. */
function afterGreeting(connection, start) {
  connection.reply = (...letters) => {
    delete connection.reply
    return connection.reply(...letters).then(start)
  }
}

/**
 * Fault: a command split over two packets runs as two commands, commands of two packets run side by side, and an
 * empty line gets no reply. Here bytes are gathered into lines, and lines are run one at a time.
 */
function readCommands(connection) {
  const { log } = stateOf(connection)
  const waiting = []
  let rest = Buffer.alloc(0)
  let running = false

  const run = async () => {
    running = true
    while (waiting.length > 0) {
      await handle(connection, waiting.shift())
    }
    running = false
  }
  const take = (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      const line = withoutTelnet(rest.subarray(0, end)).toString(connection.encoding).replace(/\r$/, '')
      rest = rest.subarray(end + 1)
      log.push(line)
      // Fault: ABOR was read only when the transfer was over, and could abort nothing.
      if (running && /^abor$/i.test(line) && connection.transfer) connection.transfer.abort()
      waiting.push(line)
    }
    if (!running) void run()
  }

  const socket = connection.commandSocket
  connection.stopReading = () => {
    waiting.length = 0
    socket.removeListener('data', take)
    socket.pause()
  }
  socket.on('data', take)
  socket.resume()
}

/** An abort may come with Telnet's "interrupt process" and "data mark" before it (RFC 959, section 4.1.3). */
function withoutTelnet(line) {
  if (!line.includes(0xff)) return line
  return Buffer.from(
    line
      .toString('latin1')
      .replace(/\xff[\xf0-\xf9]/g, '')
      .replaceAll('\xff\xff', '\xff'),
    'latin1',
  )
}

/** Fault: a handler that throws leaves the client without a reply, and the process with a rejection no one handles. */
async function handle(connection, line) {
  try {
    if (line.trim() === '') await connection.reply(500, 'Empty command')
    else await connection.commands.handle(line)
  } catch (error) {
    await connection.reply(500, error.message)
  }
}

/**
 * Fault: `AUTH TLS` went on reading while it answered, so that most ClientHellos were taken for a command. Reading
 * stops before the 234 is written; what comes meanwhile waits in the socket, from where TLS takes it.
 */
function upgrade(connection, { command }) {
  const { tls, secureContext } = stateOf(connection)
  if (!/^tls(-c)?$/i.test(command.arg ?? '')) return connection.reply(504)
  if (!tls) return connection.reply(502)
  if (connection.secure) return connection.reply(202)
  return beginTls(connection, secureContext)
}

async function beginTls(connection, secureContext) {
  const plain = connection.commandSocket
  connection.stopReading()
  await connection.reply(234)
  const secure = new TLSSocket(plain, { isServer: true, secureContext })
  track(stateOf(connection), secure)
  secure.on('error', (error) => plain.destroy(error))
  secure.on('close', () => plain.destroy())
  connection.commandSocket = secure
  connection.secure = true
  readCommands(connection)
}

/** Fault: `QUIT` destroyed the socket, so that a reset could overtake its own 221. */
async function quit(connection) {
  connection.stopReading()
  await connection.reply(221, 'Client called QUIT')
  connection.commandSocket.end()
  connection.commandSocket.resume()
}

/** Fault: the answer to `ABOR` was first written into the data connection, as if it were data. */
async function abort(connection) {
  connection.connector.end()
  await connection.reply(226, 'Nothing is under way any more')
}

/**
 * Faults: every `EPSV` left a listener open for 30 s, a free port was looked for by trying one after the other (two
 * servers then raced for it), and a client that never connected left a poll running for ever.
 */
async function passive(connection, announce) {
  connection.connector.end()
  const channel = await DataChannel.listen(connection, { ...stateOf(connection), track })
  connection.connector = channel
  await announce(channel.port)
}

function pasv(connection) {
  const address = connection.commandSocket.localAddress
  if (address.includes(':')) return connection.reply(425, 'PASV has no address for IPv6, use EPSV')
  return passive(connection, (port) =>
    connection.reply(227, `PASV OK (${address.replaceAll('.', ',')},${port >> 8},${port & 0xff})`),
  )
}

function epsv(connection) {
  return passive(connection, (port) => connection.reply(229, `EPSV OK (|||${port}|)`))
}

function active(connection, host, port) {
  connection.connector.end()
  if (host !== connection.commandSocket.remoteAddress)
    return connection.reply(500, 'The given address is not yours')
  if (!(port >= 1024 && port <= 65535)) return connection.reply(501, 'The given port is not allowed')
  connection.connector = DataChannel.connect(connection, { ...stateOf(connection), track }, { host, port })
  return connection.reply(200)
}

function port(connection, { command }) {
  const numbers = (command.arg ?? '').split(',').map(Number)
  if (numbers.length !== 6 || numbers.some((number) => !(number >= 0 && number <= 255)))
    return connection.reply(501)
  return active(connection, numbers.slice(0, 4).join('.'), numbers[4] * 256 + numbers[5])
}

function eprt(connection, { command }) {
  const [, protocol, host, port] = (command.arg ?? '').split('|')
  if (protocol !== '1' && protocol !== '2') return connection.reply(522, 'Unknown network protocol')
  return active(connection, host, Number(port))
}

/** ftp-srv looks handlers up here at each command; the checks before (login, black list) stay its own. */
const mended = {
  AUTH: upgrade,
  QUIT: quit,
  ABOR: abort,
  PASV: pasv,
  EPSV: epsv,
  PORT: port,
  EPRT: eprt,
  RETR: retrieve,
  STOR: store,
  APPE: store,
  STOU: storeUnique,
}
for (const [verb, mend] of Object.entries(mended)) {
  registry[verb] = {
    ...registry[verb],
    handler(event) {
      return mend(this, event)
    },
  }
}

/**
 * Faults: a `STOR` into a missing folder ended in a rejection no one handled (it tried to remove the file it could
 * not make), and `REST` before `STOR` emptied the file it was to continue.
 */
export class MendedFileSystem extends FileSystem {
  write(fileName, { append = false, start } = {}) {
    const { fsPath, clientPath } = this._resolvePath(fileName)
    const flags = append ? 'a' : start === undefined ? 'w' : 'r+'
    return {
      stream: createWriteStream(fsPath, { flags, ...(start !== undefined && !append && { start }) }),
      clientPath,
    }
  }
}
