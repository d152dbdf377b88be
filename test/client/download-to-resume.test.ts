/** A download that may be resumed leaves what has come under its own name, and the next call goes on there. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, FtpError } from '../../src/index.ts'
import { startFtpSrv, type FtpSrvServer } from '../support/ftp-srv-server.mjs'

const big = randomBytes(20_000_000)
let folder: string
let server: FtpSrvServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-resume-'))
  await writeFile(join(folder, 'big.bin'), big)
  server = await startFtpSrv({ root: folder })
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test('what an aborted call has received is gone on with by the next', async () => {
  const local = join(folder, 'came.bin')
  const controller = new AbortController()
  // So slow that it cannot be over before it is aborted.
  const first = await connect(server.url('/'), { maxBytesPerSecond: 10_000_000 })
  const broken = first.downloadTo('big.bin', local, {
    resume: true,
    signal: controller.signal,
    onProgress: ({ bytes }) => {
      if (bytes > 0) controller.abort()
    },
  })
  await expect(broken).rejects.toMatchObject({ code: 'FTP_ABORTED' })
  await first.close()
  const { size } = await stat(local)
  expect(size).toBeGreaterThan(0)
  expect(big.subarray(0, size).equals(await readFile(local))).toBe(true)

  const second = await connect(server.url('/'))
  const { resumedAt, bytes } = await second.downloadTo('big.bin', local, { resume: true })
  await second.close()
  expect(resumedAt).toBe(size)
  expect(bytes).toBe(big.length - size)
  expect(big.equals(await readFile(local))).toBe(true)
})

test.each([true, false])('nothing stays of a file that is not there (resume: %s)', async (resume) => {
  const session = await connect(server.url('/'))
  const missing = session.downloadTo('missing', join(folder, 'missing.local'), { resume })
  await expect(missing).rejects.toBeInstanceOf(FtpError)
  await session.close()
  expect((await readdir(folder)).filter((name) => name.includes('missing'))).toEqual([])
})
