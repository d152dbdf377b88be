import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { authority } from '../support/certificates.ts'
import { dial, Peer, upgraded } from '../support/peer.ts'
import { isInstalled, modesOf, SERVER_KINDS, startRealServer, type RealServer } from './real-server.ts'

async function greeted(server: RealServer): Promise<Peer> {
  const peer =
    server.mode === 'implicit'
      ? new Peer(connectTls({ host: server.host, port: server.port, ca: authority, servername: 'localhost' }))
      : dial(server)
  await peer.until(/^220 .*\r\n/m)
  if (!server.mode.startsWith('tls')) return peer
  await peer.ask('AUTH TLS', /^234.*\r\n/m)
  return upgraded(peer)
}

/** Whatever the server was told in its arguments or has for a configuration lies in its state folder. */
function processesOf(server: RealServer): string {
  const all = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return all
    .split('\n')
    .filter((line) => line.includes(server.root.replace(/\/root$/, '')))
    .join('\n')
}

for (const kind of SERVER_KINDS) {
  describe.runIf(isInstalled(kind))(kind, () => {
    test.each(modesOf(kind))('%s: starts in time, lets in, ends with its sessions', async (mode) => {
      const before = performance.now()
      const server = await startRealServer(kind, { mode })
      expect(performance.now() - before).toBeLessThan(3000)
      const peer = await greeted(server)
      await peer.ask(`USER ${server.user}`, /^331/m)
      await peer.ask(`PASS ${server.password}`, /^230 .*\r\n/m)
      await peer.ask('CWD upload', /^250/m)
      await peer.ask('MKD made', /^257/m)
      expect(existsSync(`${server.root}/upload/made`)).toBe(true)
      await peer.ask('PWD', /^257 "/m)

      const visitor = await greeted(server)
      await visitor.ask('USER anonymous', /^(331|230)/m)
      if (/^331/m.test(visitor.text)) await visitor.ask('PASS someone@', /^230 .*\r\n/m)
      await visitor.ask('CWD pub', /^250/m)

      await server.close()
      await Promise.all([peer.closed, visitor.closed])
      expect(processesOf(server)).toBe('')
      expect(existsSync(server.root)).toBe(false)
    })
  })
}

test('every server is here', () => {
  expect(SERVER_KINDS.filter((kind) => !isInstalled(kind))).toEqual([])
})
