import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import { startTableServer } from '../support/table-server.ts'
import { ftpwire, MAIN } from './run-command.ts'

const root = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
const hello = await readFile(join(root, 'pub/hello.txt'))
const image = await readFile(join(root, 'pub/image.bin'))

let server: Awaited<ReturnType<typeof startFtpSrv>>
let folder: string

beforeAll(async () => {
  server = await startFtpSrv({ root, user: 'joe', password: 'Zq9!canary', anonymous: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  return () => rm(folder, { recursive: true })
})

describe('ftpwire get, to standard output', () => {
  test('is the file, byte for byte, and nothing else', async () => {
    const { code, stdout, stderr } = await ftpwire(['get', server.url('/pub/image.bin')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.equals(image)).toBe(true)
  })

  test('stays so with -v, whose dialogue is on standard error', async () => {
    const { code, stdout, stderr } = await ftpwire(['-v', 'get', server.url('/pub/image.bin'), '-o', '-'])
    expect(code).toBe(0)
    expect(stdout.equals(image)).toBe(true)
    expect(stderr).toMatch(/^< 220 /m)
    expect(stderr).toMatch(/^> RETR image\.bin$/m)
    expect(stderr).toMatch(/^< 226 /m)
  })

  test('is one file after the other where there are several', async () => {
    const urls = [server.url('/pub/hello.txt'), server.url('/pub/image.bin')]
    const { code, stdout } = await ftpwire(['get', ...urls])
    expect(code).toBe(0)
    expect(stdout.equals(Buffer.concat([hello, image]))).toBe(true)
  })

  test('goes on after a file that cannot be had, and says so', async () => {
    const urls = [server.url('/pub/nope'), server.url('/pub/hello.txt')]
    const { code, stdout, stderr } = await ftpwire(['get', ...urls])
    expect(code).toBe(10)
    expect(stdout.equals(hello)).toBe(true)
    expect(stderr).toMatch(/^ftpwire: ftp:.*\/pub\/nope: .*\(FTP_NOT_FOUND\)\n$/)
  })

  test('ends quietly when its reader does', async () => {
    const big = Buffer.alloc(8_000_000, 'x')
    await using table = await startTableServer({ files: { '/big': big } })
    const shell = `"$0" "$1" get "$2" | head -c 3; printf '|%s' "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = await promisify(execFile)('bash', [
      '-c',
      shell,
      process.execPath,
      MAIN,
      table.url('/big'),
    ])
    expect({ stdout, stderr }).toEqual({ stdout: 'xxx|141', stderr: '' })
  })

  test('waits for a slow reader longer than it would for a slow server', async () => {
    const big = Buffer.alloc(8_000_000, 'x')
    await using table = await startTableServer({ files: { '/big': big } })
    const shell = '"$0" "$1" get --timeout 0.5 "$2" | (sleep 1.5; wc -c)'
    const { stdout, stderr } = await promisify(execFile)('bash', [
      '-c',
      shell,
      process.execPath,
      MAIN,
      table.url('/big'),
    ])
    expect({ size: Number(stdout), stderr }).toEqual({ size: 8_000_000, stderr: '' })
  })
})

describe('ftpwire get, to a file', () => {
  test('replaces the file that -o names, and says nothing', async () => {
    await writeFile(join(folder, 'mine'), 'old')
    const { code, stdout, stderr } = await ftpwire(['get', server.url('/pub/image.bin'), '-o', 'mine'], {
      cwd: folder,
    })
    expect({ code, stdout: stdout.length, stderr }).toEqual({ code: 0, stdout: 0, stderr: '' })
    expect((await readFile(join(folder, 'mine'))).equals(image)).toBe(true)
    expect(await readdir(folder)).toEqual(['mine'])
  })

  test('goes into a folder under its own name, but not over another file', async () => {
    const words = ['get', '-o', folder, server.url('/pub/hello.txt')]
    expect((await ftpwire(words)).code).toBe(0)
    const again = await ftpwire(words)
    expect(again.code).toBe(8)
    expect(again.stderr).toMatch(/^ftpwire: .*hello\.txt is there already; .*\n$/)
    expect((await ftpwire([...words, '--force'])).code).toBe(0)
    expect((await readFile(join(folder, 'hello.txt'))).equals(hello)).toBe(true)
  })

  test('tells the result as JSON', async () => {
    const path = join(folder, 'x')
    const { stdout } = await ftpwire(['get', '--json', server.url('/pub/hello.txt'), '-o', path])
    expect(JSON.parse(stdout.toString())).toEqual({
      path,
      bytes: hello.length,
      resumedAt: 0,
      verified: true,
      seconds: expect.any(Number) as number,
    })
  })

  test.each(['%2Fetc%2Fpasswd', '..', 'a%5Cb', '%E2%80%AEx', '%FFx'])(
    'takes no name like %s',
    async (name) => {
      const { code, stderr } = await ftpwire(['get', '-o', folder, server.url(`/pub/${name}`)])
      expect(code).toBe(8)
      expect(stderr).toMatch(
        /^ftpwire: [ -~]* is not a safe name for a file here; choose one with -o FILE\n$/,
      )
      expect(await readdir(folder)).toEqual([])
    },
  )

  test('leaves nothing under its name where the server fails half-way', async () => {
    await using table = await startTableServer({
      files: { '/f': 'half' },
      replies: { SIZE: '213 1000' },
    })
    const { code, stderr } = await ftpwire([
      'get',
      '--retries',
      '0',
      table.url('/f'),
      '-o',
      join(folder, 'f'),
    ])
    expect(code).toBe(7)
    expect(stderr).toMatch(/^ftpwire: The server sent 4 of 1000 bytes.*\(FTP_SHORT_TRANSFER\)\n4 B are kept/)
    expect(await readdir(folder)).toEqual(['f.part'])
  })

  test('goes on where the server stopped half-way and called it complete', async () => {
    let downloads = 0
    await using table = await startTableServer({
      files: { '/f': 'whole' },
      transfer: (verb) => (verb === 'RETR' && downloads++ === 0 ? { bytes: 2 } : {}),
    })
    const { code, stderr } = await ftpwire(['get', table.url('/f'), '-o', join(folder, 'f')])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^ftpwire: warning: The server sent 2 of 5 bytes .* Trying again \(1 of 3\)\.\n$/)
    expect(table.received).toContain('REST 2')
    expect(await readFile(join(folder, 'f'), 'utf8')).toBe('whole')
  })

  test('writes into a device, and into what a link in /dev leads to, without replacing it', async () => {
    await symlink('/dev/null', join(folder, 'hole'))
    for (const path of [join(folder, 'hole'), '/dev/null']) {
      expect((await ftpwire(['get', server.url('/pub/hello.txt'), '-o', path])).code).toBe(0)
    }
    const { stdout } = await ftpwire(['get', server.url('/pub/hello.txt'), '-o', '/dev/stdout'])
    expect(stdout.equals(hello)).toBe(true)
  })

  test('says where it cannot write', async () => {
    const { code, stderr } = await ftpwire([
      'get',
      server.url('/pub/hello.txt'),
      '-o',
      join(folder, 'no/where'),
    ])
    expect(code).toBe(8)
    expect(stderr).toMatch(/^ftpwire: cannot write .*no\/where\.part: ENOENT.*\n$/)
    const missing = await ftpwire(['get', server.url('/pub/hello.txt'), '-o', `${folder}/no/`])
    expect(missing.code).toBe(8)
    expect(missing.stderr).toMatch(/^ftpwire: there is no folder .*\n$/)
  })

  test('wants -o for a folder of the server, and a folder for several files', async () => {
    const listing = await ftpwire(['get', server.url('/pub/'), '-o', folder])
    expect(listing.code).toBe(2)
    expect(listing.stderr).toMatch(/^ftpwire: the URL names a folder: /)
    const urls = [server.url('/pub/hello.txt'), server.url('/pub/image.bin')]
    const several = await ftpwire(['get', ...urls, '-o', join(folder, 'one')])
    expect(several.code).toBe(2)
    expect(await readdir(folder)).toEqual([])
    expect((await ftpwire(['get', ...urls, '-o', folder])).code).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['hello.txt', 'image.bin'])
  })
})

describe('ftpwire get, as text', () => {
  test.each([
    [['--type', 'a'], 'TYPE A'],
    [['--type', 'i'], 'TYPE I'],
    [['--infer-type'], 'TYPE A'],
    [[], 'TYPE I'],
  ])('with %j sends %s', async (options, command) => {
    const start = server.log.length
    await ftpwire(['get', ...options, server.url('/pub/hello-crlf.txt')])
    expect(server.log.slice(start).filter((line) => line.startsWith('TYPE'))).toEqual([command])
  })

  test('converts line ends, and the URL has the last word on the type', async () => {
    const text = await ftpwire(['get', '--type', 'a', server.url('/pub/hello-crlf.txt')])
    expect(text.stdout.includes('\r')).toBe(false)
    const same = await ftpwire(['get', '--type', 'a', server.url('/pub/hello-crlf.txt;type=i')])
    expect(same.stdout.includes('\r\n')).toBe(true)
  })
})
