import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { getUri as theirs } from 'get-uri'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getUri, GetUriError } from '../../src/fetch/index.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import { startTableServer } from '../support/table-server.ts'
import { WatchedSockets } from './watched-sockets.ts'

const root = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
const image = await readFile(join(root, 'pub/image.bin'))

let server: Awaited<ReturnType<typeof startFtpSrv>>

beforeAll(async () => {
  server = await startFtpSrv({ root, user: 'joe', password: 's3cret', anonymous: true })
})
afterAll(() => server.close())

describe.each([
  ['get-uri', theirs as typeof getUri],
  ['ftpwire', getUri],
])('%s', (_whose, getUri) => {
  test('gives a stream of the file, with its time', async () => {
    const stream = await getUri(server.url('/pub/image.bin'))
    expect(stream.lastModified).toBeInstanceOf(Date)
    expect((await buffer(stream)).equals(image)).toBe(true)
  })

  test('takes a URL object', async () => {
    const stream = await getUri(new URL(server.url('/pub/hello.txt')))
    expect(await text(stream)).toBe(await readFile(join(root, 'pub/hello.txt'), 'utf8'))
  })

  test('rejects with ENOTFOUND where there is no such file', async () => {
    await expect(getUri(server.url('/pub/nope'))).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('rejects with ENOTMODIFIED where the cache is still good', async () => {
    const url = server.url('/pub/hello.txt')
    const cache = await getUri(url)
    await text(cache)
    await expect(getUri(url, { cache })).rejects.toMatchObject({ code: 'ENOTMODIFIED' })
    cache.lastModified = new Date(0)
    expect((await text(await getUri(url, { cache }))).length).toBeGreaterThan(0)
  })

  test('logs in with the user of the options', async () => {
    const stream = await getUri(server.url('/pub/hello.txt'), { user: 'joe', password: 's3cret' })
    await text(stream)
    expect(server.log).toContain('USER joe')
  })

  test('refuses what is no URL, or of an unknown protocol', async () => {
    await expect(getUri('')).rejects.toBeInstanceOf(TypeError)
    await expect(getUri('gopher://example.com/')).rejects.toBeInstanceOf(TypeError)
  })
})

describe('getUri', () => {
  test('has errors of its own class, the FtpError beneath', async () => {
    const error = await getUri(server.url('/nowhere/a')).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(GetUriError)
    expect(error).toMatchObject({ code: 'ENOTFOUND', cause: { code: 'FTP_NOT_FOUND' } })
  })

  test('gives the file where the server tells no time, and never takes it for unchanged', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' }, replies: { MDTM: '502 No' } })
    const cache = await getUri(table.url('/a'))
    expect(cache.lastModified).toBeUndefined()
    expect(await text(cache)).toBe('x')
    expect(await text(await getUri(table.url('/a'), { cache }))).toBe('x')
  })

  test('gives the names in a directory, and texts in type A', async () => {
    await using table = await startTableServer({ files: { '/pub/a': 'x\n', '/pub/b': '' } })
    expect(await text(await getUri(table.url('/pub/')))).toMatch(/^a\r?\nb\r?\n$/)
    expect(await text(await getUri(`${table.url('/pub/a')};type=a`, { ftp: { lineEnd: 'lf' } }))).toBe('x\n')
  })

  test('ignores options of others, and lets host and port go before the URL', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' } })
    const options = { host: table.host, port: table.port, headers: {}, keepAlive: true, secure: false }
    expect(await text(await getUri('ftp://ftp.example.com/a', options))).toBe('x')
  })

  test('asks for TLS where secure does', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' } })
    await expect(getUri(table.url('/a'), { secure: true })).rejects.toMatchObject({
      code: 'FTP_TLS_REQUIRED',
    })
    expect(table.received[0]).toBe('AUTH TLS')
  })

  test('closes its connection behind the stream, read or not', async () => {
    const sockets = new WatchedSockets()
    await using table = await startTableServer({ files: { '/a': 'x', '/big': Buffer.alloc(30_000_000) } })
    await text(await getUri(table.url('/a'), { ftp: sockets.options }))
    await expect.poll(() => table.received.at(-1)).toBe('QUIT')
    const stream = await getUri(table.url('/big'), { ftp: sockets.options })
    stream.destroy()
    await expect.poll(() => sockets.open).toBe(0)
  })

  test('ends with its signal', async () => {
    const sockets = new WatchedSockets()
    await using table = await startTableServer({ files: { '/big': Buffer.alloc(30_000_000) } })
    const controller = new AbortController()
    const stream = await getUri(table.url('/big'), { ftp: sockets.options, signal: controller.signal })
    controller.abort()
    await expect(text(stream)).rejects.toMatchObject({ code: 'FTP_ABORTED' })
    await expect.poll(() => sockets.open).toBe(0)
  })
})
