import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashesBelow, runExample, startExample } from './run-example.ts'
import { silentServer } from './silent-server.ts'
import { openSite, type Site } from './site.ts'

let site: Site
let folder: string
beforeAll(async () => {
  site = await openSite()
})
beforeEach(async () => {
  folder = join(await mkdtemp(join(site.work, 'mirror-')), 'copy')
})
afterAll(() => site[Symbol.asyncDispose]())

describe('mirror-a-folder.mjs', () => {
  test('fetches everything, and the next time only what has changed', async () => {
    const { server, root } = site
    const words = [server.url('/'), folder]
    const first = await runExample('mirror-a-folder.mjs', words)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout.toString()).toMatch(/^12 files, \d+ bytes; 0 unchanged, 0 failed$/m)
    expect(await hashesBelow(folder)).toEqual(await hashesBelow(root))

    await writeFile(join(root, 'pub/hello.txt'), 'Changed.\n')
    const second = await runExample('mirror-a-folder.mjs', words)
    expect(second.stdout.toString()).toBe(
      'transferred pub/hello.txt\n1 files, 9 bytes; 11 unchanged, 0 failed\n',
    )
    expect(await readFile(join(folder, 'pub/hello.txt'), 'utf8')).toBe('Changed.\n')
  })

  test('only says what it would do', async () => {
    const { code, stdout } = await runExample('mirror-a-folder.mjs', [
      site.server.url('/pub/'),
      folder,
      '--dry-run',
    ])
    expect(code).toBe(0)
    expect(stdout.toString()).toContain('transferred image.bin\n')
    await expect(hashesBelow(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('tells why it cannot begin', async () => {
    const { code, stderr } = await runExample('mirror-a-folder.mjs', [site.server.url('/nope/'), folder])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^FTP_NOT_FOUND: /)
  })
})

describe('nightly-job.mjs', () => {
  const STAMP = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

  test('mirrors, with a line for each file and a sum', async () => {
    const { server, root } = site
    const words = [server.url('/', 'joe'), folder]
    const env = { FTP_PASSWORD: 's3cret' }
    const { code, stdout } = await runExample('nightly-job.mjs', words, { env })
    expect(code).toBe(0)
    expect(stdout.toString()).toMatch(new RegExp(`${STAMP} got big.bin \\(8000000 bytes\\)$`, 'm'))
    expect(stdout.toString()).toMatch(new RegExp(`${STAMP} done: 12 fetched, 0 unchanged, 0 failed\\n$`, 'm'))
    expect(await hashesBelow(folder)).toEqual(await hashesBelow(root))
  })

  test('does not run twice at the same time for one folder', async () => {
    const { server } = site
    // Held up for as long as the test wants: nothing answers at the other end.
    await using silent = await silentServer()
    const first = startExample('nightly-job.mjs', [silent.url, folder])
    await silent.called
    const second = await runExample('nightly-job.mjs', [server.url('/pub/'), folder])
    expect(second.code).toBe(75)
    expect(second.stdout.toString()).toMatch(/the last run is still at work$/m)

    // However it ends, the next one may begin.
    first.process.kill('SIGKILL')
    await first.finished
    await vi.waitFor(async () => {
      const third = await runExample('nightly-job.mjs', [server.url('/pub/'), folder])
      expect(third.code).toBe(0)
    })
  })

  test('ends when it is told to, and says that another try may help', async () => {
    await using silent = await silentServer()
    const job = startExample('nightly-job.mjs', [silent.url, folder])
    await silent.called
    job.process.kill('SIGTERM')
    const { code, stdout } = await job.finished
    expect(stdout.toString()).toContain('FAILED: FTP_ABORTED')
    expect(code).toBe(75)
  })

  test('fails for good where the login is refused', async () => {
    const words = [site.server.url('/', 'joe'), folder]
    const { code, stdout } = await runExample('nightly-job.mjs', words, { env: { FTP_PASSWORD: 'wrong' } })
    expect(code).toBe(1)
    expect(stdout.toString()).toContain('FAILED: FTP_LOGIN_REFUSED')
  })
})
