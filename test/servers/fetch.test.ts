// The same URLs by ftpwire and by curl, on every server: the same bytes, and the dialogue that the URL says.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FtpError, type FtpOptions } from '../../src/index.ts'
import { tlsFile } from '../support/certificates.ts'
import { ANY_KINDS, clientFor, startServer, type AnyKind, type AnyServer } from './any-server.ts'

const FILES: readonly string[] = [
  'pub/hello.txt',
  'pub/hello-crlf.txt',
  'pub/empty.txt',
  'pub/image.bin',
  'pub/a b/c d.txt',
  'pub/names/grüße.txt',
  'pub/names/#1.txt',
  'pub/names/100%.txt',
  'pub/names/semi;type=a.txt',
  'pub/names/query?.txt',
  'big.bin',
]

/** Who takes a CWD without an argument (RFC 1738 §3.2.2 has it sent, RFC 959 knows no such thing). */
const TAKES_NULL_CWD: ReadonlySet<AnyKind> = new Set(['pure-ftpd', 'pyftpdlib', 'ftp-srv'])

const big = randomBytes(2_500_000)

async function curl(...words: string[]): Promise<Buffer> {
  const { stdout } = await promisify(execFile)('curl', ['-sS', '--path-as-is', ...words], {
    encoding: 'buffer',
    maxBuffer: 1 << 24,
  })
  return stdout
}

function pathOf(file: string): string {
  return `/${file.split('/').map(encodeURIComponent).join('/')}`
}

/** Fetches on a client of its own; gives what was sent for the URL, and how often somebody logged in. */
async function fetched(
  server: AnyServer,
  url: string,
  options: FtpOptions = {},
): Promise<{ bytes: Buffer; dialogue: string[]; logins: number }> {
  const sent: string[] = []
  await using client = clientFor(server, { ...options, onCommand: (command) => sent.push(command) })
  const bytes = await client.get(url).bytes()
  return {
    bytes,
    dialogue: sent.filter((command) => /^(?:CWD|TYPE|RETR|NLST)\b/.test(command)),
    logins: sent.filter((command) => command.startsWith('USER')).length,
  }
}

