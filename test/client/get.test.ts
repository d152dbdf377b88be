import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FtpClient } from '../../src/client/client.ts'
import type { Progress } from '../../src/client/download.ts'
import { get, list, plan } from '../../src/client/verbs.ts'
import { FtpError } from '../../src/errors.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import type { FtpSrvServer } from '../support/ftp-srv-server.d.mts'
import { loopbacks } from '../support/listener.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))
const fileOf = (path: string): Promise<Buffer> => readFile(join(site, path))

let server: FtpSrvServer
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-get-'))
  server = await startFtpSrv({ root: site })
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

describe('get', () => {
  test.each(loopbacks)('bytes, text, and a name of every kind (%s)', async (host) => {
    await using other = await startFtpSrv({ root: site, host })
    expect(await get(other.url('/pub/image.bin')).bytes()).toEqual(await fileOf('pub/image.bin'))
    expect(await get(other.url('/pub/hello.txt')).text()).toBe((await fileOf('pub/hello.txt')).toString())
    expect(await get(other.url('/pub/empty.txt')).bytes()).toHaveLength(0)
    for (const [path, name] of [
      ['pub/a%20b/c%20d.txt', 'pub/a b/c d.txt'],
      ['pub/names/%231.txt', 'pub/names/#1.txt'],
      ['pub/names/100%25.txt', 'pub/names/100%.txt'],
      ['pub/names/query?.txt', 'pub/names/query?.txt'],
      ['pub/names/semi%3Btype=a.txt', 'pub/names/semi;type=a.txt'],
      ['pub/names/gr%C3%BC%C3%9Fe.txt', 'pub/names/grüße.txt'],
    ] as const)
      expect(await get(other.url(`/${path}`)).bytes()).toEqual(await fileOf(name))
  })

  test('the size is known once it is open, and the result says what was proven', async () => {
    const download = get(server.url('/pub/image.bin'))
    expect(download.size).toBeUndefined()
    expect(await download.opened).toEqual({ size: 6153 })
    expect(download.size).toBe(6153)
    download.resume()
    expect(await download.result).toMatchObject({ bytes: 6153, verified: true, reply: { code: 226 } })
    expect(download.received).toBe(6153)
  })

  test('is a stream: piped, iterated, as a Web stream', async () => {
    const chunks: Buffer[] = []
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk)
        done()
      },
    })
    await pipeline(get(server.url('/pub/image.bin')), sink)
    const wanted = await fileOf('pub/image.bin')
    expect(Buffer.concat(chunks)).toEqual(wanted)
    const iterated: Buffer[] = []
    for await (const chunk of get(server.url('/pub/image.bin'))) iterated.push(chunk as Buffer)
    expect(Buffer.concat(iterated)).toEqual(wanted)
    const web = new Response(get(server.url('/pub/image.bin')))
    expect(Buffer.from(await web.arrayBuffer())).toEqual(wanted)
  })

  test('TYPE A gives local line ends, or those that are asked for', async () => {
    const url = server.url('/pub/hello.txt;type=a')
    const text = (await fileOf('pub/hello.txt')).toString()
    expect(await get(url, { lineEnd: 'lf' }).text()).toBe(text)
    for (const lineEnd of ['crlf', 'keep'] as const)
      expect(await get(server.url('/pub/hello-crlf.txt;type=a'), { lineEnd }).text()).toContain('\r\n')
    const download = get(url)
    await download.bytes()
    expect(await download.result).toMatchObject({ verified: false })
    expect(download.size).toBeUndefined()
  })

  test('inferType sends TYPE A for a text', async () => {
    const commands: string[] = []
    const onCommand = (command: string): number => commands.push(command)
    await get(server.url('/pub/hello.txt'), { inferType: true, onCommand }).bytes()
    expect(commands).toContain('TYPE A')
  })

  test('reports progress, the end last', async () => {
    const seen: Progress[] = []
    await get(server.url('/pub/image.bin'), { onProgress: (progress) => seen.push(progress) }).bytes()
    expect(seen.at(-1)).toEqual({ bytes: 6153, size: 6153 })
  })

  test('can be taken once', async () => {
    const download = get(server.url('/pub/hello.txt'))
    await download.bytes()
    await expect(download.bytes()).rejects.toMatchObject({ code: 'FTP_BUSY' })
    await expect(download.saveTo(join(folder, 'twice'))).rejects.toMatchObject({ code: 'FTP_BUSY' })
    expect(await readdir(folder)).not.toContain('twice')
  })

  test('an encoding that nobody knows is an argument that is refused', async () => {
    const before = server.log.length
    await expect(get(server.url('/pub/hello.txt')).text('klingon')).rejects.toMatchObject({
      code: 'FTP_INVALID_ARGUMENT',
    })
    expect(server.log).toHaveLength(before)
  })

  test('a missing file', async () => {
    const failure = { code: 'FTP_NOT_FOUND', kind: 'permanent', command: 'RETR none', reply: { code: 551 } }
    await expect(get(server.url('/pub/none')).bytes()).rejects.toMatchObject(failure)
    await expect(get(server.url('/none/x')).bytes()).rejects.toMatchObject({
      code: 'FTP_NOT_FOUND',
      command: 'CWD none',
    })
  })

  test('what cannot be a URL or an option is refused at once', () => {
    for (const url of ['http://h/x', 'ftp://h/a%0d%0aDELE%20x', 'ftp://h:25/', ''])
      expect(() => get(url)).toThrow(FtpError)
    expect(() => get('ftp://h/x', { nonsense: 1 } as object)).toThrow(/"nonsense"/)
  })

  test('a callback that throws ends the download', async () => {
    const fail = (): never => {
      throw new Error('mine')
    }
    for (const options of [{ onCommand: fail }, { onReply: fail }, { onProgress: fail }])
      await expect(get(server.url('/pub/image.bin'), options).bytes()).rejects.toMatchObject({
        code: 'FTP_ABORTED',
        phase: 'local',
        cause: { message: 'mine' },
      })
  })
})

