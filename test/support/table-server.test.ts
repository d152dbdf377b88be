import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { authority } from './certificates.ts'
import { dial, Peer } from './peer.ts'
import { startTableServer } from './table-server.ts'

describe('the table server', () => {
  const files = { '/pub/a.txt': 'one\ntwo\n', '/big.bin': Buffer.alloc(30_000_000) }

  test.each(['whole', 'bytes'] as const)('serves as the standards say (%s)', async (segment) => {
    await using server = await startTableServer({ files, segment })
    const peer = dial(server)
    peer.socket.write('USER u\r\nPASS p\r\nCWD pub\r\nTYPE I\r\nSIZE a.txt\r\nEPSV\r\n')
    const [, port] = await peer.until(/\|\|\|(\d+)\|\)\r\n/)
    expect(peer.text.match(/^\d{3}/gm)).toEqual(['220', '331', '230', '250', '200', '213', '229'])
    const data = dial({ host: server.host, port: Number(port) })
    await peer.ask('RETR a.txt', /^226.*\r\n/m)
    await data.until(/^one\ntwo\n$/)
    await peer.ask('QUIT', /^221/)
    await peer.closed
    expect(server.received.at(-1)).toBe('QUIT')
  })

  test('lets single answers be overridden, call by call', async () => {
    await using server = await startTableServer({
      users: { u: 'p' },
      replies: {
        PWD: ['257 "/first"', '550 no'],
        SIZE: async (_argument, context) => {
          await context.send('213-half\r\n')
          context.control.destroy()
        },
      },
    })
    const peer = dial(server)
    await peer.ask('USER u', /331/)
    await peer.ask('PASS wrong', /^530/)
    await peer.ask('PASS p', /^230/)
    await peer.ask('PWD', /^257 "\/first"\r\n/)
    await peer.ask('PWD', /^550/)
    await peer.ask('SIZE x', /^213-half\r\n/)
    await peer.closed
  })

  test('twists a transfer: half the data, a reset, a closing reply of its own', async () => {
    await using server = await startTableServer({
      files,
      transfer: { bytes: 5, end: 'rst', closing: '451 disk broke' },
    })
    const peer = dial(server)
    await peer.ask('USER u\r\nPASS p\r\nTYPE I', /^200/m)
    const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|\)\r\n/)
    const data = dial({ host: server.host, port: Number(port) })
    await peer.ask('RETR big.bin', /^451 disk broke\r\n/m)
    await data.closed
    expect(data.bytes).toBe(5)
    expect(data.error).toMatchObject({ code: 'ECONNRESET' })
  })

  test('says 426 to a transfer that ABOR cut, and 226 to ABOR', async () => {
    await using server = await startTableServer({ files })
    const peer = dial(server)
    await peer.ask('USER u\r\nPASS p\r\nTYPE I', /^200/m)
    const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|\)\r\n/)
    const data = dial({ host: server.host, port: Number(port) })
    data.socket.pause()
    await peer.ask('RETR big.bin', /^150/m)
    await peer.ask('ABOR', /^426.*\r\n226/m)
    data.socket.destroy()
  })

  test('demands that data connections resume the session, where it is told to', async () => {
    await using server = await startTableServer({ files, tls: { mode: 'implicit', requireResumption: true } })
    const sessions: Buffer[] = []
    const secure = (port: number, session?: Buffer): Peer => {
      const socket = connectTls({ host: server.host, port, ca: authority, servername: 'localhost', session })
      socket.on('session', (ticket: Buffer) => sessions.push(ticket))
      return new Peer(socket)
    }
    const peer = secure(server.port)
    await peer.ask('USER u\r\nPASS p\r\nPBSZ 0\r\nPROT P\r\nTYPE I', /^200 Type I/m)
    for (const resume of [true, false]) {
      const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|\)\r\n/)
      const data = secure(Number(port), resume ? sessions.at(-1) : undefined)
      await peer.ask('RETR pub/a.txt', resume ? /^226/m : /^522/m)
      data.socket.destroy()
    }
    expect(server.handshakes.map(({ resumed }) => resumed)).toEqual([false, true, false])
  })
})
