import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { dial } from './peer.ts'
import { startScriptedServer } from './scripted-server.ts'
import { startTableServer } from './table-server.ts'

/** Sockets, listeners and timers of this process. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /^(TCP|Timeout)/.test(name))
}

async function dialled(server: { host: string; port: number }): Promise<{ control: Socket; data: Socket }> {
  const peer = dial(server)
  peer.socket.write('USER u\r\nPASS p\r\nEPSV\r\n')
  const [, port] = await peer.until(/\|\|\|(\d+)\|\)\r\n/)
  return { control: peer.socket, data: connect(Number(port), server.host).on('error', () => {}) }
}

test('a server closed in the middle of anything leaves no socket, listener or timer', async () => {
  const before = handles()
  const waiting = await startScriptedServer([
    { send: '220 hi\r\n230 in\r\n' },
    { openData: true },
    { send: '229 (|||{{port}}|)\r\n' },
    { acceptData: 'unread' },
    { pauseMs: 100_000 },
  ])
  const table = await startTableServer({
    files: { '/big': Buffer.alloc(20_000_000) },
    transfer: { end: 'never', delayClosingMs: 100_000 },
  })
  const clients: Socket[] = []
  for (const server of [waiting, table]) {
    const { control, data } = await dialled(server)
    control.write('RETR big\r\n')
    clients.push(control, data)
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  await Promise.all([waiting.close(), table.close()])
  for (const client of clients) client.destroy()
  await expect.poll(handles).toEqual(before)
})
