// One script for a whole session, played on every server.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, FtpError, type FtpSession } from '../../src/index.ts'
import { authority } from '../support/certificates.ts'
import { isInstalled, modesOf, SERVER_KINDS, startRealServer, type RealServer } from './real-server.ts'

const big = randomBytes(3_000_000)

const servers = SERVER_KINDS.flatMap((kind) => modesOf(kind).map((mode) => ({ kind, mode })))

describe.each(servers)('$kind $mode', ({ kind, mode }) => {
  let server: RealServer
  let session: FtpSession
  let folder: string

  beforeAll(async () => {
    expect(isInstalled(kind), `${kind} is installed`).toBe(true)
    server = await startRealServer(kind, { mode })
    session = await logIn(server)
    folder = await mkdtemp(join(tmpdir(), 'ftpwire-'))
  })

  afterAll(async () => {
    await session?.close()
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('makes folders, one and many', async () => {
    await session.mkdir('dir one')
    await session.mkdir('a/b/c', { recursive: true })
    await session.mkdir('a/b/c', { recursive: true })
    await session.cwd('a/b/c')
    await session.cwd('../../..')
    expect(await session.pwd()).toMatch(/upload\/?$/)
    expect(await session.exists('a/b')).toBe(true)
    expect(await session.exists('a/x')).toBe(false)
    await session.rmdir('a/b/c')
    expect(await session.exists('a/b/c')).toBe(false)
  })

  it('uploads from every kind of source', async () => {
    const path = join(folder, 'big.bin')
    await writeFile(path, big)
    const bytes = await session.upload(big, 'bytes.bin')
    expect(bytes.bytes).toBe(big.length)
    expect((await session.upload(path, 'file.bin')).bytes).toBe(big.length)
    await session.upload({ text: 'grüße' }, 'text.txt')
    await session.upload(Readable.from([Buffer.from('ab'), Buffer.from('cd')]), 'stream.txt')
    await session.upload(new Blob(['web']).stream(), 'web.txt')
    await pipeline(Readable.from(['x'.repeat(100_000)]), session.createWriteStream('dir one/piped.txt'))
    expect((await session.download('file.bin').bytes()).equals(big)).toBe(true)
    expect(await session.download('text.txt').text()).toBe('grüße')
    expect(await session.download('stream.txt').text()).toBe('abcd')
    expect(await session.download('web.txt').text()).toBe('web')
    expect((await session.download('dir one/piped.txt').bytes()).length).toBe(100_000)
  })

  it('appends, resumes both ways, and takes a part', async () => {
    await session.upload({ text: 'one ' }, 'log.txt')
    await session.upload({ text: 'two' }, 'log.txt', { mode: 'append' })
    expect(await session.download('log.txt').text()).toBe('one two')
    const cut = 1 + Math.floor(Math.random() * (big.length - 2))
    await session.upload(big.subarray(0, cut), 'resumed.bin')
    const rest = await session.upload(big, 'resumed.bin', { mode: 'resume' })
    expect(rest.bytes).toBe(big.length - cut)
    const local = join(folder, 'resumed.bin')
    await writeFile(local, big.subarray(0, cut))
    await session.downloadTo('resumed.bin', local, { resume: true, verify: 'auto' })
    expect((await readFile(local)).equals(big)).toBe(true)
    const part = await session.download('resumed.bin', { offset: 1000, length: 5000 }).bytes()
    expect(part.equals(big.subarray(1000, 6000))).toBe(true)
    expect(await session.download('log.txt').text()).toBe('one two')
  })

  it('renames, deletes, and tells what is not there', async () => {
    await session.upload({ text: 'x' }, 'from.txt')
    await session.rename('from.txt', 'to [1].txt')
    expect(await session.exists('to [1].txt')).toBe(true)
    expect(await session.size('to [1].txt')).toBe(1)
    expect(await session.modified('to [1].txt')).toBeInstanceOf(Date)
    await session.delete('to [1].txt')
    await expect(session.delete('to [1].txt')).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
    await expect(session.download('nix').bytes()).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
    await expect(session.upload({ text: 'x' }, 'log.txt', { mode: 'create' })).rejects.toBeInstanceOf(
      FtpError,
    )
  })

  it('sets a time and a mode, or says that the server cannot', async () => {
    await session.upload({ text: 'x' }, 'timed.txt')
    const date = new Date('2020-02-03T04:05:06Z')
    const set = await session.setModified('timed.txt', date).then(
      () => true,
      (error: FtpError) => error.code,
    )
    if (set === true) expect(await session.modified('timed.txt')).toEqual(date)
    else expect(set).toBe('FTP_NOT_SUPPORTED')
    const mode = await session.chmod('timed.txt', 0o600).then(
      () => true,
      (error: FtpError) => error.code,
    )
    expect([true, 'FTP_NOT_SUPPORTED', 'FTP_REFUSED', 'FTP_NOT_FOUND']).toContain(mode)
  })

  it('converts text', async () => {
    await session.upload({ text: 'a\nb\n' }, 'lines.txt', { type: 'A' })
    expect(await session.download('lines.txt', { type: 'A' }).text()).toBe('a\nb\n')
  })

  it.each([
    ' leading', 'trailing ', 'two  blanks', 'quote"in', "apostrophe'", '#hash', 'per%20cent', 'semi;colon', '[bracket]', '*star?', '-dash', '~tilde', '{brace}', 'back\\slash', 'r\u00e9sum\u00e9-nfc', 're\u0301sume\u0301-nfd', '\u6d4b\u8bd5', 'a -> b',
  ])('keeps the name %j', async (name) => {
    try {
      await session.upload({ text: name }, name)
    } catch (error) {
      // A server may forbid a name; it must say so, and the session must go on.
      expect(error).toBeInstanceOf(FtpError)
      expect(await session.exists('log.txt')).toBe(true)
      return
    }
    // Pure-FTPd puts an underscore in the place of an outer blank.
    const stored = kind === 'pure-ftpd' ? name.replace(/^ | $/, '_') : name
    expect(await session.download(stored).text()).toBe(name)
    await session.delete(stored)
  }) // prettier-ignore

  it.each([0.01, 0.5, 0.99])('goes on after an abort at %d of a download', async (share) => {
    let received = 0
    for await (const chunk of session.download('bytes.bin')) {
      received += (chunk as Buffer).length
      if (received >= big.length * share) break
    }
    if (!session.alive) session = await logIn(server)
    expect(await session.download('log.txt').text()).toBe('one two')
  })

  it('leaves no whole-looking file when the source fails', async () => {
    const failing = (async function* () {
      yield big.subarray(0, 1_000_000)
      throw new Error('the disk is gone')
    })()
    await expect(session.upload(failing, 'half.bin')).rejects.toMatchObject({ code: 'FTP_SOURCE_FAILED' })
    if (!session.alive) session = await logIn(server)
    expect(await session.download('log.txt').text()).toBe('one two')
  })
})

async function logIn({ host, port, user, password, mode }: RealServer): Promise<FtpSession> {
  const tls = mode === 'plain' ? 'off' : mode === 'implicit' ? 'implicit' : 'explicit'
  const session = await connect({ host, port, user, password }, { tls, tlsOptions: { ca: authority } })
  await session.cwd('upload')
  return session
}
