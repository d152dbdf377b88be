import { access, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFtpSrv, type FtpSrvServer } from '../support/ftp-srv-server.mjs'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
let server: FtpSrvServer
let folder: string
/** What the server serves. */
let root: string
const url = (path: string): string => server.url(path, 'joe:s3cret')
const isThere = (path: string): Promise<boolean> => access(join(root, path)).then(() => true, () => false) // prettier-ignore

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

describe('ftpwire put', () => {
  test('uploads files into a folder under their names, or one under another name', async () => {
    await writeFile(join(folder, 'one'), 'first')
    await writeFile(join(folder, 'two'), 'second')
    const several = await ftpwire(['put', 'one', 'two', url('/pub/')], { cwd: folder })
    expect({ code: several.code, stderr: several.stderr }).toEqual({ code: 0, stderr: '' })
    expect(await readFile(join(root, 'pub/one'), 'utf8')).toBe('first')
    expect(await readFile(join(root, 'pub/two'), 'utf8')).toBe('second')
    const { stdout } = await ftpwire(['put', '--json', 'one', url('/pub/three')], { cwd: folder })
    expect(JSON.parse(stdout.toString())).toMatchObject({ file: 'one', bytes: 5, verified: true })
    expect(stdout.toString()).not.toContain('s3cret')
    expect(await readFile(join(root, 'pub/three'), 'utf8')).toBe('first')
  })

  test('takes standard input', async () => {
    const shell = `printf 'from a pipe' | $FTPWIRE put -q - '${url('/pub/piped')}'`
    const { code, raw } = await onTerminal([], { shell })
    expect({ code, raw }).toEqual({ code: 0, raw: '' })
    expect(await readFile(join(root, 'pub/piped'), 'utf8')).toBe('from a pipe')
    const nameless = await ftpwire(['put', '-', url('/pub/')])
    expect(nameless.code).toBe(2)
  })

  test('goes on, adds or refuses as it is told', async () => {
    await writeFile(join(folder, 'f'), 'abcdef')
    await writeFile(join(root, 'pub/f'), 'abc')
    const resumed = await ftpwire(['put', '-c', '--json', join(folder, 'f'), url('/pub/f')])
    expect(JSON.parse(resumed.stdout.toString())).toMatchObject({ bytes: 3 })
    expect(await readFile(join(root, 'pub/f'), 'utf8')).toBe('abcdef')
    expect((await ftpwire(['put', '-a', join(folder, 'f'), url('/pub/f')])).code).toBe(0)
    expect(await readFile(join(root, 'pub/f'), 'utf8')).toBe('abcdefabcdef')
    const refused = await ftpwire(['put', '--no-clobber', join(folder, 'f'), url('/pub/f')])
    expect(refused.code).not.toBe(0)
    expect(await readFile(join(root, 'pub/f'), 'utf8')).toBe('abcdefabcdef')
    expect((await ftpwire(['put', '-a', '-c', join(folder, 'f'), url('/pub/f')])).code).toBe(2)
  })

  test('makes folders with -p', async () => {
    await writeFile(join(folder, 'f'), 'x')
    expect((await ftpwire(['put', '-p', join(folder, 'f'), url('/new/deep/')])).code).toBe(0)
    expect(await isThere('new/deep/f')).toBe(true)
    expect((await ftpwire(['put', join(folder, 'f'), url('/none/deep/')])).code).toBe(4)
  })

  test('says what it cannot read, and goes on with the others', async () => {
    await writeFile(join(folder, 'f'), 'x')
    await mkdir(join(folder, 'd'))
    const { code, stderr } = await ftpwire(['put', 'none', 'd', 'f', url('/pub/')], { cwd: folder })
    expect(code).toBe(10)
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      expect.stringMatching(/^ftpwire: d: d is a folder/),
      expect.stringMatching(/^ftpwire: none: cannot read none: ENOENT/),
    ])
    expect(await isThere('pub/f')).toBe(true)
    expect((await ftpwire(['put', 'f', 'd', url('/pub/x')], { cwd: folder })).code).toBe(2)
  })
})

describe('ftpwire get, many files', () => {
  test('fetches what matches, several at a time', async () => {
    const out = join(folder, 'out')
    await mkdir(out)
    const { code, stderr } = await ftpwire(['get', url('/pub/*.txt'), '-o', out])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect((await readdir(out)).sort()).toEqual(['empty.txt', 'hello-crlf.txt', 'hello.txt'])
    for (const name of await readdir(out)) {
      expect((await readFile(join(out, name))).equals(await readFile(join(site, 'pub', name)))).toBe(true)
    }
  })

  test('takes an encoded star, or one with --no-glob, as it is', async () => {
    for (const words of [[url('/pub/%2A.txt')], ['--no-glob', url('/pub/*.txt')]]) {
      const start = server.log.length
      expect((await ftpwire(['get', ...words])).code).toBe(4)
      expect(server.log.slice(start)).toContain('RETR *.txt')
    }
  })

  test('tells each as JSON on a line of its own', async () => {
    const { stdout } = await ftpwire(['get', '--json', url('/pub/*.txt'), '-o', folder])
    const lines = stdout.toString().trimEnd().split('\n')
    const paths = lines.map((line) => (JSON.parse(line) as { path: string }).path)
    expect(paths.toSorted()).toEqual(
      ['empty.txt', 'hello-crlf.txt', 'hello.txt'].map((name) => join(folder, name)),
    )
  })

  test('does not let two files take one name', async () => {
    const { code, stderr } = await ftpwire([
      'get',
      url('/pub/hello.txt'),
      url('/pub/hello.txt'),
      '-o',
      folder,
    ])
    expect(code).toBe(10)
    expect(stderr).toMatch(/^ftpwire: ftp:.*: .*hello\.txt is where another file of this call goes\n$/)
    expect(stderr).not.toContain('s3cret')
  })

  test('sums up on a terminal', async () => {
    const { lines } = await onTerminal(['get', url('/pub/*.txt')], { cwd: folder })
    expect(lines).toEqual([expect.stringMatching(/^3 files: \d+ B in \d\.\d s \(.*\/s\)$/)])
  })
})

