/** What a session can do that few servers are asked for: one test a capability of docs/compare.md. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connect, type FtpOptions, type FtpSession } from '../../src/index.ts'
import { authority } from '../support/certificates.ts'
import {
  startTableServer,
  type AnswerFunction,
  type TableOptions,
  type TableServer,
} from '../support/table-server.ts'

const FILES = { '/pub/a.txt': 'one\n', '/pub/b b.txt': 'two\n', '/big': Buffer.alloc(300_000, 'x') }

/** The reply to FEAT with these features. */
function offers(...features: string[]): string {
  return ['211-Extensions', ...features].join('\r\n ').concat('\r\n211 End')
}

async function withSession<T>(
  table: TableOptions,
  options: FtpOptions,
  work: (session: FtpSession, server: TableServer) => Promise<T>,
): Promise<T> {
  await using server = await startTableServer({ files: FILES, ...table })
  const session = await connect(server.url('/'), { onPassword: () => 'x', ...options })
  try {
    return await work(session, server)
  } finally {
    await session.close()
  }
}

describe('beside the login', () => {
  test('HOST comes before it, CLNT behind it', async () => {
    await withSession({}, { sendHost: true, clientName: 'tests' }, async (_, { received }) => {
      expect(received[0]).toBe('HOST 127.0.0.1')
      expect(received).toContain('CLNT tests')
      expect(received.indexOf('CLNT tests')).toBeGreaterThan(received.indexOf('USER anonymous'))
    })
  })

  test('neither comes unasked', async () => {
    await withSession({}, {}, async (_, { received }) => {
      expect(received.filter((line) => /^(?:HOST|CLNT)/.test(line))).toEqual([])
    })
  })

  test('UTF-8 is asked for where it is offered', async () => {
    await withSession({}, {}, async (_, { received }) => expect(received).toContain('OPTS UTF8 ON'))
    await withSession({ replies: { FEAT: offers('SIZE') } }, {}, async (_, { received }) =>
      expect(received).not.toContain('OPTS UTF8 ON'),
    )
  })

  test('data in the clear by PROT C, for those who say so', async () => {
    const options = { tls: 'explicit', tlsOptions: { ca: authority }, dataProtection: 'clear' } as const
    await withSession({ tls: { mode: 'explicit' } }, options, async (session, { received }) => {
      expect(await session.download('pub/a.txt').text()).toBe('one\n')
      expect(received).toContain('PROT C')
      expect(session.security).toMatchObject({ dataProtected: false, verified: true })
    })
  })
})

describe('data connections', () => {
  test.each([
    ['127.0.0.1', 'PORT'],
    ['::1', 'EPRT'],
  ] as const)('the server dials %s (%s)', async (host, verb) => {
    await withSession({ host }, { dataMode: 'active' }, async (session, { received }) => {
      expect(await session.download('pub/a.txt').text()).toBe('one\n')
      await session.upload({ text: 'new' }, 'new.txt')
      expect(received.filter((line) => line.startsWith(verb))).toHaveLength(2)
      expect(received.filter((line) => /^(?:PASV|EPSV)/.test(line))).toEqual([])
    })
  })

  test('NOOP keeps the control connection alive during a transfer', async () => {
    const transfer = { delayDataMs: 250 }
    await withSession({ transfer }, { noopMs: 50 }, async (session, { received }) => {
      expect((await session.download('big').bytes()).length).toBe(300_000)
      expect(await session.size('pub/a.txt')).toBe(4)
      expect(received.filter((line) => line === 'NOOP').length).toBeGreaterThan(0)
    })
  })

  test('no more than so many bytes a second', async () => {
    await withSession({}, { maxBytesPerSecond: 1_000_000 }, async (session) => {
      const begun = performance.now()
      await session.download('big').bytes()
      expect(performance.now() - begun).toBeGreaterThan(150)
    })
  })

  test('PRET goes before PASV where the server names it', async () => {
    const replies = { FEAT: offers('PRET'), PRET: '200 Ready' }
    await withSession({ replies }, {}, async (session, { received }) => {
      expect(await session.download('pub/a.txt').text()).toBe('one\n')
      const at = received.indexOf('PRET RETR pub/a.txt')
      expect(at).toBeGreaterThan(0)
      expect(received.slice(at).findIndex((line) => line === 'PASV')).toBeGreaterThan(0)
    })
  })
})

