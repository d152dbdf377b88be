import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { authority } from './certificates.ts'
import { loopbacks } from './listener.ts'
import { dial, Peer, upgraded } from './peer.ts'
import { startDecoy, startScriptedServer, type Script } from './scripted-server.ts'

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

  test.each([
    [1022, 1000],
    [1021, 0],
  ])('cuts TLS on a data connection behind %i bytes, without its ending', async (cutAfterBytes, arrive) => {
    await using server = await startScriptedServer([
      { send: '220 hi\r\n' },
      { openData: true },
      { expect: 'EPSV' },
      { send: '229 (|||{{port}}|)\r\n' },
      { acceptData: true },
      { startDataTls: 'server', cutAfterBytes },
      { dataSend: Buffer.alloc(1000, 'x') },
    ])
    const peer = dial(server)
    const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|/)
    const tcp = connect(Number(port), server.host)
    const data = new Peer(connectTls({ socket: tcp, ca: authority, servername: 'localhost' }))
    await data.closed
    expect(data.bytes).toBe(arrive)
  })

  test('cuts TLS where a step says so', async () => {
    await using server = await startScriptedServer(
      [{ send: '220 hi\r\n' }, { expect: 'NOOP' }, { send: '200 ok\r\n' }, { cut: 'control' }],
      { tls: 'server' },
    )
    const peer = new Peer(connectTls({ ...server, ca: authority, servername: 'localhost' }))
    await peer.ask('NOOP', /200 ok\r\n/)
    await peer.closed
    expect(server.finished).toEqual([true])
  })

  test.each(loopbacks)('ends a server that sends for ever, and a decoy counts (%s)', async (host) => {
    const decoy = await startDecoy(host)
    await dial(decoy).closed
    expect(decoy.connections).toBe(1)
    await decoy.close()
    const server = await startScriptedServer([{ sendForever: '220-x\r\n' }], { host })
    const peer = dial(server)
    await peer.until(/220-x\r\n220-x/)
    peer.socket.pause()
    await server.close()
    peer.socket.destroy()
  })
})
