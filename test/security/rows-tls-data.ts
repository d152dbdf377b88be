/** Group E: TLS on data connections, and sessions of TLS. */
import { FtpError } from '../../src/errors.ts'
import { authority, certificate, type TlsChoice } from '../support/certificates.ts'
import type { TableOptions, TransferTwist } from '../support/table-server.ts'
import { CANARY } from './row.ts'
import { scene, type Scene, type Stage } from './scene.ts'
import { fetch, list, loopback, secure, EXPLICIT, FILE, NO_LOGIN } from './tls-scenes.ts'

/** The data connection has another certificate. */
function dataCertificate(data: TlsChoice): TableOptions {
  return secure({ data })
}

export const DATA: readonly Scene[] = [
  scene(
    'E13',
    'data in the clear after PROT P',
    {
      script: [
        { send: '220 hi\r\n' },
        { expect: 'AUTH TLS' },
        { send: '234 go\r\n' },
        { startTls: 'server' },
        { expect: 'USER u' },
        { send: '331 password\r\n' },
        { expect: `PASS ${CANARY}` },
        { send: '230 in\r\n' },
        { expect: 'PBSZ 0' },
        { send: '200 ok\r\n' },
        { expect: 'PROT P' },
        { send: '200 ok\r\n' },
        { expect: 'TYPE I' },
        { send: '200 ok\r\n' },
        { expect: 'SIZE f' },
        { send: '213 5\r\n' },
        { openData: true },
        { expect: 'PASV' },
        { send: '227 ({{pasv}})\r\n' },
        { acceptData: true },
        { expect: 'RETR f' },
        { send: '150 ok\r\n' },
        { dataSend: 'plain' },
        { fin: 'data' },
        { send: '226 ok\r\n' },
      ],
    },
    async ({ client, url }) => {
      const got: Buffer[] = []
      const download = client({ idleMs: 0 }).get(url('/f'))
      download.on('data', (chunk: Buffer) => got.push(chunk))
      const error = await download.result.catch((reason: unknown) => reason)
      if (got.length > 0) return Buffer.concat(got).toString()
      throw error
    },
    'FTP_TLS_FAILED',
    { options: EXPLICIT },
  ),
  ...(['wrong-host', 'self-signed', 'expired'] as const).map((data) =>
    scene(
      'E14',
      `the data connection is ${data}`,
      dataCertificate(data),
      fetch,
      data === 'wrong-host' ? 'FTP_TLS_CERT_ALTNAME_INVALID' : 'FTP_TLS_CERT_INVALID',
      { options: EXPLICIT },
    ),
  ),
  ...(['TLSv1.2', 'TLSv1.3'] as const).flatMap((version) =>
    (['explicit', 'implicit'] as const).map((mode) =>
      scene(
        'E15',
        `resumed ten times (${version}, ${mode})`,
        secure({
          mode,
          requireResumption: true,
          certificate: { certificate: 'server', minVersion: version, maxVersion: version },
        }),
        async ({ session, server }) => {
          const one = await session({ tls: mode })
          for (let times = 0; times < 5; times++) {
            await one.download('f').bytes()
            await one.list('d').toArray()
          }
          const data = server.handshakes.filter(({ channel }) => channel === 'data')
          return data.map(({ resumed }) => resumed)
        },
        { gives: Array.from({ length: 10 }, () => true) },
        { options: EXPLICIT },
      ),
    ),
  ),
  scene(
    'E16',
    'a session from an unverified connection vouches for nothing',
    secure({ certificate: 'wrong-host' }),
    async ({ session }) => {
      const careless = await session({ tlsOptions: { rejectUnauthorized: false } })
      await careless.download('f').bytes()
      await session()
    },
    'FTP_TLS_CERT_ALTNAME_INVALID',
    { options: EXPLICIT, connections: 2 },
  ),
  scene(
    'E17',
    'two sessions, even of one client, share no TLS session',
    secure(),
    async ({ session, server }) => {
      const first = await session()
      await first.download('f').bytes()
      await session()
      return server.handshakes.filter(({ channel }) => channel === 'control').map(({ resumed }) => resumed)
    },
    { gives: [false, false] },
    { options: EXPLICIT, connections: 2 },
  ),
  scene(
    'E18',
    'the name is checked again where the session is resumed',
    secure(),
    async (stage) => {
      const checked: string[] = []
      const session = await stage.session({
        tlsOptions: {
          ca: authority,
          checkServerIdentity: (host) => {
            checked.push(host)
            return checked.length > 1 ? new Error('not any more') : undefined
          },
        },
      })
      await session.download('f').bytes()
      return checked
    },
    'FTP_TLS_FAILED',
    { options: EXPLICIT },
  ),
  scene(
    'E20',
    'options are not changed, and may be frozen',
    secure(),
    async (stage) => {
      const tlsOptions = Object.freeze({ ca: authority })
      const one = await stage.session({ tlsOptions })
      await one.download('f').bytes()
      const other = await stage
        .client({ tlsOptions, lookup: loopback })
        .get(`ftp://u:p@evil.test:${stage.server.port}/f`)
        .bytes()
        .catch((error: unknown) => (error instanceof FtpError ? error.code : error))
      return [other, Object.keys(tlsOptions)]
    },
    { gives: ['FTP_TLS_CERT_ALTNAME_INVALID', ['ca']] },
    { options: EXPLICIT, connections: 2 },
  ),
  scene(
    'E16',
    'a session that the caller brings along is not offered',
    secure({ certificate: 'wrong-host' }),
    async ({ session }) => {
      const careless = await session({ tlsOptions: { rejectUnauthorized: false } })
      const kept = careless.link.current.pi.tlsSocket?.getSession()
      await session({ tlsOptions: { ca: authority, session: kept } })
    },
    'FTP_TLS_CERT_ALTNAME_INVALID',
    { options: EXPLICIT, connections: 2 },
  ),
  scene(
    'L06',
    'checkServerIdentity throws',
    secure(),
    (stage) =>
      stage.session({
        tlsOptions: {
          ca: authority,
          checkServerIdentity: () => {
            throw new Error('no')
          },
        },
      }),
    'FTP_TLS_FAILED',
    NO_LOGIN,
  ),
  scene(
    'L06',
    'checkServerIdentity gives a promise',
    secure(),
    (stage) =>
      stage.session({
        tlsOptions: { ca: authority, checkServerIdentity: () => Promise.reject(new Error('no')) } as object,
      }),
    'FTP_TLS_FAILED',
    NO_LOGIN,
  ),
  scene(
    'E29',
    'a client certificate for one client is not another’s',
    secure({ certificate: { certificate: 'server', requestCert: true } }),
    async ({ client, url, server }) => {
      const { cert, key } = certificate('client')
      await client({ tlsOptions: { ca: authority, cert, key } })
        .get(url('/f'))
        .bytes()
      await client().get(url('/f')).bytes()
      return server.handshakes
        .filter(({ channel }) => channel === 'control')
        .map(({ clientName }) => clientName)
    },
    { gives: ['tester', undefined] },
    { options: EXPLICIT, connections: 2 },
  ),
]

