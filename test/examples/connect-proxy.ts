/** An HTTP proxy that does CONNECT and nothing else. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface ConnectProxyOptions {
  /** `user:password`; without it everybody may pass. */
  readonly credentials?: string
  /** Says which targets are refused with 403. */
  readonly refuses?: (target: string) => boolean
}

export interface ConnectProxy extends AsyncDisposable {
  readonly port: number
  /** The targets of the tunnels, in order. */
  readonly tunnels: readonly string[]
}

export async function connectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const wanted = options.credentials && `Basic ${Buffer.from(options.credentials).toString('base64')}`
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    socket.on('error', () => {})
    if (wanted !== undefined && headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    if (options.refuses?.(url) === true) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    tunnels.push(url)
    const { hostname, port } = new URL(`tunnel://${url}`)
    const through = connect({ host: hostname, port: Number(port) })
    sockets.add(through)
    through.on('error', () => socket.destroy())
    // The answer goes out together with the server's first bytes, as it may happen on a slow line.
    through.once('connect', () => {
      let answered = false
      const answer = (first: Uint8Array): void => {
        if (answered) return
        answered = true
        socket.write(Buffer.concat([Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'), first]))
        through.pipe(socket)
      }
      through.once('data', (first) => {
        through.pause()
        answer(first)
      })
      through.once('end', () => answer(Buffer.alloc(0)))
      setTimeout(() => answer(Buffer.alloc(0)), 20).unref()
      socket.pipe(through)
    })
    socket.on('close', () => through.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    tunnels,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
