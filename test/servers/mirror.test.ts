// Three hundred files mirrored to every server and back, over eight sessions, also where connections are cut.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MirrorOptions, MirrorResult } from '../../src/index.ts'
import { ANY_KINDS, clientFor, startServer, type AnyServer } from './any-server.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

const FILES = 300
const FOLDERS = ['', 'one/', 'two words/', 'deep/er/', 'grüße/']
const HOUR_AGO = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000)

/** Bytes that differ from file to file, and lengths from none to some blocks. */
function contentOf(at: number): Buffer {
  const seed = createHash('sha256').update(String(at)).digest()
  return Buffer.alloc((at * 397) % 9000, seed)
}

function makeSource(folder: string): void {
  for (const place of FOLDERS) mkdirSync(join(folder, place), { recursive: true })
  for (let at = 0; at < FILES; at++) {
    const path = join(folder, `${FOLDERS[at % FOLDERS.length]}file ${at}.bin`)
    writeFileSync(path, contentOf(at))
    utimesSync(path, HOUR_AGO, HOUR_AGO)
  }
}

/** Every file below a folder with the hash of its bytes. */
function treeOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )
  const hashes = paths.map((path) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex'),
  ])
  return Object.fromEntries(hashes) as Record<string, string>
}

describe.each(ANY_KINDS)('%s', (kind) => {
  let server: AnyServer
  let work: string
  const here = (name: string): string => join(work, name)
  const there = (name: string): string => join(server.root, 'upload', name)

  /** One of both places is a folder below `upload`, named with a leading colon. */
  const mirror = async (
    from: string,
    to: string,
    options: MirrorOptions = {},
    port = server.port,
  ): Promise<MirrorResult> => {
    const { user, password, host } = server
    const place = (name: string): string =>
      name.startsWith(':') ? `ftp://${user}:${password}@${host}:${port}/upload/${name.slice(1)}/` : here(name)
    await using client = clientFor(server, { maxSessions: 8 })
    return await client.mirror(place(from), place(to), options)
  }

  const makeRemote = async (name: string): Promise<void> => {
    await using client = clientFor(server)
    await client.mkdir(server.url(`/upload/${name}`, `${server.user}:${server.password}`))
  }

  beforeAll(async () => {
    server = await startServer(kind)
    work = mkdtempSync(join(tmpdir(), 'ftpwire-mirror-'))
    makeSource(here('source'))
    for (const name of ['up', 'cut', 'resumed']) await makeRemote(name)
  })
  afterAll(async () => {
    await server?.close()
    if (work !== undefined) rmSync(work, { recursive: true, force: true })
  })

  it('takes three hundred files there, and nothing the second time', async () => {
    const first = await mirror('source', ':up')
    expect(first).toMatchObject({ files: FILES, failed: 0, skipped: 0 })
    expect(treeOf(there('up'))).toEqual(treeOf(here('source')))
    expect(await mirror('source', ':up')).toMatchObject({ files: 0, unchanged: FILES, failed: 0 })
  })

  it('brings them back, and nothing the second time', async () => {
    expect(await mirror(':up', 'back')).toMatchObject({ files: FILES, failed: 0, skipped: 0 })
    expect(treeOf(here('back'))).toEqual(treeOf(here('source')))
    expect(await mirror(':up', 'back')).toMatchObject({ files: 0, unchanged: FILES, failed: 0 })
  })

  it('takes what changed, removes what is gone, leaves alone what is excluded', async () => {
    cpSync(here('source'), here('changed'), { recursive: true, preserveTimestamps: true })
    appendFileSync(join(here('changed'), 'file 0.bin'), 'more')
    rmSync(join(here('changed'), 'one'), { recursive: true })
    rmSync(join(here('changed'), 'file 5.bin'))
    writeFileSync(join(here('changed'), 'new.bin'), 'new')
    writeFileSync(join(here('changed'), 'left out.tmp'), 'never')
    const options = { delete: true, exclude: ['*.tmp'] } as const
    const up = await mirror('changed', ':up', options)
    expect(up).toMatchObject({ files: 2, failed: 0, unchanged: FILES - FILES / 5 - 2 })
    rmSync(join(here('changed'), 'left out.tmp'))
    expect(treeOf(there('up'))).toEqual(treeOf(here('changed')))
    writeFileSync(join(here('back'), 'mine.tmp'), 'stays')
    expect(await mirror(':up', 'back', options)).toMatchObject({ files: 2, failed: 0 })
    expect(readFileSync(join(here('back'), 'mine.tmp'), 'utf8')).toBe('stays')
    rmSync(join(here('back'), 'mine.tmp'))
    expect(treeOf(here('back'))).toEqual(treeOf(here('changed')))
  })

  it.each(['there', 'back'] as const)('comes through cut connections on the way %s', async (way) => {
    const [from, to] = way === 'there' ? ['source', ':cut'] : [':cut', 'cut']
    await using proxy = await startCuttingProxy(server.port, [200_000, 300_000])
    const through = await mirror(from, to, { retries: 5 }, proxy.port)
    expect(proxy.cuts).toBe(2)
    expect(through.outcomes.filter(({ action }) => action === 'failed')).toEqual([])
    expect(treeOf(way === 'there' ? there('cut') : here('cut'))).toEqual(treeOf(here('source')))
  })

  it.each(['there', 'back'] as const)('ends what was cut %s when it is run again', async (way) => {
    const [from, to] = way === 'there' ? ['source', ':resumed'] : [':resumed', 'resumed']
    await using proxy = await startCuttingProxy(server.port, [400_000])
    const broken = await mirror(from, to, { retries: 0 }, proxy.port)
    expect(proxy.cuts).toBe(1)
    expect(broken.failed).toBeGreaterThan(0)
    expect(broken.failed + broken.files).toBeLessThanOrEqual(FILES)
    expect(await mirror(from, to)).toMatchObject({ failed: 0 })
    expect(treeOf(way === 'there' ? there('resumed') : here('resumed'))).toEqual(treeOf(here('source')))
  })
})