describe('listings', () => {
  test('over the control connection, by STAT', async () => {
    const lines = ['213-Status', '-rw-r--r--   1 me me  4 Jan 02  2024 a.txt', '213 End'].join('\r\n')
    await withSession({ replies: { STAT: lines } }, {}, async (session, server) => {
      const entries = await session.list('pub', { command: 'stat' }).toArray()
      expect(entries.map(({ name, size }) => [name, size])).toEqual([['a.txt', 4]])
      expect(server.dataConnections).toBe(0)
    })
  })

  test('MLSD, LIST and names alone', async () => {
    await withSession({}, {}, async (session) => {
      for (const command of ['mlsd', 'list', 'nlst'] as const) {
        const names = (await session.list('pub', { command }).toArray()).map(({ name }) => name)
        expect(names.toSorted(), command).toEqual(['a.txt', 'b b.txt'])
      }
    })
  })

  test('LIST where MLSD is offered and not known, remembered', async () => {
    await withSession({ replies: { MLSD: '502 No' } }, {}, async (session, { received }) => {
      expect(await session.list('pub').toArray()).toHaveLength(2)
      expect(await session.list('pub').toArray()).toHaveLength(2)
      expect(received.filter((line) => line.startsWith('MLSD'))).toHaveLength(1)
    })
  })

  test('facts that are offered and asleep are asked for', async () => {
    const replies = { FEAT: offers('MLST type*;size;modify;'), OPTS: '200 MLST OPTS type;size;modify;' }
    await withSession({ replies }, {}, async (session, { received }) => {
      await session.list('pub').toArray()
      expect(received).toContain('OPTS MLST type;size;modify;')
    })
  })

  test('one path, by MLST and without it', async () => {
    for (const replies of [{}, { MLST: '502 No' }]) {
      await withSession({ replies }, {}, async (session) => {
        expect(await session.stat('pub/a.txt')).toMatchObject({ type: 'file', size: 4, name: 'a.txt' })
        expect(await session.stat('pub')).toMatchObject({ type: 'dir' })
        await expect(session.stat('nope')).rejects.toMatchObject({ code: 'FTP_NOT_FOUND' })
      })
    }
  })

  test('the zone of the clock is found out by one MDTM', async () => {
    const LIST: AnswerFunction = async (_, context) => {
      await context.send('150 Here')
      const wire = await context.data()
      await wire.write('-rw-r--r--   1 me me  4 Jan 02 05:04 a.txt\r\n')
      await wire.fin()
      return '226 Done'
    }
    const replies = { FEAT: offers('MDTM'), MDTM: '213 20240102030400', LIST }
    await withSession({ replies }, {}, async (session) => {
      const now = new Date(Date.UTC(2024, 0, 3))
      const [entry] = await session.list('pub', { serverTimeZone: 'detect', now }).toArray()
      expect(entry?.modifiedZoneKnown).toBe(true)
      expect(entry?.modified?.toISOString()).toBe('2024-01-02T03:04:00.000Z')
    })
  })

  test('everything below a folder, and what matches', async () => {
    await withSession({}, {}, async (session) => {
      const paths = async (include?: string): Promise<string[]> => {
        const found: string[] = []
        for await (const { path } of session.walk('', include === undefined ? {} : { include }))
          found.push(path)
        return found
      }
      expect(await paths()).toEqual(['big', 'pub', 'pub/a.txt', 'pub/b b.txt'])
      expect(await paths('a.*')).toEqual(['pub/a.txt'])
    })
  })
})

