// TLS on every server that speaks it, in every mode, with both versions; and certificates that must not pass.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { connect, type FtpOptions } from '../../src/index.ts'
import { certificate } from '../support/certificates.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import { clientFor, logIn, optionsFor, startServer, uploadUrl, type AnyServer } from './any-server.ts'
import { modesOf, SERVER_KINDS } from './real-server.ts'

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const
const TRANSFERS = 20
const root = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

const data = randomBytes(300_000)

const servers = SERVER_KINDS.flatMap((kind) =>
  modesOf(kind)
    .filter((mode) => mode !== 'plain')
    .flatMap((mode) => VERSIONS.map((version) => ({ kind, mode, version }))),
)

function justTls(version: (typeof VERSIONS)[number]): FtpOptions {
  return { tlsOptions: { minVersion: version, maxVersion: version } }
}

/** Another length each time: a transfer must not pass for the one before it. */
function part(at: number): Buffer {
  return data.subarray(at, data.length - at * 1000)
}

describe.each(servers)('$kind $mode, $version', ({ kind, mode, version }) => {
  it('twenty transfers in a row each way, and listings between them', async () => {
    await using server = await startServer(kind, { mode })
    await using session = await logIn(server, justTls(version))
    expect(session.security).toMatchObject({ protocol: version, verified: true, dataProtected: true })
    for (let at = 0; at < TRANSFERS; at++) {
      const { verified } = await session.upload(part(at), `file ${at}`)
      expect(verified).toBe(true)
    }
    for (let at = 0; at < TRANSFERS; at++) {
      const download = session.download(`file ${at}`)
      expect((await download.bytes()).equals(part(at))).toBe(true)
      expect(await download.result).toMatchObject({ verified: true })
      if (at % 5 === 0) expect(await session.list().toArray()).toHaveLength(TRANSFERS)
    }
    expect(session.alive).toBe(true)
  })

  it('eight in parallel', async () => {
    await using server = await startServer(kind, { mode })
    let logins = 0
    const onCommand = (command: string): void => void (command.startsWith('USER') && logins++)
    await using client = clientFor(server, { ...justTls(version), maxSessions: 8, onCommand })
    const names = Array.from({ length: 24 }, (_, at) => `file${at}`)
    await Promise.all(names.map((name, at) => client.put(part(at), uploadUrl(server, name))))
    const files = await Promise.all(names.map((name) => client.get(uploadUrl(server, name)).bytes()))
    expect(files.map((file, at) => file.equals(part(at)))).toEqual(names.map(() => true))
    expect(logins).toBe(8)
  })
})

describe.each(['vsftpd', 'proftpd', 'pure-ftpd', 'pyftpdlib'] as const)('%s: certificates', (kind) => {
  const reach = (server: AnyServer, options: FtpOptions): Promise<string> => {
    const { host, port, user, password } = server
    return connect({ host, port, user, password }, optionsFor(server, options)).then(
      (session) => session.close().then(() => 'let in'),
      (error: { code: string }) => error.code,
    )
  }

  it('one for another host is refused, and taken where that host is meant', async () => {
    await using server = await startServer(kind, { mode: 'tls', certificate: 'wrong-host' })
    expect(await reach(server, {})).toBe('FTP_TLS_CERT_ALTNAME_INVALID')
    expect(await reach(server, { tlsOptions: { servername: 'elsewhere.test' } })).toBe('let in')
  })

  it('a self-signed one is refused, and taken where it is its own authority', async () => {
    await using server = await startServer(kind, { mode: 'tls', certificate: 'self-signed' })
    expect(await reach(server, {})).toBe('FTP_TLS_CERT_INVALID')
    expect(await reach(server, { tlsOptions: { ca: certificate('self-signed').cert } })).toBe('let in')
  })

  it('an expired one is refused, and taken only where nothing is checked', async () => {
    await using server = await startServer(kind, { mode: 'tls', certificate: 'expired' })
    expect(await reach(server, {})).toBe('FTP_TLS_CERT_INVALID')
    expect(await reach(server, { tlsOptions: { rejectUnauthorized: false } })).toBe('let in')
  })

  it('an unknown authority is refused before any name is told', async () => {
    await using server = await startServer(kind, { mode: 'tls' })
    const sent: string[] = []
    const { host, port, user, password } = server
    const tried = connect(
      { host, port, user, password },
      { tls: 'explicit', onCommand: (line) => sent.push(line) },
    )
    await expect(tried).rejects.toMatchObject({ code: 'FTP_TLS_CERT_INVALID', phase: 'tls' })
    expect(sent).toEqual(['AUTH TLS'])
  })
})

describe.each(VERSIONS)('ftp-srv, which tells what was resumed, %s', (version) => {
  it('resumes the session on every data connection', async () => {
    await using server = await startFtpSrv({
      root,
      tls: { mode: 'explicit', ...certificate('server'), minVersion: version, maxVersion: version },
    })
    await using session = await connect(
      { host: server.host, port: server.port },
      optionsFor({ mode: 'tls' }, justTls(version)),
    )
    for (let at = 0; at < TRANSFERS; at++) await session.download('pub/image.bin').bytes()
    await session.list('pub').toArray()
    expect(server.dataResumed).toEqual(Array.from({ length: TRANSFERS + 1 }, () => true))
  })
})
