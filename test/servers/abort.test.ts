// Transfers broken off at the beginning, in the middle and near the end: what comes next works, and at once.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FtpClient, FtpSession } from '../../src/index.ts'
import {
  ANY_KINDS,
  clientFor,
  logIn,
  startServer,
  uploadUrl,
  type AnyKind,
  type AnyServer,
} from './any-server.ts'
import type { ServerMode } from './real-server.ts'

const SHARES = [0.01, 0.5, 0.99]
const CHUNK = 64 * 1024

const big = randomBytes(12_000_000)

/** Patience for a busy machine: the question is what a server answers, not how soon. */
const timeouts = { abort: 10_000 }

/**
 * The 150 of inetutils may come behind the data, when the transfer is broken off already; pyftpdlib answers 225
 * alone where it has not yet read of the data connection. Then nobody can tell what comes next.
 */
function mayEnd(kind: AnyKind, way: string, share: number): boolean {
  return kind === 'inetutils' || (kind === 'pyftpdlib' && way.startsWith('upload') && share < 0.1)
}

const places: ReadonlyArray<{ kind: AnyKind; mode: ServerMode }> = [
  ...ANY_KINDS.map((kind) => ({ kind, mode: 'plain' as const })),
  { kind: 'vsftpd', mode: 'tls-reuse' },
  { kind: 'proftpd', mode: 'tls-reuse' },
  { kind: 'pure-ftpd', mode: 'tls-required' },
  { kind: 'pyftpdlib', mode: 'tls-required' },
]

/** Bytes up to the share, then `stop`, then no end of them: only the abort ends it. */
async function* upTo(share: number, stop: () => void): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let at = 0; ; at = (at + CHUNK) % big.length) {
    if (sent >= big.length * share) stop()
    yield big.subarray(at, at + CHUNK)
    sent += CHUNK
  }
}

/** The ways to break a transfer off. Each resolves when it is over for the caller. */
const WAYS = {
  'download, signal': async (session, share) => {
    const controller = new AbortController()
    const download = session.download('big.bin', { signal: controller.signal })
    await expect(readUpTo(download, share, () => controller.abort())).rejects.toMatchObject({
      code: 'FTP_ABORTED',
    })
  },
  'download, destroy': async (session, share) => {
    const download = session.download('big.bin')
    await readUpTo(download, share, () => download.destroy()).catch(() => undefined)
    await expect(download.result).rejects.toMatchObject({ code: 'FTP_ABORTED' })
  },
  'upload, signal': async (session, share) => {
    const controller = new AbortController()
    const source = upTo(share, () => controller.abort())
    const upload = session.upload(source, 'up.bin', { signal: controller.signal })
    await expect(upload).rejects.toMatchObject({ code: 'FTP_ABORTED' })
  },
  'upload, destroy': async (session, share) => {
    const stream = session.createWriteStream('up.bin')
    const closed = once(stream, 'close')
    for await (const chunk of upTo(share, () => stream.destroy())) {
      if (stream.destroyed) break
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), closed])
    }
    await closed
  },
} satisfies Record<string, (session: FtpSession, share: number) => Promise<void>>

async function readUpTo(download: AsyncIterable<Uint8Array>, share: number, stop: () => void): Promise<void> {
  let received = 0
  for await (const chunk of download) {
    received += chunk.length
    if (received >= big.length * share) stop()
  }
}

describe.each(places)('$kind $mode', ({ kind, mode }) => {
  let server: AnyServer
  let client: FtpClient
  let session: FtpSession

  beforeAll(async () => {
    server = await startServer(kind, { mode })
    client = clientFor(server, { timeouts })
    session = await logIn(server, { timeouts })
    await session.upload(big, 'big.bin')
    await session.upload({ text: 'small' }, 'small.txt')
  })
  afterAll(async () => {
    await session?.close()
    await client?.close()
    await server?.close()
  })

  describe.each(Object.entries(WAYS))('%s', (way, breakOff) => {
    it.each(SHARES)('at %d, then the session goes on or says that it is over', async (share) => {
      if (!session.alive) session = await logIn(server, { timeouts })
      await breakOff(session, share)
      // Whatever was queued behind the transfer waits until the session is in step again, or over.
      const next = await session
        .download('small.txt')
        .text()
        .catch((error: { code: string }) => error.code)
      expect(next).toBe(session.alive ? 'small' : 'FTP_CLOSED')
      if (!mayEnd(kind, way, share)) expect(session.alive).toBe(true)
    })

    it.each(SHARES)('at %d, then the client goes on', async (share) => {
      await client.use(uploadUrl(server), (lent) => breakOff(lent, share))
      expect(await client.get(uploadUrl(server, 'small.txt')).text()).toBe('small')
      expect((await client.put({ text: 'next' }, uploadUrl(server, 'next.txt'))).bytes).toBe(4)
    })
  })

  it.each(SHARES)('a URL broken off at %d, then the next one', async (share) => {
    const download = client.get(uploadUrl(server, 'big.bin'))
    await readUpTo(download, share, () => download.destroy()).catch(() => undefined)
    expect((await client.get(uploadUrl(server, 'big.bin')).bytes()).equals(big)).toBe(true)
  })
})
