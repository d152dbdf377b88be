import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runExample, startExample } from './run-example.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site[Symbol.asyncDispose]())

describe('download-with-progress.mjs', () => {
  test('fetches the file and tells how far it is', async () => {
    const { server, work, big } = site
    const { code, stdout, stderr } = await runExample(
      'download-with-progress.mjs',
      [server.url('/big.bin')],
      {
        cwd: work,
      },
    )
    expect(code).toBe(0)
    expect(big.equals(await readFile(join(work, 'big.bin')))).toBe(true)
    expect(stdout.toString()).toBe('big.bin: 8000000 bytes, as many as the server has\n')
    expect(stderr).toMatch(/^8\.0 MB, 100 %, \d+\.\d MB\/s$/m)
  })

  test('leaves nothing of a file that is not there', async () => {
    const { server, work } = site
    const url = server.url('/nope')
    const { code, stderr } = await runExample('download-with-progress.mjs', [url], { cwd: work })
    expect(code).toBe(1)
    expect(stderr).toContain('FTP_NOT_FOUND')
    expect((await readdir(work)).filter((name) => name.includes('nope'))).toEqual([])
  })
})

describe('upload-a-stream.mjs', () => {
  const env = { FTP_PASSWORD: 's3cret' }

  test('compresses standard input on its way to the server', async () => {
    const { server, root, big } = site
    const { code, stdout, stderr } = await runExample(
      'upload-a-stream.mjs',
      [server.url('/pub/dump.gz', 'joe')],
      { env, input: big },
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const stored = await readFile(join(root, 'pub/dump.gz'))
    expect(stdout.toString()).toBe(`dump.gz: ${stored.length} bytes\n`)
    expect(big.equals(gunzipSync(stored))).toBe(true)
    expect(await readdir(join(root, 'pub'))).not.toContain('dump.gz.part')
  })

  test('has no whole name where it is killed', async () => {
    const { server, root } = site
    // The pipe stays open, so the upload would go on for ever.
    const running = startExample('upload-a-stream.mjs', [server.url('/pub/cut.gz', 'joe')], {
      env,
      open: true,
    })
    await vi.waitFor(() => access(join(root, 'pub/cut.gz.part')), { timeout: 10_000 })
    running.process.kill('SIGKILL')
    await running.finished
    expect(await readdir(join(root, 'pub'))).not.toContain('cut.gz')
  })

  test('ends at once where it is refused, whatever is still piped in', async () => {
    const { server, big } = site
    const url = server.url('/pub/none/dump.gz', 'joe')
    const { code, stderr } = await runExample('upload-a-stream.mjs', [url], { env, input: big })
    expect(code).toBe(1)
    expect(stderr).toContain('FTP_NOT_FOUND')
  })
})

describe('transfer-timeline.mjs', () => {
  test('draws every command, and the data of each transfer', async () => {
    const { server } = site
    const urls = ['/pub/hello.txt', '/big.bin', '/pub/image.bin'].map((path) => server.url(path))
    const { code, stdout } = await runExample('transfer-timeline.mjs', urls)
    expect(code).toBe(0)
    const lines = stdout.toString().split('\n')
    expect(lines.filter((line) => line.length > 100)).toEqual([])
    for (const [label, note] of [
      ['(greeting)', '220'],
      ['USER anonymous', '230'],
      ['RETR hello.txt', '226'],
      ['RETR big.bin', '226'],
      ['data of RETR', '8000000 bytes'],
      ['CWD pub', '250'],
      ['QUIT', '221'],
    ]) {
      const found = lines.some((line) => line.startsWith(`${label} `) && line.endsWith(` ms ${note}`))
      expect(found, `${label} … ${note}`).toBe(true)
    }
    expect(lines.filter((line) => line.startsWith('data of RETR') && line.includes('='))).toHaveLength(3)
    expect(stdout.toString()).not.toContain('no reply')
  })

  test('draws a refusal too', async () => {
    const { code, stdout, stderr } = await runExample('transfer-timeline.mjs', [site.server.url('/nope')])
    expect(code).toBe(1)
    expect(stderr).toContain('FTP_NOT_FOUND')
    expect(stdout.toString()).toMatch(/^RETR nope .* 551$/m)
  })
})

describe('every example', () => {
  test.each([
    'download-with-progress.mjs',
    'upload-a-stream.mjs',
    'mirror-a-folder.mjs',
    'through-a-socks-proxy.mjs',
    'through-an-http-proxy.mjs',
    'express-route.mjs',
    'nightly-job.mjs',
    'transfer-timeline.mjs',
    'many-machines/producer.mjs',
    'many-machines/worker.mjs',
  ])('%s says how to use it', async (name) => {
    const { code, stderr } = await runExample(name, [])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Usage: /)
  })
})
