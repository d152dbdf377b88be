/** A download into a local file is compared with the server's before it gets its name. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type DownloadToOptions, type FtpSession } from '../../src/index.ts'
import { startTableServer, type TableOptions } from '../support/table-server.ts'

const CONTENT = 'one\n'
const MD5 = createHash('md5').update(CONTENT).digest('hex')
const OFFERS = '211-Features\r\n SIZE\r\n XMD5\r\n211 End'
const NO_SIZE = { SIZE: '502 no', MLST: '502 no' }

let folder: string
let local: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-checks-'))
  local = join(folder, 'a.txt')
})

afterEach(() => rm(folder, { recursive: true }))

/** Plays `work` with a server that offers SIZE and XMD5; tells which commands came. */
async function withSession(
  replies: TableOptions['replies'],
  work: (session: FtpSession) => Promise<unknown>,
): Promise<readonly string[]> {
  await using server = await startTableServer({
    files: { '/a.txt': CONTENT },
    replies: { FEAT: OFFERS, ...replies },
  })
  await using session = await connect(server.url('/'))
  await work(session)
  return server.received
}

function verbs(received: readonly string[], verb: string): number {
  return received.filter((line) => line.startsWith(`${verb} `)).length
}

test.each([
  [{}, 'before'],
  [{ resume: true }, 'o'],
])('what fails its check takes the name of no file (%o)', async (options, before) => {
  await writeFile(local, before)
  await withSession({ XMD5: `250 ${'0'.repeat(32)}` }, async (session) => {
    const received = session.downloadTo('a.txt', local, { ...options, verify: 'hash' })
    await expect(received).rejects.toMatchObject({ code: 'FTP_HASH_MISMATCH' })
    expect(await readFile(local, 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['a.txt'])
  })
})

test('a size that the server does not tell cannot be compared: nothing is fetched', async () => {
  const received = await withSession(NO_SIZE, async (session) => {
    await expect(session.downloadTo('a.txt', local, { verify: 'size' })).rejects.toMatchObject({
      code: 'FTP_NOT_SUPPORTED',
    })
  })
  expect(verbs(received, 'RETR')).toBe(0)
})

test.each([
  ['', 0],
  [CONTENT, 4],
])('a size without a number is what ftp-srv says of an empty file (%j)', async (content, bytes) => {
  await using server = await startTableServer({
    files: { '/f': content },
    replies: { FEAT: OFFERS, SIZE: '213 File status' },
  })
  await using session = await connect(server.url('/'))
  const received = session.downloadTo('f', local, { verify: 'size' })
  if (bytes === 0) await expect(received).resolves.toMatchObject({ bytes })
  else await expect(received).rejects.toMatchObject({ code: 'FTP_NOT_SUPPORTED' })
  expect(await readdir(folder)).toHaveLength(bytes === 0 ? 1 : 0)
})

test.each(['hash', 'auto'] as const)('hashes are compared where there is no size (%s)', async (verify) => {
  await withSession({ ...NO_SIZE, XMD5: `250 ${MD5}` }, async (session) => {
    expect(await session.downloadTo('a.txt', local, { verify })).toMatchObject({ hashed: true })
  })
  expect(await readFile(local, 'utf8')).toBe(CONTENT)
})

test('auto is content where the server tells neither', async () => {
  await withSession({ ...NO_SIZE, FEAT: '502 no' }, async (session) => {
    expect(await session.downloadTo('a.txt', local, { verify: 'auto' })).toMatchObject({ hashed: false })
  })
})

test('digits of another length are no hash', async () => {
  await withSession({ XMD5: `250 ${MD5}00000000` }, async (session) => {
    await expect(session.downloadTo('a.txt', local, { verify: 'hash' })).rejects.toMatchObject({
      code: 'FTP_NOT_SUPPORTED',
    })
  })
  expect(await readdir(folder)).toEqual([])
})

test('a hash that is refused for the moment is asked for again, and nothing is fetched twice', async () => {
  const received = await withSession({ XMD5: ['450 busy', `250 ${MD5}`] }, async (session) => {
    const options = { verify: 'hash', retries: 1 } as const
    expect(await session.downloadTo('a.txt', local, options)).toMatchObject({ bytes: 4, hashed: true })
  })
  expect([verbs(received, 'RETR'), verbs(received, 'XMD5')]).toEqual([1, 2])
})

test.each(['SIZE', 'RETR', 'XMD5'])('retries count for a connection that is lost at %s', async (verb) => {
  const lost = (): void => undefined
  let connections = 0
  await withSession(
    {
      XMD5: `250 ${MD5}`,
      [verb]: async (_, { connection, control, normally }) => {
        connections = Math.max(connections, connection + 1)
        if (connection === 0) return control.destroy()
        return verb === 'XMD5' ? `250 ${MD5}` : normally().then(lost)
      },
    },
    async (session) => {
      const options = { verify: 'hash', retries: 1 } as const
      expect(await session.downloadTo('a.txt', local, options)).toMatchObject({ bytes: 4, hashed: true })
    },
  )
  expect(connections).toBe(2)
  expect(await readFile(local, 'utf8')).toBe(CONTENT)
})

test.each([{ SIZE: '' }, { RETR: '' }, { XMD5: '' }])('one deadline for all of it (%o)', async (replies) => {
  await withSession(replies, async (session) => {
    const options: DownloadToOptions = { verify: 'hash', retries: 100, timeoutMs: 200 }
    await expect(session.downloadTo('a.txt', local, options)).rejects.toMatchObject({
      code: 'FTP_TIMEOUT',
      message: expect.stringContaining('200 ms'),
    })
  })
  expect(await readdir(folder)).toEqual([])
})

test('an abort does not wait until a large file is hashed', async () => {
  const size = 4 * 1024 ** 3
  await writeFile(local, '')
  await truncate(local, size)
  const controller = new AbortController()
  const replies = {
    SIZE: `213 ${size}`,
    XMD5: () => {
      setTimeout(() => controller.abort(), 50)
      return `250 ${MD5}`
    },
  }
  await withSession(replies, async (session) => {
    const options: DownloadToOptions = { resume: true, verify: 'hash', signal: controller.signal }
    await expect(session.downloadTo('a.txt', local, options)).rejects.toMatchObject({ code: 'FTP_ABORTED' })
  })
})

test('a file that somebody takes away before it is hashed is a local fault', async () => {
  const takeAway = async (): Promise<string> => {
    for (const name of await readdir(folder)) await rm(join(folder, name))
    return `250 ${MD5}`
  }
  await withSession({ XMD5: takeAway }, async (session) => {
    await expect(session.downloadTo('a.txt', local, { verify: 'hash' })).rejects.toMatchObject({
      code: 'FTP_LOCAL_FILE',
    })
  })
})

test.each([{ resume: true }, { retries: 1 }, { verify: 'size' }, { overwrite: 'never' }] as const)(
  'what is for files is no option of a download into a stream (%o)',
  async (options) => {
    const received = await withSession({}, async (session) => {
      await expect(session.downloadTo('a.txt', new PassThrough(), options)).rejects.toMatchObject({
        code: 'FTP_INVALID_OPTION',
        phase: 'arguments',
      })
    })
    expect(verbs(received, 'RETR')).toBe(0)
  },
)
