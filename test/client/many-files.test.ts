/** What a client does with several sessions, and with whole trees. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect, FtpClient } from '../../src/index.ts'
import { authority, certificate } from '../support/certificates.ts'
import { startTableServer, type TableServer } from '../support/table-server.ts'

const big = randomBytes(3_500_000)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-many-'))
})

afterEach(() => rm(folder, { recursive: true }))

function small(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`/pub/${at}.txt`, `file ${at}`]))
}

async function withClient(
  options: Parameters<typeof startTableServer>[0],
  work: (client: FtpClient, server: TableServer) => Promise<void>,
): Promise<void> {
  await using server = await startTableServer(options)
  await using client = new FtpClient({ maxSessions: 3 })
  await work(client, server)
}

describe('many transfers', () => {
  test('come over a few sessions, with an outcome for each', async () => {
    await withClient({ files: small(12) }, async (client, server) => {
      const names = [...Array.from({ length: 12 }, (_, at) => `${at}.txt`), 'nope.txt']
      const jobs = names.map((name) => ({ url: server.url(`/pub/${name}`), path: join(folder, name) }))
      const outcomes = await client.downloadMany(jobs)
      expect(outcomes.map(({ ok }) => ok)).toEqual(names.map((name) => name !== 'nope.txt'))
      expect(await readFile(join(folder, '7.txt'), 'utf8')).toBe('file 7')
      expect(server.connections).toBeLessThanOrEqual(3)
    })
  })

  test('go over a few sessions too', async () => {
    await withClient({}, async (client, server) => {
      const jobs = Array.from({ length: 8 }, (_, at) => ({
        source: { text: `file ${at}` },
        url: server.url(`/${at}.txt`),
      }))
      const outcomes = await client.uploadMany(jobs)
      expect(outcomes.every(({ ok }) => ok)).toBe(true)
      expect(server.files.get('/5.txt')?.toString()).toBe('file 5')
      expect(server.connections).toBeLessThanOrEqual(3)
    })
  })

  test('one large file comes in parts', async () => {
    await withClient({ files: { '/big.bin': big } }, async (client, server) => {
      const path = join(folder, 'big.bin')
      const result = await client.download(server.url('/big.bin'), path, { segments: 3 })
      expect(result).toMatchObject({ bytes: big.length, verified: true })
      expect((await readFile(path)).equals(big)).toBe(true)
      expect(server.received.filter((line) => line.startsWith('RETR'))).toHaveLength(3)
      expect(await readdir(folder)).toEqual(['big.bin'])
    })
  })

  test('and in one where the server cannot begin in the middle', async () => {
    const replies = { REST: '502 No' }
    await withClient({ files: { '/big.bin': big }, replies }, async (client, server) => {
      const path = join(folder, 'big.bin')
      await client.download(server.url('/big.bin'), path, { segments: 3 })
      expect((await readFile(path)).equals(big)).toBe(true)
    })
  })
})

describe('a mirror', () => {
  const files = { '/pub/a.txt': 'one', '/pub/sub/b.bin': 'two', '/pub/sub/c.txt': 'three' }

  test('makes a folder here like one there, without what is not wanted', async () => {
    await withClient({ files }, async (client, server) => {
      await writeFile(join(folder, 'old.txt'), 'old')
      const first = await client.mirror(server.url('/pub/'), folder, { exclude: '*.bin', delete: true })
      expect(first).toMatchObject({ files: 2, deleted: 1, failed: 0 })
      expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'sub'])
      expect(await readFile(join(folder, 'sub/c.txt'), 'utf8')).toBe('three')
      const second = await client.mirror(server.url('/pub/'), folder, { exclude: '*.bin' })
      expect(second).toMatchObject({ files: 0, unchanged: 2, failed: 0 })
    })
  })

  test('fetches again what the server cut and called complete (pyftpdlib)', async () => {
    let cuts = 0
    const transfer = (verb: string): { bytes?: number } =>
      verb === 'RETR' && cuts++ === 0 ? { bytes: 0 } : {}
    await withClient({ files, transfer }, async (client, server) => {
      expect(await client.mirror(server.url('/pub/'), folder)).toMatchObject({ files: 3, failed: 0 })
      expect(cuts).toBe(4)
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one')
    })
  })

  test('makes one there like one here, with its times', async () => {
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'sub/d.txt'), 'four')
    await utimes(join(folder, 'sub/d.txt'), 1_600_000_000, 1_600_000_000)
    await withClient({}, async (client, server) => {
      expect(await client.mirror(folder, server.url('/'))).toMatchObject({ files: 1, failed: 0 })
      expect(server.files.get('/sub/d.txt')?.toString()).toBe('four')
      expect((await client.stat(server.url('/sub/d.txt'))).modified?.getTime()).toBe(1_600_000_000_000)
      expect(await client.mirror(folder, server.url('/'))).toMatchObject({ files: 0, unchanged: 1 })
    })
  })

  test('a tree is removed with all that is in it', async () => {
    await withClient({ files }, async (client, server) => {
      await client.removeTree(server.url('/pub'))
      expect([...server.files.keys()]).toEqual([])
      expect(await client.exists(server.url('/pub'))).toBe(false)
    })
  })
})

test('a download that breaks is tried again, and gone on with', async () => {
  let tries = 0
  await using server = await startTableServer({
    files: { '/big.bin': big },
    transfer: () => (++tries === 1 ? { bytes: 1_000_000, end: 'rst' } : {}),
  })
  const session = await connect(server.url('/'))
  try {
    const path = join(folder, 'big.bin')
    const result = await session.downloadTo('big.bin', path, { retries: 3, verify: 'size' })
    expect(result.verified).toBe(true)
    expect((await readFile(path)).equals(big)).toBe(true)
    expect(server.received.some((line) => /^REST [1-9]/.test(line))).toBe(true)
  } finally {
    await session.close()
  }
})

test('a client certificate is shown to a server that asks', async () => {
  const asks = { certificate: 'server', requestCert: true } as const
  await using server = await startTableServer({
    files: { '/a': 'one' },
    tls: { mode: 'implicit', certificate: asks, data: asks },
  })
  const session = await connect(
    { host: server.host, port: server.port },
    { tls: 'implicit', tlsOptions: { ca: authority, ...certificate('client') } },
  )
  try {
    expect(await session.download('a').text()).toBe('one')
    expect(session.security).toMatchObject({ verified: true, dataProtected: true })
    const names = server.handshakes.map(({ channel, clientName }) => [channel, clientName !== undefined])
    expect(names).toEqual([['control', true], ['data', true]]) // prettier-ignore
  } finally {
    await session.close()
  }
})
