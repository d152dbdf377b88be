import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { listenForData, type ListenRequest } from '../../src/transport/data-listener.ts'

const REQUEST: ListenRequest = { address: '127.0.0.1', peer: '127.0.0.1', ports: undefined, timeoutMs: 5000 }
const NEVER = new AbortController().signal

function dial(port: number, localAddress?: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      ...(localAddress === undefined ? {} : { localAddress }),
    })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket.on('error', () => undefined)))
  })
}

describe('listening for the server', () => {
  test('a stranger is turned away, and the server still let in (C20)', async () => {
    const listener = await listenForData(REQUEST)
    const accepted = listener.accept(NEVER)
    // Only where the system has the whole of 127/8.
    const stranger = await dial(listener.port, '127.0.0.2').catch(() => undefined)
    stranger?.write('forged')
    const server = await dial(listener.port)
    server.end('data')
    const socket = await accepted
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    expect(text).toBe('data')
    if (stranger !== undefined && !stranger.destroyed)
      await new Promise((resolve) => stranger.once('close', resolve).resume())
  })

  test('nobody comes', async () => {
    const listener = await listenForData({ ...REQUEST, timeoutMs: 30 })
    await expect(listener.accept(NEVER)).rejects.toMatchObject({ code: 'FTP_TIMEOUT', phase: 'data-connect' })
    await expect(dial(listener.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test.each(['before', 'later'])('given up %s', async (when) => {
    const listener = await listenForData(REQUEST)
    const controller = new AbortController()
    if (when === 'before') controller.abort(new Error('mine'))
    const accepted = listener.accept(controller.signal)
    controller.abort(new Error('mine'))
    await expect(accepted).rejects.toThrow('mine')
    await expect(dial(listener.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('the ports of a range, one after the other, and none left', async () => {
    const first = await listenForData(REQUEST)
    const only = { ...REQUEST, ports: [first.port, first.port] as const }
    await expect(listenForData(only)).rejects.toMatchObject({
      code: 'FTP_DATA_CONNECTION_FAILED',
      phase: 'data-connect',
      cause: { code: 'EADDRINUSE' },
    })
    const controller = new AbortController()
    const accepted = first.accept(controller.signal)
    controller.abort(new Error('done'))
    await expect(accepted).rejects.toThrow('done')
  })
})
