import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ftpFetch } from '../../src/fetch/index.ts'
import { authority, certificate } from '../support/certificates.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import { startTableServer } from '../support/table-server.ts'

const root = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
const image = await readFile(join(root, 'pub/image.bin'))
const hello = await readFile(join(root, 'pub/hello.txt'), 'utf8')

let server: Awaited<ReturnType<typeof startFtpSrv>>

beforeAll(async () => {
  const tls = { mode: 'explicit', ...certificate('server') } as const
  server = await startFtpSrv({ root, user: 'joe', password: 's3cret', anonymous: true, tls })
})
afterAll(() => server.close())

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(headers)
}

describe('GET of a file', () => {
  test('is a Response with everything that the server tells', async () => {
    const response = await ftpFetch(server.url('/pub/image.bin'))
    expect(response).toBeInstanceOf(Response)
    expect(response).toMatchObject({ status: 200, ok: true, statusText: 'OK' })
    expect(headersOf(response)).toMatchObject({
      'content-length': String(image.length),
      'content-type': 'application/octet-stream',
    })
    const modified = response.headers.get('last-modified') ?? ''
    expect(new Date(modified).toUTCString()).toBe(modified)
    expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true)
  })

  test('asks for no more than `get` does without lastModified', async () => {
    await using table = await startTableServer({ files: { '/pub/a.json': '[1]' } })
    const response = await ftpFetch(table.url('/pub/a.json'), { lastModified: false })
    expect(headersOf(response)).toEqual({ 'content-type': 'application/json', 'content-length': '3' })
    expect(await response.json()).toEqual([1])
    expect(table.received.filter((line) => line !== 'QUIT')).toEqual([
      'USER anonymous',
      'PASS anonymous@',
      'CWD pub',
      'TYPE I',
      'SIZE a.json',
      'PASV',
      'RETR a.json',
    ])
  })

  test('needs neither SIZE nor MDTM nor FEAT', async () => {
    const replies = { SIZE: '502 No', MDTM: '502 No', FEAT: '502 No' }
    await using table = await startTableServer({ files: { '/a.png': 'xyz' }, replies })
    const response = await ftpFetch(table.url('/a.png'), { headers: { range: 'bytes=1-1' } })
    expect(response.status).toBe(200)
    expect(headersOf(response)).toEqual({ 'content-type': 'image/png' })
    expect(await response.text()).toBe('xyz')
  })

  test('reads a text in type A, whose length nobody knows', async () => {
    await using table = await startTableServer({ files: { '/motd': 'a\nb\n' } })
    const response = await ftpFetch(`${table.url('/motd')};type=a`, { ftp: { lineEnd: 'lf' } })
    expect(response.headers.has('content-length')).toBe(false)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('a\nb\n')
    expect(table.received).toContain('TYPE A')
  })

  test('leaves the types that only a URL can say to the URL', async () => {
    await using table = await startTableServer({ files: { '/a': 'xyz' } })
    const response = await ftpFetch(`${table.url('/a')};type=l8`)
    expect(await response.text()).toBe('xyz')
    expect(table.received).toContain('TYPE L 8')
  })

  test('is empty where the file is', async () => {
    await using table = await startTableServer({ files: { '/empty': '' } })
    const response = await ftpFetch(table.url('/empty'))
    expect(response.headers.get('content-length')).toBe('0')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(await response.text()).toBe('')
  })

  test('takes a URL object, and a Request with its headers', async () => {
    const byUrl = await ftpFetch(new URL(server.url('/pub/hello.txt')))
    expect(await byUrl.text()).toBe(hello)
    const request = new Request(server.url('/pub/hello.txt'), { headers: { range: 'bytes=0-3' } })
    const byRequest = await ftpFetch(request)
    expect(byRequest.status).toBe(206)
    expect(await byRequest.text()).toBe(hello.slice(0, 4))
  })

  test('shows its URL without user, password and fragment, also in a clone', async () => {
    const response = await ftpFetch(`${server.url('/pub/hello.txt', 'joe:s3cret')}#part`)
    expect(response.url).toBe(server.url('/pub/hello.txt'))
    const copy = response.clone()
    expect(copy.url).toBe(response.url)
    expect(copy.clone().url).toBe(response.url)
    expect(await Promise.all([response.text(), copy.text()])).toEqual([hello, hello])
  })

  test('goes through TLS as the options say', async () => {
    const ftp = { tls: 'explicit', tlsOptions: { ca: authority, servername: 'localhost' } } as const
    const response = await ftpFetch(server.url('/pub/hello.txt'), { ftp })
    expect(await response.text()).toBe(hello)
  })

  test('logs in as the URL, or the authorization header, says', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' }, users: { 'j@e': 'p:w' } })
    const byUrl = await ftpFetch(table.url('/a').replace('//', '//j%40e:p%3Aw@'))
    expect(byUrl.status).toBe(200)
    await byUrl.text()
    const authorization = `Basic ${Buffer.from('j@e:p:w').toString('base64')}`
    const byHeader = await ftpFetch(new Request(table.url('/a'), { headers: { authorization } }))
    expect(byHeader.status).toBe(200)
    expect(await byHeader.text()).toBe('x')
  })
})

