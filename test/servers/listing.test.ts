// The same tree listed from every server, in every way that it offers: the same entries.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry, FtpSession, SessionListOptions } from '../../src/index.ts'
import { ANY_KINDS, logIn, startServer, type AnyKind, type AnyServer } from './any-server.ts'
import { makeTree, NAMES, type SampleFile } from './sample-tree.ts'

const ZONE_MINUTES = 330
const ZONE = '<+0530>-5:30'
const PRECISION_MS = { day: 86_400_000, minute: 60_000, second: 1000, millisecond: 1 } as const

type Way = NonNullable<SessionListOptions['command']>

const WAYS: Readonly<Record<AnyKind, readonly Way[]>> = {
  vsftpd: ['auto', 'list', 'stat', 'nlst'],
  proftpd: ['auto', 'mlsd', 'list', 'stat', 'nlst'],
  'pure-ftpd': ['auto', 'mlsd', 'list', 'stat', 'nlst'],
  pyftpdlib: ['auto', 'mlsd', 'list', 'stat', 'nlst'],
  inetutils: ['auto', 'list', 'stat', 'nlst'],
  'ftp-srv': ['auto', 'list', 'stat', 'nlst'],
}

/** Told to show its own zone, it shows it in MDTM as well, so that nothing gives it away: the caller must know. */
const TELLS_NO_UTC: ReadonlySet<AnyKind> = new Set(['vsftpd', 'pyftpdlib'])

/** They show a link as what it leads to: pyftpdlib where it tells facts, ftp-srv always. */
const FOLLOWS: Readonly<Partial<Record<AnyKind, (way: Way) => boolean>>> = {
  pyftpdlib: (way) => way === 'auto' || way === 'mlsd',
  'ftp-srv': () => true,
}

/** Pure-FTPd forbids the one; ftp-srv drops quotes and backslashes, and tells no size of an empty file. */
const BEYOND: Readonly<Partial<Record<AnyKind, readonly string[]>>> = {
  'pure-ftpd': ['back\\slash'],
  'ftp-srv': ['plain.txt', '"quoted".txt', 'back\\slash'],
}

interface Place {
  readonly kind: AnyKind
  readonly way: Way
}

/** What the server can tell of a file in this way. */
function expected(
  { name, type, size, modified }: SampleFile,
  { kind, way }: Place,
  entry: Entry | undefined,
): object {
  if (way === 'nlst') return { name, type: 'other' }
  const followed = type === 'link' && FOLLOWS[kind]?.(way) === true
  const precision = PRECISION_MS[entry?.modifiedPrecision ?? 'millisecond']
  const mlsd = way === 'mlsd' || (way === 'auto' && WAYS[kind].includes('mlsd'))
  const zone = kind === 'ftp-srv' || (mlsd && !TELLS_NO_UTC.has(kind)) ? 0 : ZONE_MINUTES * 60_000
  const shown = Math.floor((modified.getTime() + zone) / precision) * precision
  // The facts of MLSD are UTC; where a server puts its own clock there, no client can know.
  const time = new Date(mlsd ? shown : shown - zone)
  if (followed) return { name, type: 'file' }
  return { name, type, ...(type === 'file' ? { size } : {}), modified: time }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

describe.each(ANY_KINDS)('%s', (kind) => {
  let server: AnyServer
  let session: FtpSession
  let files: SampleFile[]

  beforeAll(async () => {
    server = await startServer(kind, { timeZone: ZONE })
    const tree = join(server.root, 'upload/tree')
    mkdirSync(tree)
    files = makeTree(tree).toSorted(byName)
    session = await logIn(server)
  })
  afterAll(async () => {
    await session?.close()
    await server?.close()
  })

  it.each(WAYS[kind])('tells all of it by %s', async (command) => {
    const unparsed: string[] = []
    const listed = await session
      .list('tree', {
        command,
        serverTimeZone: TELLS_NO_UTC.has(kind) ? ZONE_MINUTES : 'detect',
        onUnparsedLine: (line) => unparsed.push(line),
      })
      .toArray()
    const entries = listed.toSorted(byName)
    const place = { kind, way: command }
    expect(entries).toMatchObject(files.map((file, at) => expected(file, place, entries[at])))
    expect(entries.map(({ name }) => name)).toEqual(files.map(({ name }) => name))
    expect(unparsed).toEqual([])
    const link = entries.find(({ name, type }) => name === 'link to file' && type === 'link')
    if (command === 'list')
      expect(link?.linkTarget).toBe(FOLLOWS[kind]?.('list') === true ? undefined : 'plain.txt')
  })

  it.each(NAMES)('tells the same of %j alone, and gives its bytes', async (name) => {
    const file = files.find((one) => one.name === name)
    if (BEYOND[kind]?.includes(name) === true) {
      // What the server does about it is its own affair; the session goes on.
      await session.stat(`tree/${name}`).catch(() => undefined)
      await session
        .download(`tree/${name}`)
        .bytes()
        .catch(() => undefined)
      await session.noop()
      return
    }
    expect(await session.stat(`tree/${name}`)).toMatchObject({ name, type: 'file', size: file?.size })
    expect(await session.download(`tree/${name}`).text()).toBe('x'.repeat(file?.size ?? -1))
  })

  it.each(['-dash', '[bracket]', 'two words', '~tilde', 'star*', ' leading', 'trailing '])(
    'enters the folder %j',
    async (name) => {
      const place = join(server.root, 'upload', name)
      mkdirSync(join(place, 'within'), { recursive: true })
      try {
        for (const command of WAYS[kind])
          expect((await session.list(name, { command }).toArray()).map((entry) => entry.name)).toEqual([
            'within',
          ])
        expect(await session.pwd()).toMatch(/\/upload$/)
      } finally {
        rmSync(place, { recursive: true })
      }
    },
  )

  it('walks it, as deep as is asked for, by patterns, links left alone', async () => {
    const walked = async (options: Parameters<FtpSession['walk']>[1]): Promise<string[]> => {
      const found: string[] = []
      for await (const { path } of session.walk('tree', options)) found.push(path)
      return found
    }
    const all = await walked({})
    const below = ['sub folder/deep', 'sub folder/deep/core.txt', 'sub folder/inner.txt', 'sub folder/up']
    const top = files.map(({ name }) => name)
    const throughLink = FOLLOWS[kind]?.('auto') === true
    if (!throughLink) expect(all).toEqual([...top, ...below].toSorted())
    expect(await walked({ depth: 0 })).toEqual(top)
    expect(await walked({ include: '**/*.txt', exclude: '**/up' })).toEqual(
      [
        'plain.txt',
        '"quoted".txt',
        'two words.txt',
        'sub folder/deep/core.txt',
        'sub folder/inner.txt',
      ].toSorted(),
    )
    const followed = await walked({ followLinks: true })
    expect(followed).toEqual(expect.arrayContaining([...top, ...below]))
    expect(followed.length).toBeLessThan(3 * all.length)
  })
})
