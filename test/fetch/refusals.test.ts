import { describe, expect, test } from 'vitest'
import { FTP_ERROR_CODES, FtpError } from '../../src/index.ts'
import { ftpFetch } from '../../src/fetch/index.ts'
import { statusOf } from '../../src/fetch/refusal-response.ts'
import { startTableServer, type Answer } from '../support/table-server.ts'
import { WatchedSockets } from './watched-sockets.ts'

const files = { '/pub/a': 'x' }

describe('what the server refuses is a Response', () => {
  test.each<[string, number, Record<string, Answer>]>([
    ['a missing file', 404, { RETR: '550 No such file' }],
    ['a missing directory', 404, { CWD: '550 No such folder' }],
    ['a refused login', 401, { PASS: '530 Login incorrect' }],
    ['a file that is not to be had', 403, { RETR: '553 Not for you' }],
    ['a transfer that fails for now', 503, { RETR: '451 Try later' }],
    ['a server that is busy', 503, { USER: '421 Too many users' }],
    ['a server that knows no TYPE', 501, { TYPE: '502 No' }],
  ])('%s', async (_what, status, replies) => {
    await using table = await startTableServer({ files, replies })
    for (const lastModified of [true, false]) {
      const response = await ftpFetch(table.url('/pub/a'), { lastModified })
      expect(response).toMatchObject({ status, ok: false, url: table.url('/pub/a') })
      expect(response.headers.get('ftp-error')).toMatch(/^FTP_/)
      expect(response.headers.get('ftp-reply')).toMatch(/^[45]\d\d$/)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await response.text()).toMatch(/\S/)
      expect(response.headers.has('www-authenticate')).toBe(status === 401)
    }
  })

  test.each([
    ['a file', { RETR: '550 No such file' }],
    ['a login', { PASS: '530 Login incorrect' }],
    ['a listing', { MLSD: '553 Not for you' }],
  ])('%s, and the connection is closed', async (_what, replies) => {
    await using table = await startTableServer({ files, replies })
    const sockets = new WatchedSockets()
    const response = await ftpFetch(table.url('MLSD' in replies ? '/pub/' : '/pub/a'), {
      ftp: sockets.options,
    })
    expect(response.ok).toBe(false)
    await expect.poll(() => sockets.open).toBe(0)
  })

  test('a directory', async () => {
    await using table = await startTableServer({ files, replies: { MLSD: '550 Not for you' } })
    const response = await ftpFetch(table.url('/pub/'))
    expect(response.status).toBe(404)
  })

  test('a login for which nobody gave the password', async () => {
    await using table = await startTableServer({ files })
    const response = await ftpFetch(table.url('/pub/a').replace('//', '//joe@'))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="127.0.0.1"')
    expect(response.headers.get('ftp-error')).toBe('FTP_PASSWORD_REQUIRED')
  })

  test('no password stands in the answer', async () => {
    await using table = await startTableServer({ files, users: {} })
    const response = await ftpFetch(table.url('/pub/a').replace('//', '//joe:canary@'))
    const text = await response.text()
    expect(JSON.stringify([text, response.url, [...response.headers]])).not.toContain('canary')
  })

  test.each(['POST', 'DELETE', 'PATCH'])('the method %s, without a connection', async (method) => {
    await using table = await startTableServer({ files })
    const response = await ftpFetch(table.url('/pub/a'), { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT')
    expect(table.connections).toBe(0)
  })
})

describe('where there is no answer it rejects as fetch does', () => {
  async function rejection(url: string, init: Parameters<typeof ftpFetch>[1] = {}): Promise<TypeError> {
    const error = await ftpFetch(url, init).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    return error as TypeError
  }

  test.each<[string, string, Record<string, Answer>]>([
    ['a connection that is closed', 'FTP_CONNECTION_CLOSED', { USER: (_, { control }) => control.destroy() }],
    ['a reply that is none', 'FTP_BAD_REPLY', { USER: 'HTTP/1.1 400 Bad Request' }],
  ])('%s', async (_what, code, replies) => {
    await using table = await startTableServer({ files, replies })
    const error = await rejection(table.url('/pub/a'))
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code } })
    expect(error.cause).toBeInstanceOf(FtpError)
  })

  test('a time-out', async () => {
    await using table = await startTableServer({ files, greeting: '' })
    const error = await rejection(table.url('/pub/a'), { ftp: { timeouts: { reply: 50 } } })
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'FTP_TIMEOUT' } })
  })

  test.each([
    ['http://example.com/', 'FTP_INVALID_URL'],
    ['pub/a', 'FTP_INVALID_URL'],
    ['ftp://example.com:25/', 'FTP_PORT_FORBIDDEN'],
    ['ftp://example.com/a%0D%0ADELE%20b', 'FTP_INVALID_URL'],
  ])('%s', async (url, code) => {
    expect(await rejection(url)).toMatchObject({ message: 'fetch failed', cause: { code } })
  })

  test('an option that there is not', async () => {
    const ftp = { colour: 'red' } as object
    expect(await rejection('ftp://127.0.0.1/', { ftp })).toMatchObject({
      cause: { code: 'FTP_INVALID_OPTION' },
    })
  })

  test('a body where there can be none', async () => {
    const error = await rejection('ftp://127.0.0.1/a', { body: 'x' })
    expect(error.message).toContain('cannot have body')
  })
})

test('every error code is decided: an answer, or none', () => {
  const answers = FTP_ERROR_CODES.filter((code) => statusOf(new FtpError(code, '')) !== undefined)
  expect(answers).toEqual([
    'FTP_PASSWORD_REQUIRED',
    'FTP_ACCOUNT_REQUIRED',
    'FTP_NOT_SUPPORTED',
    'FTP_REFUSED',
    'FTP_LOGIN_REFUSED',
    'FTP_NOT_FOUND',
    'FTP_SERVICE_UNAVAILABLE',
  ])
})