describe('saveTo', () => {
  test('writes the whole file, and replaces what stands there', async () => {
    const path = join(folder, 'image.bin')
    await writeFile(path, 'old')
    expect(await get(server.url('/pub/image.bin')).saveTo(path)).toMatchObject({
      bytes: 6153,
      verified: true,
    })
    expect(await readFile(path)).toEqual(await fileOf('pub/image.bin'))
  })

  test('leaves nothing of a download that failed, and the old file as it was (I11)', async () => {
    const path = join(folder, 'kept')
    await writeFile(path, 'old')
    const before = await readdir(folder)
    await expect(get(server.url('/pub/none')).saveTo(path)).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(before)
  })

  test('a symbolic link is replaced, not followed (I03)', async () => {
    const target = join(folder, 'target')
    await writeFile(target, 'old')
    await symlink(target, join(folder, 'link'))
    await get(server.url('/pub/hello.txt')).saveTo(join(folder, 'link'))
    expect(await readFile(target, 'utf8')).toBe('old')
    expect(await readFile(join(folder, 'link'))).toEqual(await fileOf('pub/hello.txt'))
  })

  test('a folder that is not there: nothing is sent', async () => {
    const before = server.log.length
    const download = get(server.url('/pub/hello.txt'))
    await expect(download.saveTo(join(folder, 'no', 'where'))).rejects.toMatchObject({
      code: 'FTP_LOCAL_FILE',
      phase: 'local',
    })
    expect(server.log).toHaveLength(before)
    expect(download.destroyed).toBe(true)
  })
})

describe('list', () => {
  test('names, without the path', async () => {
    expect((await list(server.url('/pub/names/'))).sort()).toEqual(
      (await readdir(join(site, 'pub/names'))).sort(),
    )
    expect((await list(server.url('/'))).sort()).toEqual(['etc', 'pub'])
    expect((await list(server.url('/pub/names;type=d'))).sort()).toHaveLength(5)
  })

  test('a directory that is not there', async () => {
    await expect(list(server.url('/none/'))).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
  })
})

describe('plan', () => {
  test('shows the commands and sends none', () => {
    const before = server.log.length
    expect(plan(server.url('/%2Fetc/motd;type=a', 'user:secret'))).toEqual([
      'USER user',
      'PASS ***',
      'CWD /etc',
      'TYPE A',
      'PASV',
      'RETR motd',
    ])
    expect(server.log).toHaveLength(before)
  })
})

describe('a client', () => {
  test('goes on where it stands, back by the login directory, and closes', async () => {
    await using client = new FtpClient()
    await using own = await startFtpSrv({ root: site })
    for (const path of ['/pub/hello.txt', '/pub/image.bin', '/etc/motd'])
      await client.get(own.url(path)).bytes()
    expect(own.log.filter((line) => /^(?:USER|CWD|RETR)/.test(line))).toEqual([
      'USER anonymous',
      'CWD pub',
      'RETR hello.txt',
      'RETR image.bin',
      'CWD /',
      'CWD etc',
      'RETR motd',
    ])
    await client.close()
    await expect(client.get(own.url('/etc/motd')).bytes()).rejects.toMatchObject({ code: 'FTP_CLOSED' })
  })
})