describe('HEAD', () => {
  test('has the headers and no body, and starts no transfer', async () => {
    await using table = await startTableServer({ files: { '/pub/a.txt': 'four' } })
    const response = await ftpFetch(table.url('/pub/a.txt'), { method: 'head' })
    expect(response.status).toBe(200)
    expect(headersOf(response)).toMatchObject({ 'content-length': '4', 'content-type': 'text/plain' })
    expect(response.headers.has('last-modified')).toBe(true)
    expect(response.body).toBe(null)
    expect(table.dataConnections).toBe(0)
  })

  test('of a name that is a directory is what GET would be', async () => {
    for (const method of ['HEAD', 'GET']) {
      const response = await ftpFetch(server.url('/pub'), { method })
      expect(response.status).toBe(404)
      await response.text()
    }
  })

  test('of a directory says in which format it would come', async () => {
    const response = await ftpFetch(server.url('/pub/'), { method: 'HEAD', headers: { accept: 'text/html' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.body).toBe(null)
  })

  test('has no body where it is refused', async () => {
    const response = await ftpFetch(server.url('/pub/nope'), { method: 'HEAD' })
    expect(response.status).toBe(404)
    expect(response.body).toBe(null)
  })
})

describe('a range', () => {
  test.each([
    ['bytes=3-9', 3, 9],
    ['bytes=20-', 20, image.length - 1],
    ['bytes=-5', image.length - 5, image.length - 1],
    ['bytes=0-', 0, image.length - 1],
  ])('%s', async (range, first, last) => {
    const response = await ftpFetch(server.url('/pub/image.bin'), { headers: { range } })
    expect(response).toMatchObject({ status: 206, statusText: 'Partial Content' })
    expect(headersOf(response)).toMatchObject({
      'content-range': `bytes ${first}-${last}/${image.length}`,
      'content-length': String(last - first + 1),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.equals(image.subarray(first, last + 1))).toBe(true)
  })

  test('behind the end is a 416 that tells the size', async () => {
    const response = await ftpFetch(server.url('/pub/image.bin'), {
      headers: { range: `bytes=${image.length}-` },
    })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(`bytes */${image.length}`)
  })

  test('is the whole file where the server cannot begin in the middle', async () => {
    await using table = await startTableServer({ files: { '/a': 'abcdef' }, replies: { REST: '502 No' } })
    const response = await ftpFetch(table.url('/a'), { headers: { range: 'bytes=2-' } })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('abcdef')
  })

  test('is the whole file where it is another version that the client has', async () => {
    const url = server.url('/pub/image.bin')
    const whole = await ftpFetch(url, { method: 'HEAD' })
    const version = whole.headers.get('last-modified') ?? ''
    for (const [ifRange, status] of [
      [version, 206],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 200],
      ['"tag"', 200],
    ] as const) {
      const response = await ftpFetch(url, { headers: { range: 'bytes=0-1', 'if-range': ifRange } })
      expect(response.status).toBe(status)
      await response.arrayBuffer()
    }
  })
})

describe('if-modified-since', () => {
  test.each(['GET', 'HEAD'])('%s', async (method) => {
    const replies = { MDTM: '213 20240501100000.900' }
    await using table = await startTableServer({
      files: { '/a': 'x' },
      replies: { ...replies, MLST: '502 No' },
    })
    for (const [since, status] of [
      ['Wed, 01 May 2024 10:00:00 GMT', 304],
      ['Wed, 01 May 2024 09:59:59 GMT', 200],
      ['some day', 200],
    ] as const) {
      const init = { method, headers: { 'if-modified-since': since }, lastModified: false }
      const response = await ftpFetch(table.url('/a'), init)
      expect(response.status).toBe(status)
      await response.text()
    }
  })
})