describe.each(ANY_KINDS)('%s', (kind) => {
  let server: AnyServer

  beforeAll(async () => {
    server = await startServer(kind)
    writeFileSync(join(server.root, 'big.bin'), big)
  })
  afterAll(() => server?.close())

  it.each(FILES)('gives the bytes of %s that curl gets, in the dialogue of its URL', async (file) => {
    const url = server.url(pathOf(file))
    const { bytes, dialogue, logins } = await fetched(server, url)
    expect(bytes.equals(await curl(url))).toBe(true)
    expect(bytes.equals(await readFile(join(server.root, file)))).toBe(true)
    const segments = file.split('/')
    expect(dialogue).toEqual([
      ...segments.slice(0, -1).map((segment) => `CWD ${segment}`),
      'TYPE I',
      `RETR ${segments.at(-1)}`,
    ])
    expect(logins).toBe(1)
  })

  it.each(['auto', 'full', 'off'] as const)('takes one connection with pipelining %s', async (pipelining) => {
    const sent: string[] = []
    await using client = clientFor(server, {
      pipelining,
      onCommand: (command) => sent.push(command),
      onReply: (reply) => sent.push(`    ${reply.toString()}`),
    })
    for (const who of [undefined, `${server.user}:${server.password}`]) {
      for (const file of ['pub/a b/c d.txt', 'big.bin', 'pub/hello.txt', 'pub/empty.txt']) {
        const bytes = await client.get(server.url(pathOf(file), who)).bytes()
        expect(bytes.equals(await readFile(join(server.root, file)))).toBe(true)
      }
    }
    const logins = sent.filter((command) => command.startsWith('USER'))
    expect(logins, sent.join('\n')).toHaveLength(2)
  })

  it('reads %2F as a slash within its segment', async () => {
    const motd = await readFile(join(server.root, 'etc/motd'))
    const url = server.url('/%2Fetc/motd')
    const { bytes, dialogue } = await fetched(server, url)
    expect(bytes.equals(motd)).toBe(true)
    expect((await curl(url)).equals(motd)).toBe(true)
    expect(dialogue).toEqual(['CWD /etc', 'TYPE I', 'RETR motd'])
    const name = await fetched(server, server.url('/etc%2Fmotd'))
    expect(name.bytes.equals(motd)).toBe(true)
    expect(name.dialogue).toEqual(['TYPE I', 'RETR etc/motd'])
  })

  it('sends `.` and `..` as they stand', async () => {
    const url = server.url('/pub/./names/../hello.txt')
    const { bytes, dialogue } = await fetched(server, url)
    expect(bytes.equals(await curl(url))).toBe(true)
    expect(dialogue.slice(0, 4)).toEqual(['CWD pub', 'CWD .', 'CWD names', 'CWD ..'])
  })

  it('sends CWD without an argument for an empty segment, or says what to write', async () => {
    const url = server.url('//etc/motd')
    const motd = await readFile(join(server.root, 'etc/motd'))
    const asRoot = await fetched(server, url, { emptySegment: 'root' })
    expect(asRoot.bytes.equals(await curl(url))).toBe(true)
    expect(asRoot.dialogue.slice(0, 2)).toEqual(['CWD /', 'CWD etc'])
    const asSaid = await fetched(server, url).catch((error: unknown) => error)
    if (TAKES_NULL_CWD.has(kind)) {
      expect(asSaid).toMatchObject({ dialogue: ['CWD ', 'CWD etc', 'TYPE I', 'RETR motd'], bytes: motd })
    } else {
      expect(asSaid).toBeInstanceOf(FtpError)
      expect((asSaid as FtpError).message).toContain('%2F')
    }
  })

  it('converts text for ;type=a as curl does', async () => {
    const url = server.url('/pub/hello.txt;type=a')
    const { bytes, dialogue } = await fetched(server, url, { lineEnd: 'lf' })
    expect(bytes.toString()).toBe((await curl(url)).toString().replaceAll('\r\n', '\n'))
    expect(dialogue).toEqual(['CWD pub', 'TYPE A', 'RETR hello.txt'])
    const image = await fetched(server, server.url('/pub/image.bin;type=i'))
    expect(image.bytes.equals(await curl(server.url('/pub/image.bin;type=i')))).toBe(true)
  })

  it('reads a directory by NLST', async () => {
    const url = server.url('/pub/names/')
    const { bytes, dialogue } = await fetched(server, url, { lineEnd: 'lf' })
    const theirs = (await curl('-l', url)).toString().replaceAll('\r\n', '\n')
    expect(bytes.toString().split('\n').toSorted()).toEqual(theirs.split('\n').toSorted())
    expect(dialogue).toEqual(['CWD pub', 'CWD names', 'TYPE A', 'NLST'])
    await using client = clientFor(server)
    const names = ['#1.txt', '100%.txt', 'grüße.txt', 'query?.txt', 'semi;type=a.txt']
    const listed = async (path: string): Promise<string[]> => (await client.list(server.url(path))).toSorted()
    expect(await listed('/pub/names/')).toEqual(names)
    expect(await listed('/pub/names;type=d')).toEqual(names)
    expect(await listed('/')).toEqual(['big.bin', 'etc', 'pub', 'upload'])
  })

  it('says what is not there, and goes on', async () => {
    await using client = clientFor(server)
    for (const path of ['/nix', '/nix/hello.txt', '/pub/nix.txt'])
      await expect(client.get(server.url(path)).bytes()).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
    expect((await client.get(server.url('/big.bin')).bytes()).equals(big)).toBe(true)
  })
})

describe.each(['vsftpd', 'proftpd'] as const)('%s over ftps://', (kind) => {
  it('gives the bytes that curl gets', async () => {
    await using server = await startServer(kind, { mode: 'implicit' })
    for (const file of ['pub/image.bin', 'pub/a b/c d.txt', 'pub/empty.txt']) {
      const url = server.url(pathOf(file))
      expect((await fetched(server, url)).bytes.equals(await curl('--cacert', tlsFile('ca.crt'), url))).toBe(
        true,
      )
    }
  })
})
