/** Exact dialogues, as a server sees them. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FtpOptions } from '../../src/client/options.ts'
import { get, list } from '../../src/client/verbs.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import type { FtpSrvServer } from '../support/ftp-srv-server.d.mts'
import { loopbacks } from '../support/listener.ts'
import { startScriptedServer } from '../support/scripted-server.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

let named: FtpSrvServer
let anonymous: FtpSrvServer

beforeAll(async () => {
  named = await startFtpSrv({ root: site, user: 'user', password: 'secret' })
  anonymous = await startFtpSrv({ root: site })
})

afterAll(async () => {
  await Promise.all([named.close(), anonymous.close()])
})

/** What the server got, without the farewell. */
async function dialogue(server: FtpSrvServer, work: () => Promise<unknown>): Promise<string[]> {
  const start = server.log.length
  await work()
  return server.log.slice(start).filter((line) => line !== 'QUIT')
}

const URLS: Array<[path: string, options: FtpOptions, ...commands: string[]]> = [
  ['/%2Fetc/motd;type=a', {}, 'CWD /etc', 'TYPE A', 'PASV', 'RETR motd'],
  ['/etc/motd;type=a', {}, 'CWD etc', 'TYPE A', 'PASV', 'RETR motd'],
  ['/etc/motd', {}, 'CWD etc', 'TYPE I', 'SIZE motd', 'PASV', 'RETR motd'],
  ['/etc/motd', { passive: 'epsv' }, 'CWD etc', 'TYPE I', 'SIZE motd', 'EPSV', 'RETR motd'],
  ['//etc/motd', { emptySegment: 'root' }, 'CWD /', 'CWD etc', 'TYPE I', 'SIZE motd', 'PASV', 'RETR motd'],
  [
    '/pub/../etc/./motd',
    {},
    'CWD pub',
    'CWD ..',
    'CWD etc',
    'CWD .',
    'TYPE I',
    'SIZE motd',
    'PASV',
    'RETR motd',
  ],
  [
    '/pub/names/query?.txt#no',
    {},
    'CWD pub',
    'CWD names',
    'TYPE I',
    'SIZE query?.txt',
    'PASV',
    'RETR query?.txt',
  ],
]

describe('the dialogue of a URL', () => {
  test.each(URLS)('%s %o', async (path, options, ...commands) => {
    const onPassword = (): string => 'secret'
    const sent = await dialogue(named, () => get(named.url(path, 'user'), { ...options, onPassword }).bytes())
    expect(sent).toEqual(['USER user', 'PASS secret', ...commands])
  })

  test('the null CWD of //etc/motd, byte for byte', async () => {
    await using server = await startScriptedServer([
      { send: '220 hi\r\n' },
      { expect: 'USER anonymous' },
      { send: '230 in\r\n' },
      { expect: 'PASS anonymous@' },
      { send: '230 in\r\n' },
      { expect: 'CWD ' },
      { send: '250 ok\r\n' },
      { expect: 'CWD etc' },
      { send: '250 ok\r\n' },
      { expect: 'TYPE I' },
      { send: '200 ok\r\n' },
      { expect: 'SIZE motd' },
      { send: '213 4\r\n' },
      { openData: true },
      { expect: 'PASV' },
      { send: '227 ({{pasv}})\r\n' },
      { acceptData: true },
      { expect: 'RETR motd' },
      { send: '150 ok\r\n' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 ok\r\n' },
    ])
    expect(await get(server.url('//etc/motd')).text()).toBe('data')
    expect(server.receivedBytes.toString('latin1')).toMatch(
      /^USER anonymous\r\nPASS anonymous@\r\nCWD \r\nCWD etc\r\nTYPE I\r\nSIZE motd\r\nPASV\r\nRETR motd\r\n/,
    )
  })

  test('a refused null CWD names %2F', async () => {
    await using server = await startScriptedServer([
      { send: '220 hi\r\n' },
      { expect: 'USER anonymous' },
      { send: '331 who?\r\n' },
      { expect: 'PASS anonymous@' },
      { send: '230 in\r\n' },
      { expect: 'CWD ' },
      { send: '501 what?\r\n' },
      { expect: 'CWD etc' },
      { send: '250 ok\r\n' },
      { expect: 'TYPE I' },
      { send: '200 ok\r\n' },
      { expect: 'SIZE motd' },
      { send: '550 no\r\n' },
    ])
    await expect(get(server.url('//etc/motd')).bytes()).rejects.toMatchObject({
      code: 'FTP_REFUSED',
      message: expect.stringContaining('%2F') as string,
    })
  })

  test('directories', async () => {
    const sent = (path: string): Promise<string[]> => dialogue(anonymous, () => list(anonymous.url(path)))
    const login = ['USER anonymous', 'PASS anonymous@']
    expect(await sent('/')).toEqual([...login, 'TYPE A', 'PASV', 'NLST'])
    expect(await sent('/pub/')).toEqual([...login, 'CWD pub', 'TYPE A', 'PASV', 'NLST'])
    expect(await sent('/pub/names;type=d')).toEqual([...login, 'CWD pub', 'TYPE A', 'PASV', 'NLST names'])
  })

  test.each(loopbacks)('the first passive command suits the address family (%s)', async (host) => {
    await using server = await startFtpSrv({ root: site, host })
    const sent = await dialogue(server, () => get(server.url('/etc/motd')).bytes())
    expect(sent).toContain(host === '::1' ? 'EPSV' : 'PASV')
  })

  test('PASV refused: EPSV', async () => {
    await using server = await startFtpSrv({ root: site, blacklist: ['PASV'] })
    const sent = await dialogue(server, () => get(server.url('/etc/motd')).bytes())
    expect(sent.slice(-3)).toEqual(['PASV', 'EPSV', 'RETR motd'])
  })
})

describe('logins', () => {
  test('nobody is asked where the server wants no password', async () => {
    const onPassword = (): never => {
      throw new Error('not wanted')
    }
    const sent = await dialogue(anonymous, () =>
      get(anonymous.url('/etc/motd', 'anonymous'), { onPassword }).bytes(),
    )
    expect(sent[0]).toBe('USER anonymous')
  })

  test('no password and nobody to ask', async () => {
    const failed = get(named.url('/etc/motd', 'user')).bytes()
    await expect(failed).rejects.toMatchObject({ code: 'FTP_PASSWORD_REQUIRED', kind: 'caller' })
    await expect(failed).rejects.toThrow(/onPassword/)
  })

  test('a wrong password is said once', async () => {
    const sent = await dialogue(named, async () => {
      await expect(get(named.url('/etc/motd', 'user:wrong')).bytes()).rejects.toMatchObject({
        code: 'FTP_LOGIN_REFUSED',
        command: 'PASS ***',
        reply: { code: 530 },
      })
    })
    expect(sent.filter((line) => line.startsWith('PASS'))).toEqual(['PASS wrong'])
  })

  test('the e-mail address of anonymous FTP', async () => {
    const sent = await dialogue(anonymous, () =>
      get(anonymous.url('/etc/motd'), { email: 'me@example.com' }).bytes(),
    )
    expect(sent.slice(0, 2)).toEqual(['USER anonymous', 'PASS me@example.com'])
  })

  test.each(['auto', 'full', 'off'] as const)('pipelining %s: the same bytes', async (pipelining) => {
    const bytes = await get(named.url('/pub/image.bin', 'user:secret'), { pipelining }).bytes()
    expect(bytes).toHaveLength(6153)
  })
})