describe('ftpwire tree and stat', () => {
  test('draw what is below a folder', async () => {
    const { code, stdout } = await ftpwire(['tree', '-s', url('/pub/')])
    expect(code).toBe(0)
    expect(stdout.toString()).toMatchInlineSnapshot(`
      "pub
      ├── a b/
      │   └── c d.txt (39 B)
      ├── empty.txt (0 B)
      ├── hello-crlf.txt (70 B)
      ├── hello.txt (60 B)
      ├── image.bin (6.0 KiB)
      └── names/
          ├── #1.txt (70 B)
          ├── 100%.txt (17 B)
          ├── grüße.txt (19 B)
          ├── query?.txt (56 B)
          └── semi;type=a.txt (41 B)

      2 folders, 10 files, 6.4 KiB
      "
    `)
    const shallow = await ftpwire(['tree', '--depth', '0', '--exclude', '*.txt', url('/pub/')])
    expect(shallow.stdout.toString().split('\n').slice(0, 4)).toEqual([
      'pub',
      '├── a b/',
      '├── image.bin',
      '└── names/',
    ])
  })

  test('draw it as JSON with paths', async () => {
    const { stdout } = await ftpwire(['tree', '--json', '--include', 'c*', url('/pub/')])
    expect(JSON.parse(stdout.toString())).toEqual([
      expect.objectContaining({ path: 'a b/c d.txt', name: 'c d.txt', type: 'file' }) as object,
    ])
  })

  test('tell what is known of a file or a folder', async () => {
    const { stdout } = await ftpwire(['stat', url('/pub/hello.txt')])
    expect(stdout.toString()).toMatch(
      /^name: {8}hello\.txt\ntype: {8}file\nsize: {8}60 bytes \(60 B\)\nmodified: {4}20/,
    )
    const json = await ftpwire(['stat', '--json', url('/pub'), url('/pub/none')])
    expect(json.code).toBe(10)
    expect(JSON.parse(json.stdout.toString())).toMatchObject({ name: 'pub', type: 'dir' })
  })
})

describe('ftpwire mkdir, mv and rm', () => {
  test('make folders, one or with those above', async () => {
    expect((await ftpwire(['mkdir', url('/one'), url('/two/')])).code).toBe(0)
    expect((await ftpwire(['mkdir', url('/x/y/z')])).code).toBe(4)
    expect((await ftpwire(['mkdir', '-p', url('/x/y/z'), url('/one')])).code).toBe(0)
    expect(await Promise.all(['one', 'two', 'x/y/z'].map(isThere))).toEqual([true, true, true])
  })

  test('rename in a folder, and move to another', async () => {
    expect((await ftpwire(['mv', url('/pub/hello.txt'), url('/pub/bye.txt')])).code).toBe(0)
    expect((await ftpwire(['mv', url('/pub/bye.txt'), url('/etc/')])).code).toBe(0)
    expect(await Promise.all(['pub/hello.txt', 'pub/bye.txt', 'etc/bye.txt'].map(isThere))).toEqual([
      false,
      false,
      true,
    ])
    expect((await ftpwire(['mv', url('/etc/bye.txt'), 'ftp://elsewhere/x'])).code).toBe(2)
    expect((await ftpwire(['mv', url('/pub/none'), url('/pub/x')])).code).toBe(4)
  })

  test('remove files, and show before what would go', async () => {
    const dry = await ftpwire(['rm', '-n', url('/pub/*.txt')])
    expect(dry.stdout.toString()).toBe('empty.txt\nhello-crlf.txt\nhello.txt\n')
    expect(await isThere('pub/hello.txt')).toBe(true)
    expect((await ftpwire(['rm', url('/pub/*.txt')])).code).toBe(0)
    expect((await readdir(join(root, 'pub'))).sort()).toEqual(['a b', 'image.bin', 'names'])
  })

  test('remove a folder only with -r, and then with all that is in it', async () => {
    expect((await ftpwire(['rm', url('/pub/')])).code).toBe(2)
    expect((await ftpwire(['rm', url('/pub')])).code).toBe(4)
    expect((await ftpwire(['rm', '-rn', url('/pub/')])).stdout.toString()).toContain('pub/a b/c d.txt\n')
    expect(await isThere('pub/a b/c d.txt')).toBe(true)
    expect((await ftpwire(['rm', '-r', url('/pub/')])).code).toBe(0)
    expect(await readdir(root)).toEqual(['etc'])
    expect((await ftpwire(['rm', '-r', url('/')])).code).toBe(2)
  })
})