describe('files', () => {
  test('a name that the server chooses (STOU), announced in size (ALLO)', async () => {
    const transfer = (verb: string): object => (verb === 'STOU' ? { opening: '150 FILE: unique-4' } : {})
    await withSession({ transfer }, {}, async (session, { received }) => {
      const { path } = await session.upload({ text: 'x' }, undefined, { mode: 'unique', allocate: true })
      expect(path).toBe('unique-4')
      expect(received).toContain('ALLO 1')
      expect(received).toContain('STOU')
    })
  })

  test('overwriting, or not', async () => {
    await withSession({}, {}, async (session, server) => {
      const kept = await session.upload({ text: 'other' }, 'pub/a.txt', { overwrite: 'never' })
      expect(kept.kept).toBe(true)
      expect(server.files.get('/pub/a.txt')?.toString()).toBe('one\n')
      await expect(session.upload({ text: 'x' }, 'pub/a.txt', { mode: 'create' })).rejects.toMatchObject({
        code: 'FTP_REFUSED',
      })
      await session.upload({ text: 'other' }, 'pub/a.txt')
      expect(server.files.get('/pub/a.txt')?.toString()).toBe('other')
    })
  })

  test('free space (AVBL), permissions (SITE CHMOD), commands by hand', async () => {
    const replies = { AVBL: '213 12345', SITE: '200 Done' }
    await withSession({ replies }, {}, async (session, { received }) => {
      expect(await session.available('pub')).toBe(12_345)
      await session.chmod('pub/a.txt', 0o644)
      expect(received).toContain('SITE CHMOD 644 pub/a.txt')
      expect((await session.quote('NOOP')).code).toBe(200)
      expect((await session.quote('XYZZY')).kind).toBe('refusal')
      expect(() => session.quote('PASV')).toThrow(expect.objectContaining({ code: 'FTP_INVALID_ARGUMENT' }))
    })
  })

  test.each([
    ['MFMT', offers('MFMT'), {}, 'MFMT 20200102030405 pub/a.txt'],
    ['MDTM', offers('MDTM'), { MDTM: '253 Done' }, 'MDTM 20200102030405 pub/a.txt'],
    ['SITE UTIME', offers('SIZE'), { SITE: '200 Done' }, 'SITE UTIME 20200102030405 pub/a.txt'],
  ])('times are set by %s', async (_, FEAT, replies, command) => {
    await withSession({ replies: { FEAT, ...replies } }, {}, async (session, { received }) => {
      await session.setModified('pub/a.txt', new Date(Date.UTC(2020, 0, 2, 3, 4, 5)))
      expect(received).toContain(command)
    })
  })

  test.each(['XSHA256', 'XSHA1', 'XMD5'] as const)('hashes by %s', async (verb) => {
    const digest = createHash(verb.slice(1).toLowerCase()).update('one\n').digest('hex')
    const replies = { FEAT: offers(verb), [verb]: [`250 ${digest}`, `250 ${digest.replaceAll(/./g, '0')}`] }
    const folder = await mkdtemp(join(tmpdir(), 'ftpwire-hash-'))
    try {
      await withSession({ replies }, {}, async (session) => {
        const fetch = (): Promise<{ hashed: boolean }> =>
          session.downloadTo('pub/a.txt', join(folder, 'a.txt'), { verify: 'hash' })
        expect((await fetch()).hashed).toBe(true)
        await expect(fetch()).rejects.toMatchObject({ code: 'FTP_HASH_MISMATCH' })
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('from server to server', async () => {
    await using target = await startTableServer()
    await withSession({}, {}, async (session) => {
      const other = await connect(target.url('/'), { onPassword: () => 'x' })
      await session.copyTo('pub/a.txt', other, 'copy.txt')
      await other.close()
    })
    expect(target.files.get('/copy.txt')?.toString()).toBe('one\n')
  })
})
