// Faults that a reading with fresh eyes found, each with its test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, FtpClient, get } from '../../src/index.ts'
import { authority } from '../support/certificates.ts'
import { startTableServer } from '../support/table-server.ts'

test('a refused CWD back ends the session: it stood in the wrong directory and went on', async () => {
  let moves = 0
  await using server = await startTableServer({
    files: { '/d/x': 'inner', '/x': 'outer' },
    replies: {
      FEAT: '211 none',
      MLST: '502 unknown',
      CWD: async (_, { normally }) => (++moves === 2 ? '550 no way back' : normally()),
    },
  })
  const session = await connect(server.url('/'))
  await expect(session.stat('d')).rejects.toMatchObject({ reply: { code: 550 } })
  expect(session.alive).toBe(false)
  await session.close()
})

test('segments of a server that ignores REST are found out: they were written as if whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftpwire-'))
  const bytes = Buffer.from(Array.from({ length: 4 * 1024 * 1024 }, (_, at) => at % 251))
  await using server = await startTableServer({
    files: { '/big': bytes },
    replies: { REST: '350 ignored' },
  })
  const client = new FtpClient({ maxSessions: 2 })
  try {
    const path = join(folder, 'big')
    await expect(client.download(server.url('/big'), path, { segments: 2 })).rejects.toMatchObject({
      code: 'FTP_SIZE_MISMATCH',
    })
  } finally {
    await client.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('use() that fails while other work goes on ends its session: the work landed elsewhere', async () => {
  await using server = await startTableServer({ files: { '/a/one': '1', '/b/two': '2' } })
  const client = new FtpClient({ maxSessions: 1 })
  try {
    let late: Promise<unknown> = Promise.resolve()
    await expect(
      client.use(server.url('/a/'), async (session) => {
        late = session.upload({ text: 'x' }, 'new').catch((error: unknown) => error)
        await session.delete('missing')
      }),
    ).rejects.toMatchObject({ reply: { code: 550 } })
    await late
    expect((await client.get(server.url('/b/two')).bytes()).toString()).toBe('2')
    expect(server.files.has('/b/new')).toBe(false)
  } finally {
    await client.close()
  }
})

test('a misspelt option of a call is refused: dryrun for dryRun deleted files', async () => {
  const client = new FtpClient()
  const options: object = { dryrun: true }
  await expect(client.mirror('ftp://127.0.0.1:1024/', 'nowhere', options)).rejects.toMatchObject({
    code: 'FTP_INVALID_OPTION',
    message: 'There is no option "dryrun" here. Is dryRun meant?',
  })
  await client.close()
})

test('an abort as RETR leaves over TLS leaves no rejection behind: it ended the process', async () => {
  await using server = await startTableServer({ files: { '/x': 'data' }, tls: { mode: 'explicit' } })
  const stopper = new AbortController()
  const download = get(server.url('/x'), {
    tls: 'explicit',
    tlsOptions: { ca: authority },
    signal: stopper.signal,
    onCommand: (command) => {
      if (command.startsWith('RETR')) stopper.abort()
    },
  })
  await expect(download.bytes()).rejects.toMatchObject({ code: 'FTP_ABORTED' })
})
