import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTableServer } from '../support/table-server.ts'
import { longListing } from '../../src/cli/long-listing.ts'
import { treeLines } from '../../src/cli/tree-lines.ts'
import { parseListing } from '../../src/listing/index.ts'
import { ftpwire } from './run-command.ts'

const LISTING = [
  'total 4',
  'drwxr-xr-x   2 root  wheel        4096 Nov 30  2025 docs',
  '-rw-r--r--   1 joe   users     5242880 Jan  2  2026 big.iso',
  '-rw-r--r--   1 joe   users          60 Jan  3  2026 a.txt',
  'lrwxrwxrwx   1 joe   users           5 Jan  1  2026 latest -> a.txt',
  '-rw-r--r--   1 joe   users           7 Jan  5  2026 \x1b[2Jevil',
].join('\r\n')

let server: Awaited<ReturnType<typeof startTableServer>>
beforeAll(async () => {
  server = await startTableServer({
    files: { '/pub/x': '' },
    replies: {
      FEAT: '502 None',
      MLST: '502 None',
      LIST: async (_argument, context) => {
        await context.send('150 Here')
        const data = await context.data()
        await data.write(Buffer.from(`${LISTING}\r\n`))
        await data.fin()
        return '226 Done'
      },
    },
  })
})
afterAll(() => server.close())

const long = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await ftpwire(['ls', ...words, server.url('/pub/')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.toString()
}
const names = async (...words: string[]): Promise<string[]> =>
  (await long(...words))
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ ->.*/, '').split(' ').at(-1) ?? '')

describe('ftpwire ls -l', () => {
  test('has a line for each, aligned, sizes for people, nothing that harms a terminal', async () => {
    expect(await long('-l')).toMatchInlineSnapshot(`
      "-rw-r--r--  joe   users     7  2026-01-05  \\x1b[2Jevil
      -rw-r--r--  joe   users    60  2026-01-03  a.txt
      -rw-r--r--  joe   users  5.0M  2026-01-02  big.iso
      drwxr-xr-x  root  wheel     -  2025-11-30  docs/
      lrwxrwxrwx  joe   users     5  2026-01-01  latest -> a.txt
      "
    `)
  })

  test('has sizes in bytes with -b', async () => {
    expect(await long('-lb')).toContain(' 5242880 ')
  })

  test('sorts by time, size or name, or not at all, and the other way round', async () => {
    expect(await names('-lt')).toEqual(['\\x1b[2Jevil', 'a.txt', 'big.iso', 'latest', 'docs/'])
    expect((await names('-lS'))[0]).toBe('big.iso')
    expect(await names('-lU')).toEqual(['docs/', 'big.iso', 'a.txt', 'latest', '\\x1b[2Jevil'])
    expect(await names('-lr')).toEqual(['latest', 'docs/', 'big.iso', 'a.txt', '\\x1b[2Jevil'])
    expect((await long('-t')).split('\n')[1]).toBe('a.txt')
  })

  test('is JSON with what the server told', async () => {
    const entries = JSON.parse(await long('-l', '--json')) as object[]
    expect(entries).toHaveLength(5)
    expect(entries).toContainEqual({
      name: 'latest',
      type: 'link',
      size: 5,
      modified: '2026-01-01T00:00:00.000Z',
      modifiedPrecision: 'day',
      modifiedZoneKnown: false,
      permissions: 'rwxrwxrwx',
      owner: 'joe',
      group: 'users',
      linkTarget: 'a.txt',
    })
  })

  test('is what matches a pattern', async () => {
    const { stdout } = await ftpwire(['ls', server.url('/pub/*.[a-t]*')])
    expect(stdout.toString()).toBe('a.txt\nbig.iso\n')
    const none = await ftpwire(['ls', server.url('/pub/*.zip')])
    expect(none.code).toBe(4)
    expect(none.stderr).toBe('ftpwire: nothing matches *.zip\n')
  })
})

describe('a long listing', () => {
  test('leaves columns out that would be empty', () => {
    const { entries } = parseListing('type=dir; d\r\ntype=file;size=5; f\r\n', { format: 'mlsd' })
    expect(longListing(entries, false)).toBe('d  -  d/\n-  5  f\n')
    expect(longListing([], false)).toBe('')
  })
})

describe('a tree', () => {
  test('has branches that go on and branches that end', () => {
    const leaves = [
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 1],
      ['e', 0],
      ['f', 1],
    ] as const
    expect(treeLines(leaves.map(([name, depth]) => ({ name, depth, tail: '' })))).toEqual([
      '├── a',
      '│   ├── b',
      '│   │   └── c',
      '│   └── d',
      '└── e',
      '    └── f',
    ])
    expect(treeLines([])).toEqual([])
  })
})
