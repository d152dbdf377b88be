// Names in the encodings of old: read and written where the caller names the encoding, kept byte by byte where not.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FtpError, type FtpSession } from '../../src/index.ts'
import {
  ANY_KINDS,
  clientFor,
  logIn,
  startServer,
  uploadUrl,
  type AnyKind,
  type AnyServer,
} from './any-server.ts'

const NAMES = [
  { encoding: 'gbk', name: '中文.txt', hex: 'd6d0cec4', other: '文中', otherHex: 'cec4d6d0' },
  // The second byte of this letter is a backslash.
  {
    encoding: 'shift_jis',
    name: 'ソース.txt',
    hex: '835c815b8358',
    other: '日本語',
    otherHex: '93fa967b8cea',
  },
  { encoding: 'windows-1252', name: 'grüße.txt', hex: '6772fcdf65', other: 'é', otherHex: 'e9' },
] as const

/** Their names are text within: bytes that are no UTF-8 do not come through. */
const UTF8_ONLY: ReadonlySet<AnyKind> = new Set(['pyftpdlib', 'ftp-srv'])
/** Pure-FTPd forbids a backslash, also as half a letter. */
const FORBIDDEN: Readonly<Partial<Record<AnyKind, string>>> = { 'pure-ftpd': 'ソース.txt' }

function onDisk(folder: string, hex: string, suffix: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(hex, 'hex'), Buffer.from(suffix)])
}

describe.each(ANY_KINDS)('%s', (kind) => {
  let server: AnyServer
  let plain: FtpSession

  beforeAll(async () => {
    server = await startServer(kind)
    for (const { encoding, hex } of NAMES) {
      const folder = `${server.root}/upload/${encoding}`
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      writeFileSync(onDisk(folder, hex, '.txt'), encoding)
    }
    plain = await logIn(server)
  })
  afterAll(async () => {
    await plain?.close()
    await server?.close()
  })

  describe.each(NAMES)('$encoding', ({ encoding, name, hex, other, otherHex }) => {
    const allowed = !UTF8_ONLY.has(kind) && FORBIDDEN[kind] !== name
    const folder = (): string => `${server.root}/upload/${encoding}`

    if (!allowed) {
      it('fails in order, and the session goes on', async () => {
        const entries = await plain.list(encoding).toArray()
        expect(entries.length).toBeLessThanOrEqual(1)
        const fetched = await plain
          .download(onDisk(encoding, hex, '.txt'))
          .text()
          .catch((error: unknown) => error)
        if (fetched !== encoding) expect(fetched).toBeInstanceOf(FtpError)
        await plain.noop()
      })
      return
    }

    it('is read and written by its name', async () => {
      await using session = await logIn(server, { encoding })
      await session.cwd(encoding)
      expect((await session.list().toArray()).map((entry) => entry.name)).toEqual([name])
      expect(await session.download(name).text()).toBe(encoding)
      expect((await session.stat(name)).type).toBe('file')
      await using client = clientFor(server, { encoding })
      expect(await client.list(uploadUrl(server, `${encoding}/`))).toEqual([name])
    })

    it('a new one is written in its bytes', async () => {
      await using session = await logIn(server, { encoding })
      await session.upload({ text: 'new' }, `${other}.new`)
      expect(existsSync(onDisk(`${server.root}/upload`, otherHex, '.new'))).toBe(true)
      await session.rename(`${other}.new`, `${other}.moved`)
      expect(existsSync(onDisk(`${server.root}/upload`, otherHex, '.moved'))).toBe(true)
      await session.delete(`${other}.moved`)
    })

    it('is fetched as it was listed, without an encoding', async () => {
      await plain.cwd(encoding)
      const [entry] = await plain.list().toArray()
      expect(Buffer.from(entry?.rawName ?? [])).toEqual(
        Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from('.txt')]),
      )
      expect(await plain.download(entry?.name ?? '').text()).toBe(encoding)
      expect(await plain.download(entry?.rawName ?? '').text()).toBe(encoding)
      await plain.cdup()
      await using client = clientFor(server)
      const escaped = hex.replaceAll(/../g, (digits) => `%${digits}`)
      expect(await client.get(uploadUrl(server, `${encoding}/${escaped}.txt`)).text()).toBe(encoding)
      const raw = onDisk(encoding, hex, '.raw')
      await plain.upload({ text: 'raw' }, raw)
      expect(existsSync(onDisk(folder(), hex, '.raw'))).toBe(true)
      await plain.delete(raw)
    })
  })
})
