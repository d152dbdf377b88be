/** Stands before a server and resets connections: all that are open, when so many bytes of data have passed. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly port: number
  /** How often it has cut. */
  readonly cuts: number
}

/** Each number is the data, both ways and over all connections, that pass until the next cut; then no more. */
export async function startCuttingProxy(
  serverPort: number,
  cutAfter: readonly number[],
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const listeners = new Set<Server>()
  let cuts = 0
  let left = cutAfter[0] ?? Number.POSITIVE_INFINITY

  const count = (bytes: number): boolean => {
    left -= bytes
    if (left > 0) return false
    left = cutAfter[++cuts] ?? Number.POSITIVE_INFINITY
    for (const socket of sockets) socket.resetAndDestroy()
    return true
  }

  const watched = (socket: Socket, other: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    socket.on('end', () => other.end())
  }

  const passOn = (from: Socket, to: Socket): void => {
    from.on('data', (chunk: Buffer) => {
      if (count(chunk.length)) return
      if (!to.write(chunk)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
    })
  }

  const dataPortFor = async (target: number): Promise<number> => {
    const listener = createServer({ allowHalfOpen: true }, (client) => {
      listener.close()
      const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
      watched(client, server)
      watched(server, client)
      passOn(client, server)
      passOn(server, client)
    })
    listeners.add(listener)
    listener.on('close', () => listeners.delete(listener))
    return listening(listener)
  }

  const control = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    watched(client, server)
    watched(server, client)
    client.pipe(server, { end: false })
    let replies = Promise.resolve()
    server.on('data', (chunk: Buffer) => {
      replies = replies.then(async () => void client.write(await withOwnPort(chunk, dataPortFor)))
    })
  })
  listeners.add(control)
  const port = await listening(control)

  return {
    port,
    get cuts() {
      return cuts
    },
    async [Symbol.asyncDispose]() {
      const closed = [...listeners].map((listener) => new Promise((resolve) => listener.close(resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

/** The 227 comes in a packet of its own: the client sends PASV alone. */
async function withOwnPort(chunk: Buffer, portFor: (port: number) => Promise<number>): Promise<Buffer> {
  const text = chunk.toString('latin1')
  const [numbers, high, low] = /\b127,0,0,1,(\d+),(\d+)/.exec(text) ?? []
  if (numbers === undefined || !text.startsWith('227')) return chunk
  const port = await portFor(Number(high) * 256 + Number(low))
  return Buffer.from(text.replace(numbers, `127,0,0,1,${port >> 8},${port & 255}`), 'latin1')
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
