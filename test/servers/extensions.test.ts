// What only some servers offer: MODE Z and hashes, on ProFTPD with mod_deflate and mod_digest.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type FtpOptions, type FtpSession } from '../../src/index.ts'
import { startRealServer, type RealServer } from './real-server.ts'

const text = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join(''))
const noise = randomBytes(2_000_000)
// ProFTPD 1.3.8 takes its time with packed uploads, and answers 451 to what is packed very small.
const few = text.subarray(0, 5000)

describe('ProFTPD', () => {
  let server: RealServer
  let folder: string
  const commands: string[] = []

  const logIn = async (options: FtpOptions = {}): Promise<FtpSession> => {
    const { host, port, user, password } = server
    const session = await connect(
      { host, port, user, password },
      {
        onCommand: (command) => commands.push(command),
        ...options,
      },
    )
    await session.cwd('upload')
    return session
  }

  beforeAll(async () => {
    server = await startRealServer('proftpd')
    folder = await mkdtemp(join(tmpdir(), 'ftpwire-'))
  })

  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('unpacks what comes through MODE Z', async () => {
    const plain = await logIn()
    await plain.upload(text, 'text.txt')
    await plain.upload(noise, 'noise.bin')
    await plain.upload({ text: '' }, 'empty.txt')
    await plain.close()
    const session = await logIn({ compression: 'auto' })
    try {
      expect(commands).toContain('MODE Z')
      expect((await session.download('text.txt').bytes()).equals(text)).toBe(true)
      expect((await session.download('noise.bin').bytes()).equals(noise)).toBe(true)
      expect((await session.download('empty.txt').bytes()).length).toBe(0)
      const part = await session.download('text.txt', { offset: 1000, length: 500 }).bytes()
      expect(part.equals(text.subarray(1000, 1500))).toBe(true)
      const path = join(folder, 'text.txt')
      expect(await session.downloadTo('text.txt', path)).toMatchObject({ bytes: text.length, verified: true })
      expect((await readFile(path)).equals(text)).toBe(true)
      const names = (await session.list().toArray()).map(({ name }) => name)
      expect(names.sort()).toEqual(['empty.txt', 'noise.bin', 'text.txt'])
    } finally {
      await session.close()
    }
  })

  it('packs what goes through MODE Z', async () => {
    const session = await logIn({ compression: 'auto' })
    expect(await session.upload(few, 'few.txt')).toMatchObject({ bytes: few.length, verified: true })
    await session.close()
    const plain = await logIn()
    expect((await plain.download('few.txt').bytes()).equals(few)).toBe(true)
    await plain.close()
  })

  it('counts unpacked bytes against the limit: a small packet may hold a large file', async () => {
    const session = await logIn({ compression: 'auto', limits: { downloadBytes: 100_000 } })
    await expect(session.download('text.txt').bytes()).rejects.toMatchObject({ code: 'FTP_TOO_MUCH_DATA' })
    session.destroy()
  })

  it('compares hashes', async () => {
    const session = await logIn()
    try {
      const path = join(folder, 'noise.bin')
      expect(await session.downloadTo('noise.bin', path, { verify: 'hash' })).toMatchObject({ hashed: true })
      await writeFile(path, Buffer.concat([Buffer.from('X'), noise.subarray(1, 1_000_000)]))
      await expect(
        session.downloadTo('noise.bin', path, { resume: true, verify: 'hash' }),
      ).rejects.toMatchObject({ code: 'FTP_HASH_MISMATCH' })
    } finally {
      await session.close()
    }
  })
})
