/**
 * Active mode: this end listens, the server dials (PORT, EPRT). Only the server's own address is let in.
 */
import net from 'node:net'
import { FtpError } from '../errors.ts'
import { Deadline } from './deadline.ts'
import { isSameAddress } from './peer-address.ts'

/** Where to listen and for whom. */
export interface ListenRequest {
  /** The local address of the control connection. */
  readonly address: string
  /** The address that may connect. */
  readonly peer: string
  /** Ports to choose from; any where absent. */
  readonly ports: readonly [lowest: number, highest: number] | undefined
  readonly timeoutMs: number
}

/** A listener that takes one connection. */
export interface DataListener {
  readonly port: number
  /** The server's connection; rejects when it does not come in time. */
  accept(signal: AbortSignal): Promise<net.Socket>
}

/** Listens on the first free port of the range. */
export async function listenForData(request: ListenRequest): Promise<DataListener> {
  const server = net.createServer({ pauseOnConnect: true, noDelay: true })
  await bind(server, request)
  const { port } = server.address() as net.AddressInfo
  return { port, accept: (signal) => accept(server, request, signal) }
}

async function bind(server: net.Server, { address, ports }: ListenRequest): Promise<void> {
  const [lowest, highest] = ports ?? [0, 0]
  for (let port = lowest; port <= highest; port++) {
    const problem = await new Promise<Error | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen({ port, host: address, exclusive: true }, () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (problem === undefined) return
    if (port === highest) {
      throw new FtpError('FTP_DATA_CONNECTION_FAILED', `Cannot listen on ${address}: ${problem.message}`, {
        phase: 'data-connect',
        cause: problem,
      })
    }
  }
}

function accept(
  server: net.Server,
  { peer, timeoutMs }: ListenRequest,
  signal: AbortSignal,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const stop = (error: Error): void => {
      deadline.clear()
      signal.removeEventListener('abort', onAbort)
      server.close()
      reject(error)
    }
    const onAbort = (): void => stop(signal.reason as Error)
    const deadline = new Deadline(() =>
      stop(
        new FtpError('FTP_TIMEOUT', `The server did not open the data connection within ${timeoutMs} ms.`, {
          phase: 'data-connect',
        }),
      ),
    )
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    deadline.set(timeoutMs)
    server.on('error', stop)
    server.on('connection', (socket) => {
      // Anybody may knock; only the server may come in (LightFTP issue 74).
      if (!isSameAddress(socket.remoteAddress, peer)) return socket.destroy()
      deadline.clear()
      signal.removeEventListener('abort', onAbort)
      server.close()
      return resolve(socket)
    })
  })
}
