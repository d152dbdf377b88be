import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { authority } from './certificates.ts'

/** A client that knows nothing: writes, and reads until a text or the end has come. */
export class Peer {
  text = ''
  bytes = 0
  error: Error | undefined
  chunks = 0
  readonly socket: Socket
  readonly closed: Promise<void>
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1')
      this.bytes += chunk.length
      this.chunks++
      this.#wake()
    })
    socket.on('error', (error) => (this.error = error))
    this.closed = new Promise((resolve) =>
      socket.on('close', () => {
        this.#wake()
        resolve()
      }),
    )
  }

  async until(wanted: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = wanted.exec(this.text)
      if (match) return match
      if (this.socket.closed) throw new Error(`closed at ${JSON.stringify(this.text)}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async ask(command: string, wanted: RegExp): Promise<RegExpExecArray> {
    this.text = ''
    this.socket.write(`${command}\r\n`)
    return this.until(wanted)
  }
}

export function dial({ host, port }: { host: string; port: number }): Peer {
  return new Peer(connect(port, host))
}

/** The same connection behind a TLS handshake, as a client makes it. */
export async function upgraded(peer: Peer): Promise<Peer> {
  peer.socket.removeAllListeners('data')
  const secure: TLSSocket = connectTls({ socket: peer.socket, ca: authority, servername: 'localhost' })
  return new Peer(secure)
}
