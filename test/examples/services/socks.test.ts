/** Through microsocks, a SOCKS5 server: the example, and everything that a session does. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SocksClient } from 'socks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, FtpClient, type FtpOptions } from '../../../src/index.ts'
import { authority, certificate } from '../../support/certificates.ts'
import { startFtpSrv } from '../../support/ftp-srv-server.mjs'
import { hashesBelow, runExample } from '../run-example.ts'
import { openSite, type Site } from '../site.ts'
import { startService, type Service } from './service.ts'

const EXAMPLE = 'through-a-socks-proxy.mjs'
const LOGIN = ['-u', 'ann', '-P', 'p@ss'] as const
let site: Site
let open: Service
let closed: Service

function microsocks(...login: readonly string[]): Promise<Service> {
  return startService('microsocks', (port) => ['-i', '127.0.0.1', '-p', String(port), ...login], site.work)
}

beforeAll(async () => {
  site = await openSite()
  open = await microsocks()
  closed = await microsocks(...LOGIN)
})

afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await closed[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** The tunnels that the proxy tells of. */
function tunnels(): number {
  return open.output().match(/connected to /g)?.length ?? 0
}

const viaSocks: NonNullable<FtpOptions['connect']> = async ({ host, port }) => {
  const { socket } = await SocksClient.createConnection({
    proxy: { host: '127.0.0.1', port: open.port, type: 5 },
    command: 'connect',
    destination: { host, port },
  })
  return socket
}

describe(EXAMPLE, () => {
  test('takes control and data through the proxy', async () => {
    const before = tunnels()
    const words = [`socks5://127.0.0.1:${open.port}`, site.server.url('/big.bin')]
    const { code, stdout, stderr } = await runExample(EXAMPLE, words, { env: { VERBOSE: '1' } })
    expect(code).toBe(0)
    expect(site.big.equals(stdout)).toBe(true)
    expect(stderr).toMatch(/^control connection to \S+\ndata connection to \S+\n$/)
    expect(tunnels() - before).toBe(2)
  })

  test('lets the proxy look the name up', async () => {
    const url = site.server.url('/etc/motd').replace('127.0.0.1', 'localhost')
    const { code, stdout } = await runExample(EXAMPLE, [`socks5://127.0.0.1:${open.port}`, url])
    expect(code).toBe(0)
    expect(stdout.equals(await readFile(join(site.root, 'etc/motd')))).toBe(true)
  })

  test('gives the proxy its password', async () => {
    const url = site.server.url('/etc/motd')
    const admitted = await runExample(EXAMPLE, [`socks5://ann:p%40ss@127.0.0.1:${closed.port}`, url])
    expect(admitted.code).toBe(0)
    const refused = await runExample(EXAMPLE, [`socks5://ann:wrong@127.0.0.1:${closed.port}`, url])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^FTP_CONNECT_FAILED: .*Authentication/m)
    expect(refused.stderr).not.toContain('wrong')
  })
})

describe('a session behind SOCKS', () => {
  test('uploads, lists, resumes, downloads and aborts', async () => {
    const { server, big, root, work } = site
    const before = tunnels()
    const session = await connect(server.url('/', 'joe:s3cret'), { connect: viaSocks })
    try {
      await session.upload(big.subarray(0, 3_000_000), 'up.bin')
      await session.upload(big, 'up.bin', { mode: 'resume' })
      expect(big.equals(await readFile(join(root, 'up.bin')))).toBe(true)
      const names = (await session.list().toArray()).map(({ name }) => name)
      expect(names.toSorted()).toEqual(['big.bin', 'etc', 'pub', 'up.bin'])
      for await (const _ of session.download('up.bin')) break
      expect(await session.size('up.bin')).toBe(big.length)
      await session.downloadTo('up.bin', join(work, 'down.bin'), { resume: true })
      expect(big.equals(await readFile(join(work, 'down.bin')))).toBe(true)
      await session.delete('up.bin')
    } finally {
      await session.close()
    }
    // One for control, and one for each transfer.
    expect(tunnels() - before).toBeGreaterThanOrEqual(6)
  })

  test('mirrors over several sessions', async () => {
    const client = new FtpClient({ connect: viaSocks, maxSessions: 3 })
    try {
      const { failed } = await client.mirror(site.server.url('/'), join(site.work, 'mirror'))
      expect(failed).toBe(0)
    } finally {
      await client.close()
    }
    expect(await hashesBelow(join(site.work, 'mirror'))).toEqual(await hashesBelow(site.root))
  })

  test.each(['explicit', 'implicit'] as const)('has its %s TLS inside the tunnels', async (mode) => {
    const { root, big } = site
    await using server = await startFtpSrv({ root, tls: { mode, ...certificate('server') } })
    const url = server.url('/').replace('127.0.0.1', 'localhost')
    const session = await connect(url, {
      connect: viaSocks,
      tls: mode,
      allowPorts: [server.port],
      tlsOptions: { ca: authority },
    })
    try {
      expect(session.security).toMatchObject({ verified: true, dataProtected: true })
      expect(big.equals(await session.download('big.bin').bytes())).toBe(true)
    } finally {
      await session.close()
    }
  })

  test('has no active mode', async () => {
    const session = await connect(site.server.url('/'), { connect: viaSocks, dataMode: 'active' })
    try {
      await expect(session.download('big.bin').bytes()).rejects.toMatchObject({ code: 'FTP_INVALID_OPTION' })
    } finally {
      await session.close()
    }
  })
})
