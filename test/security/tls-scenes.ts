/** What the scenes of TLS have in common. */
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpSession } from '../../src/client/session.ts'
import { authority } from '../support/certificates.ts'
import type { TableOptions, TableTls } from '../support/table-server.ts'
import type { Stage } from './scene.ts'

export const EXPLICIT: FtpOptions = { tls: 'explicit', tlsOptions: { ca: authority } }
const BEYOND_AUTH = /^(?!AUTH)/
export const CREDENTIALS = /^(?:USER|PASS|ACCT)/

/** Any name is this machine. */
export const loopback: NonNullable<FtpOptions['lookup']> = (_host, options, done) => {
  if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }])
  else done(null, '127.0.0.1', 4)
}

export const FILE = Buffer.alloc(200_000, 'secret ')

export function secure(tls: Partial<TableTls> = {}, rest: TableOptions = {}): TableOptions {
  return { tls: { mode: 'explicit', ...tls }, files: { '/f': FILE, '/d/x': 'x' }, ...rest }
}

export const login = async ({ session }: Stage): Promise<FtpSession['security']> => (await session()).security
export const fetch = async ({ session }: Stage): Promise<number> =>
  (await (await session()).download('f').bytes()).length
export const list = async ({ session }: Stage): Promise<string[]> =>
  (await (await session()).list('d').toArray()).map(({ name }) => name)

export const VERIFIED = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  verified: true,
  dataProtected: true,
}

export const AUTH_ONLY = { options: EXPLICIT, never: BEYOND_AUTH, connections: 1 }
export const NO_LOGIN = { options: EXPLICIT, never: CREDENTIALS, connections: 1 }
