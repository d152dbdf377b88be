/**
 * A link with a chosen round-trip time in front of a server on loopback, so that latency is measured on one machine.
 *
 * It listens on an address of its own (Linux has all of 127.0.0.0/8), at the server's own port numbers: a data
 * connection, which goes to the peer of the control connection at the port that the server named, then comes to the
 * link by itself. Ports are learned from 227 and 229 replies in the clear; where TLS hides them, `dataPorts` says
 * them beforehand. The bytes of replies are left as they are, but for the address in a 227.
 *
 * A connection costs what it costs on a real link: the server accepts one and a half round trips after the client
 * dialled (SYN, SYN-ACK, ACK), so that a greeting reaches the client after two. Only the client's own `connect` event
 * comes at once, because the kernel answers the SYN: a client that waits for its data connection before it sends
 * the next command is measured one round trip too fast.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const LINE_FEED = 0x0a
/** Timers of Node count in whole milliseconds; what is due within this is delivered with the rest. */
const GRAIN_MS = 0.5
/** More than this on its way to a slow reader, and the writer is held back. */
const WINDOW_BYTES = 8 * 1024 * 1024

/**
 * @param {import('./delay-link.mjs').DelayLinkOptions} options
 * @returns {Promise<import('./delay-link.mjs').DelayLink>}
 */
export async function startDelayLink({
  port,
  roundTripMs,
  host = '127.0.0.1',
  linkHost = '127.0.0.2',
  dataPorts = [],
}) {
  const sockets = new Set()
  const listeners = new Map()
  const timers = new Set()

  const later = (ms, run) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }
  const keep = (socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  /** Everything that goes one way through one connection, each piece half a round trip late and in order. */
  const lane = (from, notBefore, look = (chunk) => chunk) => {
    const queue = []
    let to
    let scheduled = false
    const deliver = () => {
      scheduled = false
      if (!to) return
      while (queue.length > 0 && queue[0].due <= performance.now() + GRAIN_MS) queue.shift().act(to)
      if (queue.length > 0 && !scheduled) {
        scheduled = true
        later(Math.max(0, queue[0].due - performance.now()), deliver)
      }
    }
    const put = (act) => {
      queue.push({ due: Math.max(performance.now() + roundTripMs / 2, notBefore), act })
      if (!scheduled) deliver()
    }
    const write = (bytes) =>
      put((target) => {
        if (target.destroyed) return
        target.write(bytes)
        if (target.writableLength > WINDOW_BYTES) {
          from.pause()
          target.once('drain', () => from.resume())
        }
      })
    let reading = Promise.resolve()
    from.on('data', (chunk) => {
      const bytes = look(chunk)
      if (bytes instanceof Promise) reading = Promise.all([bytes, reading]).then(([ready]) => write(ready))
      else write(bytes)
    })
    from.once('end', () => void reading.then(() => put((target) => target.end())))
    from.once(
      'close',
      (broken) => broken && void reading.then(() => put((target) => target.resetAndDestroy())),
    )
    return (target) => {
      to = target
      deliver()
    }
  }

  const relay = (targetPort, look) => (client) => {
    keep(client)
    const arrival = performance.now() + 1.5 * roundTripMs
    const towardsServer = lane(client, arrival)
    later(1.5 * roundTripMs, () => {
      const server = keep(connect({ host, port: targetPort, allowHalfOpen: true }))
      server.once('error', () => client.resetAndDestroy())
      towardsServer(server)
      lane(server, 0, look?.())(client)
    })
  }

  const open = async (targetPort, look) => {
    const listener = createServer({ allowHalfOpen: true }, relay(targetPort, look))
    listeners.set(targetPort, listener)
    listener.listen(targetPort, linkHost)
    await once(listener, 'listening')
    return listener
  }
  const openOnce = async (dataPort) => {
    if (listeners.has(dataPort)) return
    const listener = await open(dataPort)
    listener.once('connection', () => {
      listener.close()
      listeners.delete(dataPort)
    })
  }

  await open(port, () => replyReader(linkHost, openOnce))
  for (const dataPort of dataPorts) await open(dataPort)
  let closing
  const close = () =>
    (closing ??= (async () => {
      for (const timer of timers) clearTimeout(timer)
      const closed = [...listeners.values()].map((listener) => new Promise((done) => listener.close(done)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    })())
  return { host: linkHost, port, close, [Symbol.asyncDispose]: close }
}

/**
 * Reads replies line by line, for the ports they name, until TLS begins. What it hands on waits for the relay at
 * such a port to listen.
 */
function replyReader(linkHost, openPort) {
  let rest = Buffer.alloc(0)
  let clear = true
  return (chunk) => {
    if (rest.length === 0 && !/^[\d\s]/.test(chunk.toString('latin1', 0, 1))) clear = false
    if (!clear) return chunk
    const all = Buffer.concat([rest, chunk])
    const end = all.lastIndexOf(LINE_FEED) + 1
    rest = all.subarray(end)
    const lines = all.subarray(0, end).toString('latin1')
    if (/^234[ -]/m.test(lines)) clear = false
    const opening = [...portsIn(lines)].map((port) => openPort(port))
    const told = linkHost.includes(':') ? lines : withAddress(lines, linkHost)
    const bytes = Buffer.from(told, 'latin1')
    return opening.length > 0 ? Promise.all(opening).then(() => bytes) : bytes
  }
}

function* portsIn(lines) {
  for (const [, high, low] of lines.matchAll(/^227 .*?\d+,\d+,\d+,\d+,(\d+),(\d+)/gm))
    yield high * 256 + Number(low)
  for (const [, port] of lines.matchAll(/^229 .*\(\|\|\|(\d+)\|\)/gm)) yield Number(port)
}

function withAddress(lines, host) {
  return lines.replace(/^(227 .*?)\d+,\d+,\d+,\d+(,\d+,\d+)/gm, `$1${host.replaceAll('.', ',')}$2`)
}
