import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFtpSrv, type FtpSrvServer } from '../support/ftp-srv-server.mjs'
import { startTableServer } from '../support/table-server.ts'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
let server: FtpSrvServer
let folder: string
let root: string
const url = (path: string): string => server.url(path, 'joe:s3cret')
const tree = async (path: string): Promise<string[]> => (await readdir(path, { recursive: true })).sort()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  root = join(folder, 'root')
  await cp(site, root, { recursive: true })
  server = await startFtpSrv({ root, user: 'joe', password: 's3cret' })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

describe('ftpwire mirror', () => {
  test('makes a folder here like one there, and finds nothing to do the next time', async () => {
    const here = join(folder, 'here')
    for (const [path, expected] of [
      ['/pub', { files: 10, unchanged: 0 }],
      ['/pub/', { files: 0, unchanged: 10 }],
    ] as const) {
      const { code, stdout, stderr } = await ftpwire(['mirror', '--json', url(path), here])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const lines = stdout
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      expect(lines.at(-1)).toMatchObject({ ...expected, failed: 0 })
    }
    expect(await tree(here)).toEqual(await tree(join(site, 'pub')))
    expect(
      (await readFile(join(here, 'image.bin'))).equals(await readFile(join(site, 'pub/image.bin'))),
    ).toBe(true)
  })

  test('makes one there like one here, and says nothing', async () => {
    const { code, stdout, stderr } = await ftpwire(['mirror', join(site, 'pub'), url('/')])
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await tree(root)).toEqual(expect.arrayContaining(await tree(join(site, 'pub'))))
  })

  test('shows with -n what it would do, and does it without', async () => {
    await writeFile(join(root, 'pub/extra'), 'x')
    await rm(join(root, 'pub/hello.txt'))
    const words = ['mirror', '--delete', '--compare', 'size', join(site, 'pub'), url('/pub/')]
    const dry = await ftpwire([...words, '-n'])
    expect(dry.stdout.toString().trimEnd().split('\n').sort()).toEqual([
      'delete   extra',
      'transfer hello.txt',
    ])
    expect(await readdir(join(root, 'pub'))).toContain('extra')
    expect((await ftpwire(words)).code).toBe(0)
    expect(await tree(join(root, 'pub'))).toEqual(await tree(join(site, 'pub')))
  })

  test('takes some and leaves some', async () => {
    const here = join(folder, 'here')
    const words = ['--include', '*.txt', '--exclude', 'names', '--exclude', 'empty*']
    expect((await ftpwire(['mirror', ...words, url('/pub/'), here])).code).toBe(0)
    expect(await tree(here)).toEqual(['a b', 'a b/c d.txt', 'hello-crlf.txt', 'hello.txt'])
  })

  test('goes on after a file that fails, and says which', async () => {
    await using table = await startTableServer({
      files: { '/pub/good': 'fine', '/pub/bad': 'lost' },
      replies: {
        RETR: (name, context) => (name.endsWith('bad') ? '550 \x1b[2JNot this one' : context.normally()),
      },
    })
    const here = join(folder, 'here')
    const { code, stderr } = await ftpwire(['mirror', table.url('/pub/'), here])
    expect(code).toBe(10)
    expect(stderr).toMatch(/^ftpwire: bad: [^\n]*550 \\x1b\[2JNot this one[^\n]*\n$/)
    expect(await tree(here)).toEqual(['good'])
  })

  test('wants one folder here and one there', async () => {
    expect((await ftpwire(['mirror', '.', folder])).code).toBe(2)
    expect((await ftpwire(['mirror', url('/pub/'), url('/etc/')])).code).toBe(2)
    expect((await ftpwire(['mirror', url('/none/'), join(folder, 'x')])).code).toBe(4)
    expect((await ftpwire(['mirror', join(folder, 'none'), url('/')])).code).toBe(8)
    const words = [join(site, 'etc'), url('/new/deep')]
    expect((await ftpwire(['mirror', ...words])).code).toBe(4)
    expect((await ftpwire(['mirror', '-p', ...words])).code).toBe(0)
    expect(await tree(join(root, 'new'))).toEqual(['deep', 'deep/motd'])
  })

  test('sums up on a terminal', async () => {
    const { code, lines } = await onTerminal(['mirror', url('/pub/'), 'here'], { cwd: folder })
    expect(code).toBe(0)
    expect(lines).toEqual([expect.stringMatching(/^10 files \(6\.4 KiB\) in \d\.\d s$/)])
  })

  test('ends by Ctrl-C, and says how to go on', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/pub/${at}`, 'x'.repeat(1000)]))
    await using table = await startTableServer({
      files,
      replies: {
        RETR: async (_argument, context) => {
          await context.control.pause(100)
          await context.normally()
        },
      },
    })
    const words = ['mirror', '--concurrency', '2', table.url('/pub/'), 'here']
    const { raw, lines } = await onTerminal(words, { cwd: folder, typing: [[' files ', '\x03']] })
    expect(raw).toMatch(/\d+ files {2}[\d.]+ (?:B|KiB) +[\d.]+ (?:B|KiB)\/s +\d\.\d s {2}\d+/)
    expect(lines).toEqual(['ftpwire: interrupted', 'the same command goes on with what is missing'])
    for (const name of await readdir(join(folder, 'here'))) {
      expect(await readFile(join(folder, 'here', name), 'utf8')).toBe('x'.repeat(1000))
    }
  })
})
