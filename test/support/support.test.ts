import { execFile } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { authority, certificate } from './certificates.ts'
import { startFtpSrv } from './ftp-srv-server.mjs'
import { startDecoy, startScriptedServer, type Script } from './scripted-server.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

/** A client that knows nothing: writes, and reads until a text or the end has come. */
class Peer {
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

function dial({ host, port }: { host: string; port: number }): Peer {
  return new Peer(connect(port, host))
}

async function upgraded(peer: Peer): Promise<Peer> {
  peer.socket.removeAllListeners('data')
  const secure: TLSSocket = connectTls({ socket: peer.socket, ca: authority, servername: 'localhost' })
  return new Peer(secure)
}

describe('ftp-srv in process', () => {
  test('runs a split command as one, answers an empty line, and keeps the order of a flight', async () => {
    await using server = await startFtpSrv({ root: site })
    const peer = dial(server)
    await peer.until(/^220/)
    peer.socket.write('USER anon')
    await new Promise((resolve) => setTimeout(resolve, 20))
    peer.socket.write('ymous\r\n\r\nCWD pub\r\nSIZE hello.txt\r\nQUIT\r\n')
    await peer.closed
    expect(peer.text.match(/^\d{3}/gm)).toEqual(['220', '230', '500', '250', '213', '221'])
    expect(server.log).toEqual(['USER anonymous', '', 'CWD pub', 'SIZE hello.txt', 'QUIT'])
  })

  test('answers 426 when the client closes the data connection, and 226 to ABOR', async () => {
    await using server = await startFtpSrv({
      root: fileURLToPath(new URL('../../node_modules', import.meta.url)),
    })
    const peer = dial(server)
    await peer.ask('USER anonymous', /^230/m)
    for (const [how, replies] of [
      ['destroy', /^426/m],
      ['abort', /^426[^\n]*\n226/m],
    ] as const) {
      const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|/)
      const data = connect(Number(port), server.host).on('error', () => {})
      await peer.ask('RETR typescript/lib/typescript.js', /^150/m)
      if (how === 'destroy') data.destroy()
      await (how === 'abort' ? peer.ask('ABOR', replies) : peer.until(replies))
      data.destroy()
    }
  })

  test('upgrades to TLS every time, on IPv6 too', async () => {
    const tls = { mode: 'explicit', ...certificate('server') } as const
    await using server = await startFtpSrv({ root: site, tls, host: '::1' })
    for (let round = 0; round < 10; round++) {
      const plain = dial(server)
      await plain.ask('AUTH TLS', /^234.*\r\n/m)
      const peer = await upgraded(plain)
      await peer.ask('USER anonymous', /^230/m)
      peer.socket.destroy()
    }
  })

  test('adds no signal handler, and nothing keeps the process alive after close', async () => {
    const code = `
      import { startFtpSrv } from ${JSON.stringify(new URL('ftp-srv-server.mjs', import.meta.url).href)}
      import { connect } from 'node:net'
      const server = await startFtpSrv({ root: '.' })
      const socket = connect(server.port, server.host).on('error', () => {})
      socket.write('USER anonymous\\r\\nEPSV\\r\\nNLST\\r\\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (process.listenerCount('SIGTERM') > 0) throw new Error('a signal handler was left')
      await server.close()
      setTimeout(() => { throw new Error('still alive') }, 500).unref()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  })
})

const LOGIN: Script = [{ send: '220 hi\r\n' }, { expect: 'USER u' }, { send: '230 in\r\n' }]

describe('the scripted server', () => {
  test.each(['whole', 'bytes'] as const)('plays expect and send (%s)', async (segment) => {
    await using server = await startScriptedServer(
      [
        ...LOGIN,
        { openData: true },
        { expect: /^PASV$/ },
        { send: '227 ({{pasv}})\r\n' },
        { acceptData: true },
        { dataSend: 'abc' },
        { fin: 'data' },
        { sendSplit: '226 done\r\n', at: [2, 5] },
      ],
      { segment },
    )
    const peer = dial(server)
    await peer.ask('USER u', /230 in\r\n/)
    const [, high, low] = await peer.ask('PASV', /1,(\d+),(\d+)\)\r\n/)
    const data = dial({ host: server.host, port: Number(high) * 256 + Number(low) })
    await peer.until(/226 done\r\n/)
    await data.until(/^abc$/)
    expect(server.received).toEqual(['USER u', 'PASV'])
    expect(server.receivedBytes.toString()).toBe('USER u\r\nPASV\r\n')
    await expect.poll(() => server.finished).toEqual([true])
    expect(server.dataConnections).toBe(1)
  })

  test('says when the client leaves the script', async () => {
    const server = await startScriptedServer(LOGIN)
    const peer = dial(server)
    peer.socket.write('NOOP\r\n')
    await peer.closed
    await expect(server.close()).rejects.toThrow('expected USER u, got "NOOP"')
  })

  test('gives each connection its own script, FIN and RST as told', async () => {
    await using server = await startScriptedServer([
      [{ send: '220 half' }, { fin: 'control' }],
      [{ send: '220 hi\r\n' }, { expect: 'QUIT' }, { rst: 'control' }],
    ])
    const first = dial(server)
    await first.closed
    expect(first.text).toBe('220 half')
    const second = dial(server)
    await second.until(/220 hi/)
    second.socket.write('QUIT\r\n')
    await second.closed
    expect(second.error).toMatchObject({ code: 'ECONNRESET' })
    expect(server.receivedBy).toEqual([[], ['QUIT']])
  })

  test('upgrades to TLS with the certificate that is asked for', async () => {
    await using server = await startScriptedServer(
      [
        { send: '220 hi\r\n' },
        { expect: 'AUTH TLS' },
        { send: '234 go\r\n' },
        { startTls: 'server' },
        { expect: 'NOOP' },
        { send: '200 ok\r\n' },
      ],
      { segment: 'bytes' },
    )
    const plain = dial(server)
    await plain.ask('AUTH TLS', /234 go\r\n/)
    const peer = await upgraded(plain)
    await peer.ask('NOOP', /200 ok\r\n/)
    expect(server.received).toEqual(['AUTH TLS', 'NOOP'])
    expect(server.handshakes).toMatchObject([{ channel: 'control', serverName: 'localhost' }])
  })

  test.each([0, 30])('cuts TLS on a data connection without its ending (%i bytes short)', async (short) => {
    const lengths: number[] = []
    for (const limit of [undefined, short]) {
      await using server = await startScriptedServer([
        { send: '220 hi\r\n' },
        { openData: true },
        { expect: 'EPSV' },
        { send: '229 (|||{{port}}|)\r\n' },
        { acceptData: true },
        { startDataTls: 'server', ...(limit !== undefined && { cutAfterBytes: (lengths[0] ?? 0) - limit }) },
        { dataSend: Buffer.alloc(1000, 'x') },
        { cut: 'data' },
      ])
      const peer = dial(server)
      const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|/)
      const tcp = connect(Number(port), server.host)
      const data = new Peer(connectTls({ socket: tcp, ca: authority, servername: 'localhost' }))
      await data.closed
      expect(data.bytes).toBe(limit === 30 ? 0 : 1000)
      lengths.push(tcp.bytesRead)
    }
  })

  test('ends a server that sends for ever, and a decoy counts', async () => {
    const decoy = await startDecoy()
    await dial(decoy).closed
    expect(decoy.connections).toBe(1)
    await decoy.close()
    const server = await startScriptedServer([{ sendForever: '220-x\r\n' }], { host: '::1' })
    const peer = dial(server)
    await peer.until(/220-x\r\n220-x/)
    peer.socket.pause()
    await server.close()
    peer.socket.destroy()
  })
})
