import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ftpFetch } from '../../src/fetch/index.ts'
import { startTableServer } from '../support/table-server.ts'

const files = { '/pub/old': 'old' }

describe('PUT', () => {
  const bodies: ReadonlyArray<[string, () => unknown, string]> = [
    ['text', () => 'grüße', 'grüße'],
    ['no body', () => undefined, ''],
    ['bytes', () => Buffer.from('bytes'), 'bytes'],
    ['an ArrayBuffer', () => Uint8Array.from([0x61, 0x62]).buffer, 'ab'],
    ['a Blob', () => new Blob(['bl', 'ob']), 'blob'],
    ['search parameters', () => new URLSearchParams({ a: 'b c' }), 'a=b+c'],
    ['a Web stream', () => new Blob(['web']).stream(), 'web'],
    ['a Node stream', () => Readable.from([Buffer.from('no'), Buffer.from('de')]), 'node'],
  ]

  test.each(bodies)('stores %s', async (_what, make, stored) => {
    await using table = await startTableServer({ files })
    const body = make() as NonNullable<RequestInit['body']>
    const response = await ftpFetch(table.url('/pub/new'), { method: 'PUT', body, duplex: 'half' })
    expect(response).toMatchObject({ status: 201, statusText: 'Created', url: table.url('/pub/new') })
    expect(table.files.get('/pub/new')?.toString()).toBe(stored)
  })

  test('takes the body of a Request', async () => {
    await using table = await startTableServer({ files })
    const response = await ftpFetch(new Request(table.url('/pub/old'), { method: 'PUT', body: 'new' }))
    expect(response.status).toBe(201)
    expect(table.files.get('/pub/old')?.toString()).toBe('new')
  })

  test('replaces nothing under if-none-match: *', async () => {
    await using table = await startTableServer({ files })
    const init = { method: 'PUT', body: 'new', headers: { 'if-none-match': '*' } }
    expect((await ftpFetch(table.url('/pub/old'), init)).status).toBe(412)
    expect((await ftpFetch(table.url('/pub/new'), init)).status).toBe(201)
    expect(table.files.get('/pub/old')?.toString()).toBe('old')
    expect(table.files.get('/pub/new')?.toString()).toBe('new')
  })

  test.each([
    ['550 Not for you', 403],
    ['552 Too much', 507],
    ['452 Disk full', 507],
  ])('that the server refuses with %s', async (reply, status) => {
    await using table = await startTableServer({ files, replies: { STOR: reply } })
    const response = await ftpFetch(table.url('/pub/new'), { method: 'PUT', body: 'x' })
    expect(response.status).toBe(status)
  })

  test('of a directory is not allowed', async () => {
    await using table = await startTableServer({ files })
    const response = await ftpFetch(table.url('/pub/'), { method: 'PUT', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  test('rejects where its body fails', async () => {
    await using table = await startTableServer({ files })
    const body = Readable.from(
      (function* () {
        yield Buffer.from('half')
        throw new Error('no more')
      })(),
    )
    const sent = ftpFetch(table.url('/pub/new'), { method: 'PUT', body, duplex: 'half' })
    await expect(sent).rejects.toMatchObject({ message: 'fetch failed', cause: { name: 'FtpError' } })
  })

  test('is ended by its signal', async () => {
    await using table = await startTableServer({ files })
    const controller = new AbortController()
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let at = 0; ; at++) {
        if (at === 5) controller.abort()
        yield Buffer.alloc(1000)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const sent = ftpFetch(table.url('/pub/new'), {
      method: 'PUT',
      body: endless(),
      duplex: 'half',
      signal: controller.signal,
    })
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  })
})
