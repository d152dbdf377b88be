import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { checkPeer } from '../../src/transport/check-peer.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function ended(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

test('a connection that met itself is refused (C23)', async () => {
  const port = await freePort()
  // TCP lets two ends that dial each other meet, also where both are one.
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.1', localPort: port })
  await once(socket, 'connect')
  expect(() => checkPeer(socket, '127.0.0.1')).toThrow(
    expect.objectContaining({ code: 'FTP_DATA_CONNECTION_FAILED', phase: 'data-connect' }),
  )
  await ended(socket)
})

test('a connection that reached somebody else is refused (C24)', async () => {
  await using server = createServer((socket) => socket.on('error', () => undefined).destroy()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  expect(() => checkPeer(socket, '127.0.0.2')).toThrow(
    expect.objectContaining({ code: 'FTP_DATA_PEER_MISMATCH' }),
  )
  await ended(socket)
})