/** How the data connection is cut, whether the size is known, and what comes of it. */
function cut(
  what: string,
  twist: TransferTwist,
  size: boolean,
  work: Scene['work'],
  want: Scene['want'],
): Scene {
  const replies = size ? {} : { SIZE: '550 nobody knows' }
  return scene('E19', what, secure({}, { transfer: twist, replies }), work, want, { options: EXPLICIT })
}

const result = async ({ session }: Stage): Promise<unknown> => {
  const download = (await session()).download('f')
  const { length } = await download.bytes()
  const { verified, cleanClose } = await download.result
  return { length, verified, cleanClose }
}

export const TRUNCATIONS: readonly Scene[] = [
  cut('behind the last record, size known: the size vouches', { end: 'cut' }, true, result, {
    gives: { length: FILE.length, verified: true, cleanClose: undefined },
  }),
  cut('behind the last record, size unknown', { end: 'cut' }, false, result, 'FTP_TLS_TRUNCATED'),
  cut('behind some records, size unknown', { end: 'cut', bytes: 32_768 }, false, result, 'FTP_TLS_TRUNCATED'),
  cut('behind some records, size known', { end: 'cut', bytes: 32_768 }, true, result, 'FTP_SHORT_TRANSFER'),
  cut('a listing', { end: 'cut' }, true, list, 'FTP_TLS_TRUNCATED'),
  cut('an empty listing', { end: 'cut', bytes: 0 }, true, list, 'FTP_TLS_TRUNCATED'),
  cut('nothing is cut, size unknown', {}, false, result, {
    gives: { length: FILE.length, verified: false, cleanClose: true },
  }),
  cut('a reset, size unknown', { end: 'rst' }, false, result, 'FTP_DATA_CONNECTION_FAILED'),
]
