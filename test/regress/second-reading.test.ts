// Faults that a second reading found, each with its test.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connect, FtpClient } from '../../src/index.ts'
import { startTableServer, type AnswerFunction } from '../support/table-server.ts'

const SIX = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`/${at}`, `file ${at}`]))

const USER_FOR_TWO: AnswerFunction = async (_, { connection, normally, control }) => {
  if (connection < 2) return normally()
  await control.write('421 too many of this name\r\n')
  control.destroy()
}

test.each(['auto', 'full', 'off'] as const)(
  'an upload goes on by EPSV where PASV is refused (pipelining %s)',
  async (pipelining) => {
    await using server = await startTableServer({ replies: { PASV: '502 no' } })
    await using session = await connect(server.url('/'), { pipelining })
    await session.upload({ text: 'whole' }, 'f')
    expect(server.files.get('/f')?.toString()).toBe('whole')
  },
)

test.each(['auto', 'full', 'off'] as const)(
  'an upload goes on by EPSV where the port of PASV is dead (pipelining %s): it waited for the first connection',
  async (pipelining) => {
    await using server = await startTableServer({ replies: { PASV: '227 here (127,0,0,1,250,250)' } })
    await using client = new FtpClient({ pipelining })
    await client.put({ text: 'whole' }, server.url('/f')).catch(() => undefined)
    await using session = await connect(server.url('/'), { pipelining: 'off' })
    await session.upload({ text: 'whole' }, 'g')
    expect(server.files.get('/g')?.toString()).toBe('whole')
  },
)

test.each([
  ['as a greeting', { greeting: (connection: number) => (connection > 1 ? '421 too many' : '220 ready') }],
  ['at USER', { replies: { USER: USER_FOR_TWO } }],
] as const)(
  '421 too many connections (%s) makes work wait for a session: it failed the work',
  async (_, refusing) => {
    await using server = await startTableServer({ files: SIX, ...refusing })
    await using client = new FtpClient({ maxSessions: 5 })
    const texts = await Promise.all(Object.keys(SIX).map((path) => client.get(server.url(path)).text()))
    expect(texts).toEqual(Object.values(SIX))
  },
)

test('any number of kept sessions may have died: the third one cost the work', async () => {
  let died = false
  await using server = await startTableServer({
    files: SIX,
    replies: {
      RETR: async (_, { connection, control, normally }) => {
        if (connection < 6 && died) control.destroy()
        else await normally()
      },
    },
  })
  await using client = new FtpClient({ maxSessions: 6 })
  await Promise.all(Object.keys(SIX).map((path) => client.get(server.url(path)).text()))
  died = true
  expect(await client.get(server.url('/0')).text()).toBe('file 0')
})

test('close() breaks off a download that nobody reads: it waited for ever', async () => {
  await using server = await startTableServer({ files: { '/big': Buffer.alloc(32 * 1024 * 1024) } })
  const session = await connect(server.url('/'), { timeouts: { stall: 100 } })
  const download = session.download('big')
  const failed = download.opened.then(() => download.result).catch((error: unknown) => error)
  await download.opened
  await session.close()
  expect(await failed).toMatchObject({ code: 'FTP_CLOSED' })
})

test('close() lets a download that is read come to its end', async () => {
  await using server = await startTableServer({ files: { '/big': Buffer.alloc(4 * 1024 * 1024) } })
  const session = await connect(server.url('/'), { timeouts: { stall: 300 } })
  const bytes = session.download('big').bytes()
  await session.close()
  expect((await bytes).length).toBe(4 * 1024 * 1024)
})

test('a session whose connection was lost says so: it called that a fault of the caller', async () => {
  await using server = await startTableServer({
    replies: { NOOP: (_, { control }) => control.destroy() },
  })
  const session = await connect(server.url('/'))
  await session.noop().catch(() => undefined)
  await expect(session.pwd()).rejects.toMatchObject({ code: 'FTP_CLOSED', kind: 'connection' })
})

test('a copy whose target refuses names the refusal, and uses no port that was asked for ahead', async () => {
  await using one = await startTableServer({ files: { '/a': 'text' } })
  await using two = await startTableServer({
    replies: {
      STOR: async (_, { control }) => {
        await sleep(20)
        await control.write('553 not here\r\n')
      },
    },
  })
  await using source = await connect(one.url('/'), { pipelining: 'full', timeouts: { abort: 100 } })
  await using target = await connect(two.url('/'))
  await source.download('a').text()
  await expect(source.copyTo('a', target, 'b')).rejects.toMatchObject({
    code: 'FTP_REFUSED',
    reply: { code: 553 },
  })
})

test('a copy ends where one server is through and the other stays silent: it waited for ever', async () => {
  await using one = await startTableServer({ files: { '/a': 'text' }, replies: { RETR: '226 done' } })
  await using two = await startTableServer({ replies: { STOR: '150 go on' } })
  await using source = await connect(one.url('/'))
  await using target = await connect(two.url('/'), { timeouts: { finalReply: 50, abort: 50 } })
  await expect(source.copyTo('a', target, 'b')).rejects.toMatchObject({ code: 'FTP_TIMEOUT' })
})
