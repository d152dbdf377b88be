/**
 * `RETR`, `STOR`, `APPE` and `STOU` of ftp-srv, written anew: its own never replied when the client closed the data
 * connection, stopped reading the control connection meanwhile (so that `ABOR` came too late), and polled for ever
 * for a data connection that never came. What they answer is what ftp-srv answers.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'

/** Waits for the data connection, lets `move` use it, and ends it before the final reply. */
async function transfer(connection, move) {
  const channel = connection.connector
  let socket
  try {
    socket = await channel.waitForConnection()
  } catch {
    channel.end()
    await connection.reply(425, 'No connection established')
    return
  }
  connection.transfer = channel
  try {
    const [code, message] = await move(socket)
    channel.end()
    await connection.reply(code, message)
  } finally {
    connection.transfer = undefined
  }
}

/** A refused file is 551 once the data connection is up, and the restart offset then stays for the next command. */
export function retrieve(connection, { command }) {
  return transfer(connection, async (socket) => {
    let file
    try {
      file = await connection.fs.read(command.arg ?? '', { start: connection.restByteCount })
      await opened(file.stream)
    } catch (error) {
      return [551, error.message]
    }
    connection.restByteCount = 0
    await connection.reply(150)
    socket.resume()
    return moved(file.stream, socket, file.clientPath)
  })
}

export function store(connection, { command }) {
  const append = command.directive === 'APPE'
  return transfer(connection, async (socket) => {
    let file
    try {
      file = connection.fs.write(command.arg ?? '', { append, start: connection.restByteCount })
      await opened(file.stream)
    } catch (error) {
      return [550, error.message]
    }
    connection.restByteCount = 0
    await connection.reply(150)
    return moved(socket, file.stream, file.clientPath)
  })
}

export function storeUnique(connection, { command }) {
  const name = randomUUID().replaceAll('-', '')
  return store(connection, { command: { ...command, arg: name } })
}

/** A stream of a file tells only by an event that the file could not be opened. */
async function opened(stream) {
  if (stream.pending) await once(stream, 'open')
}

async function moved(from, to, clientPath) {
  try {
    await pipeline(from, to)
    return [226, clientPath]
  } catch {
    return [426, 'The data connection was closed before the end']
  }
}
