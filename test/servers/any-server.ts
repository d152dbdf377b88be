/** The real servers and ftp-srv in this process, all started, reached and entered in the same way. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, FtpClient, type FtpOptions, type FtpSession } from '../../src/index.ts'
import { authority } from '../support/certificates.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import {
  isInstalled,
  SERVER_KINDS,
  startRealServer,
  type RealServer,
  type ServerKind,
} from './real-server.ts'
import { PASSWORD, USER } from './server-home.ts'

export type AnyKind = ServerKind | 'ftp-srv'

export const ANY_KINDS: readonly AnyKind[] = [...SERVER_KINDS, 'ftp-srv']

export type AnyServer = Omit<RealServer, 'kind'> & { readonly kind: AnyKind }

/** A server that cannot be started fails the test that needs it: none may go untested. */
export async function startServer(
  kind: AnyKind,
  options: Parameters<typeof startRealServer>[1] = {},
): Promise<AnyServer> {
  if (kind === 'ftp-srv') return startInProcess()
  if (!isInstalled(kind)) throw new Error(`${kind} is not installed: test/servers/install.sh does it`)
  return startRealServer(kind, options)
}

async function startInProcess(): Promise<AnyServer> {
  const state = mkdtempSync(join(tmpdir(), 'ftpwire-server-'))
  const root = join(state, 'root')
  cpSync(fileURLToPath(new URL('../../fixtures/site', import.meta.url)), root, { recursive: true })
  mkdirSync(join(root, 'upload'))
  const server = await startFtpSrv({ root, user: USER, password: PASSWORD, anonymous: true })
  const close = async (): Promise<void> => {
    await server.close()
    rmSync(state, { recursive: true, force: true })
  }
  return {
    kind: 'ftp-srv',
    mode: 'plain',
    host: '127.0.0.1',
    port: server.port,
    user: USER,
    password: PASSWORD,
    root,
    url: (path, userInfo) => server.url(path, userInfo),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What reaching the server takes, with other options over it. */
export function optionsFor({ mode }: Pick<AnyServer, 'mode'>, more: FtpOptions = {}): FtpOptions {
  const tls = mode === 'plain' ? 'off' : mode === 'implicit' ? 'implicit' : 'explicit'
  return { tls, ...more, tlsOptions: { ca: authority, ...more.tlsOptions } }
}

/** A session that stands in the folder where it may write. */
export async function logIn(server: AnyServer, options: FtpOptions = {}): Promise<FtpSession> {
  const { host, port, user, password } = server
  const session = await connect({ host, port, user, password }, optionsFor(server, options))
  await session.cwd('upload')
  return session
}

export function clientFor(server: AnyServer, options: FtpOptions = {}): FtpClient {
  return new FtpClient(optionsFor(server, options))
}

/** The URL of something that the user may write. */
export function uploadUrl(server: AnyServer, path = ''): string {
  return server.url(`/upload/${path}`, `${server.user}:${server.password}`)
}
