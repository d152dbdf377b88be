/** A server that takes a connection and never says a word. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface SilentServer extends AsyncDisposable {
  readonly url: string
  /** Resolves when somebody has connected. */
  readonly called: Promise<unknown>
}

export async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})))
  const called = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `ftp://127.0.0.1:${address.port}/`,
    called,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
