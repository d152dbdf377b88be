/**
 * The limit: the shortest FTP dialogue by hand, and a socket that reads into one buffer. It checks nothing and
 * survives nothing; no client that does can be cheaper.
 */
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import net from 'node:net'
import tls from 'node:tls'

const BUFFER = 256 * 1024

/** Receives and forgets. */
export async function discard(task) {
  const memory = Buffer.allocUnsafeSlow(BUFFER)
  let bytes = 0
  await retrieve(task, {
    buffer: memory,
    callback: (length) => {
      bytes += length
      return true
    },
  })
  return { bytes }
}

/** Receives into a file: each full buffer is written before the next read. */
export async function save(task) {
  const memory = Buffer.allocUnsafeSlow(BUFFER)
  const file = openSync(task.local, 'w')
  let used = 0
  let bytes = 0
  await retrieve(task, {
    buffer: () => memory.subarray(used),
    callback: (length) => {
      bytes += length
      used += length
      if (used === BUFFER) {
        writeSync(file, memory)
        used = 0
      }
      return true
    },
  })
  writeSync(file, memory, 0, used)
  closeSync(file)
  return { bytes }
}

/** Sends a file: each read is written to the socket, and the next one waits until the kernel has it. */
export async function upload(task) {
  const control = await login(task)
  const socket = await openData(control, task)
  const done = control.ask(`STOR ${task.path}`)
  const memory = Buffer.allocUnsafeSlow(BUFFER)
  const file = openSync(task.local, 'r')
  let bytes = 0
  for (;;) {
    const length = readSync(file, memory)
    if (length === 0) break
    bytes += length
    if (!socket.write(memory.subarray(0, length))) await once(socket, 'drain')
  }
  closeSync(file)
  socket.end()
  await done
  await control.reply()
  control.socket.destroy()
  return { bytes }
}

async function retrieve(task, onread) {
  const control = await login(task)
  const socket = await openData(control, task, onread)
  const ended = once(socket, 'end')
  await control.ask(`RETR ${task.path}`)
  await ended
  socket.end()
  await control.reply()
  control.socket.destroy()
}

async function login({ host, port, user, password, authority }) {
  let control = new Dialogue(net.connect({ host, port, noDelay: true }))
  await control.reply()
  if (authority !== undefined) {
    await control.ask('AUTH TLS')
    const socket = tls.connect({ socket: control.socket, ca: readFileSync(authority), host })
    await once(socket, 'secureConnect')
    control = new Dialogue(socket)
    await control.ask('PBSZ 0')
    await control.ask('PROT P')
  }
  await control.ask(`USER ${user}`)
  await control.ask(`PASS ${password}`)
  await control.ask('TYPE I')
  return control
}

async function openData(control, { host, authority }, onread) {
  const [, high, low] = /(\d+),(\d+)\)/.exec(await control.ask('PASV'))
  const where = { host, port: Number(high) * 256 + Number(low), ...(onread === undefined ? {} : { onread }) }
  return authority === undefined
    ? net.connect({ ...where, noDelay: true })
    : tls.connect({ ...where, ca: readFileSync(authority), session: control.socket.getSession() })
}

/** Replies of one line, which is all that is asked for here. */
class Dialogue {
  #text = ''
  #wake = () => {}

  constructor(socket) {
    this.socket = socket
    socket.setEncoding('latin1').on('data', (text) => {
      this.#text += text
      this.#wake()
    })
  }

  ask(command) {
    this.socket.write(`${command}\r\n`)
    return this.reply()
  }

  async reply() {
    for (;;) {
      const end = this.#text.indexOf('\r\n')
      if (end !== -1) {
        const line = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (/^[45]/.test(line)) throw new Error(line)
        return line
      }
      await new Promise((resolve) => (this.#wake = resolve))
    }
  }
}
