/** Faults that hung on what came in one packet, or on what came behind a refusal. */
import { describe, expect, test } from 'vitest'
import { FtpClient } from '../../src/client/client.ts'
import { get, list } from '../../src/client/verbs.ts'
import { startScriptedServer, type Script } from '../support/scripted-server.ts'

const TIMEOUTS = { close: 30, abort: 100, reply: 10_000 }

const user: Script = [
  { send: '220 hi\r\n' },
  { expect: 'USER u' },
  { send: '331 who?\r\n' },
  { expect: 'PASS p' },
]
const asked = (url: string): string => url.replace('//', '//u:p@')

describe('a refusal within a flight', () => {
  test.each([
    ['hung up', { fin: 'control' }],
    ['reset', { rst: 'control' }],
    ['silent', { awaitEnd: true }],
  ] as const)(
    'a server that is %s behind a 530 has refused the login, and is not asked again',
    async (_, end) => {
      await using server = await startScriptedServer([...user, { send: '530 no\r\n' }, { pauseMs: 10 }, end])
      await expect(get(asked(server.url('/d/f')), { timeouts: TIMEOUTS }).bytes()).rejects.toMatchObject({
        code: 'FTP_LOGIN_REFUSED',
        command: 'PASS ***',
      })
      expect(server.connections).toBe(1)
    },
  )

  test('a server that hangs up behind a 550 to CWD has said that the directory is missing', async () => {
    await using server = await startScriptedServer([
      ...user,
      { send: '230 in\r\n' },
      { expect: 'CWD d' },
      { send: '550 no\r\n' },
      { pauseMs: 10 },
      { fin: 'control' },
    ])
    await expect(get(asked(server.url('/d/f')), { timeouts: TIMEOUTS }).bytes()).rejects.toMatchObject({
      code: 'FTP_NOT_FOUND',
      command: 'CWD d',
    })
    expect(server.connections).toBe(1)
  })
})

describe('replies in one packet', () => {
  test('a 421 behind the 226 does not undo the download', async () => {
    await using server = await startScriptedServer([
      ...user,
      { send: '230 in\r\n' },
      { expect: 'TYPE I' },
      { send: '200 ok\r\n' },
      { expect: 'SIZE f' },
      { send: '213 4\r\n' },
      { openData: true },
      { expect: 'PASV' },
      { send: '227 ({{pasv}})\r\n' },
      { acceptData: true },
      { expect: 'RETR f' },
      { send: '150 ok\r\n' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 ok\r\n421 bye\r\n' },
    ])
    await using client = new FtpClient({ timeouts: TIMEOUTS, idleMs: 0 })
    expect(await client.get(asked(server.url('/f'))).text()).toBe('data')
  })
})

test('a listing that was broken off before its first name is no empty directory', async () => {
  const controller = new AbortController()
  await using server = await startScriptedServer([
    ...user,
    { send: '230 in\r\n' },
    { expect: 'TYPE A' },
    { send: '200 ok\r\n' },
    { openData: true },
    { expect: 'PASV' },
    { send: '227 ({{pasv}})\r\n' },
    { acceptData: true },
    { expect: 'NLST' },
    { send: '150 ok\r\n' },
    { pauseMs: 60 },
    { send: '226 ok\r\n' },
  ])
  const names = list(asked(server.url('/')), {
    signal: controller.signal,
    timeouts: TIMEOUTS,
    onReply: ({ code }) => {
      if (code === 150) setTimeout(() => controller.abort(), 10)
    },
  })
  await expect(names).rejects.toMatchObject({ code: 'FTP_ABORTED' })
})
