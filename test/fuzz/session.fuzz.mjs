// A server that says anything, in any pieces, at any time: a download ends, with all the bytes or one of our errors.
// Needs a build. node test/fuzz/session.fuzz.mjs [--runs N | --seconds N] [--seed N]
import { createServer } from 'node:net'
import { FtpError, FTP_ERROR_CODES, get } from '../../dist/index.js'
import { fuzz } from './random.mjs'

const CANARY = 'Zq9canary'
const DATA = Buffer.from('x'.repeat(3000))
const HANG_MS = 10_000
const TIMEOUTS = { connect: 500, reply: 200, stall: 200, finalReply: 200, close: 20, abort: 50 }
const NOISE = ['150 x\r\n', '226 x\r\n', '421 x\r\n', '250 x\r\n', '2', '\0', '\xff\xf4', '\r\n', '220-x\r\n', '000 x\r\n', '227 (1,2,3,4,5,6)\r\n', '257 "/"\r\n'] // prettier-ignore

for (const event of ['uncaughtException', 'unhandledRejection', 'warning'])
  process.on(event, (error) => {
    console.error(event, error)
    process.exit(1)
  })

await fuzz('session', 300, async (tools, shown) => {
  shown.said = []
  const server = await listen((socket) => serve(socket, tools, shown.said))
  const { port } = server.address()
  const pipelining = tools.pick(['auto', 'full', 'off'])
  const passive = tools.pick(['auto', 'pasv', 'epsv'])
  const download = get(`ftp://u:${CANARY}@127.0.0.1:${port}/d/f`, { timeouts: TIMEOUTS, pipelining, passive })
  const outcome = await within(HANG_MS, settle(download))
  if (outcome.error !== undefined) checkError(outcome.error)
  else if (!DATA.equals(outcome.data))
    throw new Error(`half a file looks whole: ${outcome.data.length} bytes`)
  await server.end()
})

function settle(download) {
  return download.bytes().then(
    (data) => ({ data }),
    (error) => ({ error }),
  )
}

function within(ms, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled after ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function checkError(error) {
  if (!(error instanceof FtpError) || !FTP_ERROR_CODES.includes(error.code)) throw error
  if (`${error.message} ${error.reply?.text}`.includes(CANARY)) throw new Error('the password is shown')
}

/** An honest server whose every act may go wrong. */
function serve(socket, { random, below, pick }, said) {
  let data
  const write = (text) => {
    if (socket.destroyed) return
    said.push(text)
    const bytes = Buffer.from(text, 'latin1')
    const at = random() < 0.5 ? below(bytes.length) : 0
    if (at > 0) socket.write(bytes.subarray(0, at))
    setImmediate(() => socket.destroyed || socket.write(bytes.subarray(at)))
  }
  let knows = false
  // A server can quote the password once it has got it.
  const noise = () => (knows && random() < 0.2 ? `530 ${CANARY}\r\n` : pick(NOISE))
  const say = (text) => {
    const chance = random()
    if (chance < 0.03) return write(noise())
    if (chance < 0.05) return socket.destroy()
    if (chance < 0.06) return socket.resetAndDestroy()
    if (chance < 0.08) return undefined
    return write(chance < 0.1 ? text + noise() : text)
  }
  const answers = {
    USER: () => say('331 pw\r\n'),
    PASS: () => {
      knows = true
      say('230 in\r\n')
    },
    CWD: () => say('250 ok\r\n'),
    TYPE: () => say('200 ok\r\n'),
    SIZE: () => say(`213 ${DATA.length}\r\n`),
    PASV: async () => {
      data = await openDoor(random)
      say(`227 (127,0,0,1,${data.port >> 8},${data.port & 255})\r\n`)
    },
    EPSV: async () => {
      data = await openDoor(random)
      say(`229 (|||${data.port}|)\r\n`)
    },
    RETR: () => {
      if (random() < 0.9) say('150 ok\r\n')
      data?.send(() => say(random() < 0.95 ? '226 ok\r\n' : '451 no\r\n'))
    },
    ABOR: () => say('226 ok\r\n'),
    PWD: () => say('257 "/"\r\n'),
    QUIT: () => socket.end('221 bye\r\n'),
  }
  socket.on('error', () => undefined)
  socket.on('close', () => data?.shut())
  let rest = ''
  socket.on('data', async (chunk) => {
    rest += chunk.toString('latin1')
    const lines = rest.split('\r\n')
    rest = lines.pop()
    for (const line of lines) await (answers[line.split(' ')[0]] ?? (() => say('502 no\r\n')))()
  })
  say('220 hi\r\n')
}

/** A data connection that sends all, or part, or nothing; and ends, breaks, or stays. */
async function openDoor(random) {
  let peer
  let sending
  const door = await listen((socket) => {
    socket.on('error', () => undefined)
    peer = socket
    sending?.()
  })
  const { port } = door.address()
  const deliver = (done) => {
    const chance = random()
    if (chance < 0.04) return peer.resetAndDestroy()
    if (chance < 0.06) return undefined
    const length = chance < 0.1 ? Math.floor(random() * DATA.length) : DATA.length
    peer.end(DATA.subarray(0, length), done)
    return undefined
  }
  return {
    port,
    send: (done) => {
      sending = () => deliver(done)
      if (peer !== undefined) sending()
    },
    shut: () => door.end(),
  }
}

async function listen(accept) {
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    accept(socket)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.end = () =>
    new Promise((resolve) => {
      server.close(resolve)
      for (const socket of sockets) socket.destroy()
    })
  return server
}
