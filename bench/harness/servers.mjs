/** The server that everyone is measured against: vsftpd on loopback, or ftp-srv where vsftpd cannot run. */
import { fileURLToPath } from 'node:url'
import { enableTypeScript } from './typescript.mjs'

enableTypeScript()
const { isInstalled, startRealServer } = await import('../../test/servers/real-server.ts')
const { certificate } = await import('../../test/support/certificates.ts')

/** The authority that signed the servers' certificates. */
export const AUTHORITY = fileURLToPath(new URL('../../fixtures/tls/ca.crt', import.meta.url))

/**
 * Serves `root` to `anonymous` and to a user who may write in `upload`.
 *
 * @param {{ root: string, mode?: 'plain' | 'tls', kind?: 'vsftpd' | 'ftp-srv' }} options
 */
export async function startServer({ root, mode = 'plain', kind }) {
  const chosen = kind ?? (isInstalled('vsftpd') ? 'vsftpd' : 'ftp-srv')
  if (chosen === 'vsftpd') return startRealServer('vsftpd', { root, mode })
  const { startFtpSrv } = await import('../../test/support/ftp-srv-server.mjs')
  const user = { user: 'tester', password: 'secret' }
  const tls = mode === 'plain' ? {} : { tls: { mode: 'explicit', ...certificate('server') } }
  const server = await startFtpSrv({ root, anonymous: true, ...user, ...tls })
  return Object.assign(server, user, { kind: 'ftp-srv' })
}
