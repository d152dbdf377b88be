/** Group E: TLS refused, forged and mistaken. */
import { authority } from '../support/certificates.ts'
import { fetch, login, loopback, secure, AUTH_ONLY, EXPLICIT, NO_LOGIN, VERIFIED } from './tls-scenes.ts'
import { scene, type Scene } from './scene.ts'

const DATA_COMMAND = /^(?:PASV|EPSV|RETR|LIST|STOR)/

const REFUSALS_OF_AUTH = ['500', '502', '504', '530', '534', '431', '200', '220', '331', '334 ADAT='].map(
  (reply) =>
    scene(
      /^[345]\d\d$/.test(reply) && reply !== '331' ? 'E04' : 'E05',
      `AUTH TLS gets ${reply}`,
      secure({}, { replies: { AUTH: `${reply} ok` } }),
      login,
      /^[45]/.test(reply) || reply.startsWith('2')
        ? { code: 'FTP_TLS_REQUIRED', phase: 'tls' }
        : 'FTP_UNEXPECTED_REPLY',
      AUTH_ONLY,
    ),
)

export const CERTIFICATES: readonly Scene[] = [
  scene(
    'E01',
    'self-signed',
    secure({ certificate: 'self-signed' }),
    login,
    'FTP_TLS_CERT_INVALID',
    NO_LOGIN,
  ),
  scene('E01', 'expired', secure({ certificate: 'expired' }), login, 'FTP_TLS_CERT_INVALID', NO_LOGIN),
  scene('E01', 'an unknown authority', secure(), login, 'FTP_TLS_CERT_INVALID', {
    ...NO_LOGIN,
    options: { tls: 'explicit' },
  }),
  scene(
    'E01',
    'accepted with its authority given',
    secure(),
    login,
    { gives: VERIFIED },
    { options: EXPLICIT },
  ),
  scene(
    'E02',
    'another host',
    secure({ certificate: 'wrong-host' }),
    login,
    'FTP_TLS_CERT_ALTNAME_INVALID',
    NO_LOGIN,
  ),
  scene('E02', 'another name for the right address', secure(), login, 'FTP_TLS_CERT_ALTNAME_INVALID', {
    ...NO_LOGIN,
    host: 'evil.test',
    options: { ...EXPLICIT, lookup: loopback },
  }),
  scene(
    'E11',
    'TLS 1.1 at most',
    secure({
      certificate: {
        certificate: 'server',
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL:@SECLEVEL=0',
      },
    }),
    login,
    'FTP_TLS_FAILED',
    NO_LOGIN,
  ),
  scene('E22', 'an address as host', secure(), login, { gives: VERIFIED }, { options: EXPLICIT }),
  scene(
    'E22',
    'an address that the certificate does not have',
    secure({ certificate: 'wrong-host' }),
    login,
    'FTP_TLS_CERT_ALTNAME_INVALID',
    NO_LOGIN,
  ),
  ...['LOCALHOST', 'localhost.', 'LocalHost'].map((host) =>
    scene(
      'E23',
      `${host}: the same name, told in lower case`,
      secure(),
      async (stage) => {
        await fetch(stage)
        return [...new Set(stage.server.handshakes.map(({ serverName }) => serverName))]
      },
      { gives: ['localhost'] },
      { host, options: { ...EXPLICIT, lookup: loopback } },
    ),
  ),
  scene('E23', 'an international name is its A-label', secure(), login, 'FTP_TLS_CERT_ALTNAME_INVALID', {
    ...NO_LOGIN,
    host: 'b%C3%BCcher.test',
    options: { ...EXPLICIT, lookup: loopback },
  }),
  scene(
    'E24',
    'another protocol is selected',
    secure({ certificate: { certificate: 'server', ALPNProtocols: ['h2', 'http/1.1'] } }),
    login,
    'FTP_TLS_FAILED',
    {
      ...NO_LOGIN,
      options: { tls: 'explicit', tlsOptions: { ca: authority, ALPNProtocols: ['ftp'] } },
    },
  ),
  ...[0, '', undefined, null].map((value) =>
    scene(
      'E27',
      `rejectUnauthorized: ${JSON.stringify(value) ?? 'undefined'} switches nothing off`,
      secure({ certificate: 'self-signed' }),
      login,
      'FTP_TLS_CERT_INVALID',
      { ...NO_LOGIN, options: { tls: 'explicit', tlsOptions: { rejectUnauthorized: value } as object } },
    ),
  ),
  scene(
    'E27',
    'checkServerIdentity: undefined',
    secure({ certificate: 'wrong-host' }),
    login,
    'FTP_TLS_CERT_ALTNAME_INVALID',
    {
      ...NO_LOGIN,
      options: { tls: 'explicit', tlsOptions: { ca: authority, checkServerIdentity: undefined } },
    },
  ),
  scene('E27', 'an empty list of authorities trusts nobody', secure(), login, 'FTP_TLS_CERT_INVALID', {
    ...NO_LOGIN,
    options: { tls: 'explicit', tlsOptions: { ca: [] } },
  }),
  scene(
    'E27',
    'false does, and the session says so',
    secure({ certificate: 'self-signed' }),
    async (stage) => (await login(stage))?.verified,
    { gives: false },
    { options: { tls: 'explicit', tlsOptions: { rejectUnauthorized: false } } },
  ),
]

export const DOWNGRADES: readonly Scene[] = [
  ...REFUSALS_OF_AUTH,
  scene(
    'K06',
    'a greeting of 230 skips no TLS',
    secure({}, { greeting: '230 Come in', replies: { AUTH: '502 no' } }),
    login,
    'FTP_TLS_REQUIRED',
    AUTH_ONLY,
  ),
  ...[false, true].map((partly) =>
    scene(
      partly ? 'E09' : 'E07',
      partly ? 'part of a reply behind the 234' : 'a reply behind the 234',
      {
        script: [
          { send: '220 hi\r\n' },
          { expect: 'AUTH TLS' },
          { send: `234 go\r\n2${partly ? '' : '30 injected\r\n'}` },
          { startTls: 'server' },
        ],
      },
      login,
      'FTP_TLS_INJECTION',
      { ...NO_LOGIN, segments: ['whole'] },
    ),
  ),
  ...['2', '230 injected\r\n'].map((text) =>
    scene(
      'E07',
      `${JSON.stringify(text)} later`,
      {
        script: [
          { send: '220 hi\r\n' },
          { expect: 'AUTH TLS' },
          { sendSplit: `234 go\r\n${text}`, at: [8] },
          { startTls: 'server' },
        ],
      },
      login,
      // On a busy machine the two writes arrive as one, and then it is plain whose bytes they are.
      { code: 'FTP_TLS_FAILED', or: 'FTP_TLS_INJECTION' },
      { ...NO_LOGIN, segments: ['whole'], options: { ...EXPLICIT, timeouts: { tls: 300 } } },
    ),
  ),
  ...['500', '533', '534', '536'].flatMap((code) =>
    ['PBSZ', 'PROT'].map((verb) =>
      scene(
        'E12',
        `${verb} gets ${code}`,
        secure({}, { replies: { [verb]: `${code} no` } }),
        fetch,
        'FTP_TLS_REQUIRED',
        { options: EXPLICIT, never: DATA_COMMAND },
      ),
    ),
  ),
  scene(
    'E21',
    'an implicit port speaks in the clear',
    { script: [{ send: '220 hi\r\n' }, { awaitEnd: true }] },
    ({ client, server }) => client().get(`ftps://u:p@127.0.0.1:${server.port}/f`).bytes(),
    { code: 'FTP_TLS_FAILED', phase: 'tls' },
    { unawareOfTls: true },
  ),
  scene(
    'E21',
    'an explicit client at an implicit port: silence',
    { script: [], tls: 'server' },
    login,
    { code: 'FTP_TIMEOUT', phase: 'greeting' },
    { ...NO_LOGIN, options: { ...EXPLICIT, timeouts: { reply: 100 } } },
  ),
  scene(
    'E28',
    'no attempt in the clear follows a failed one',
    secure({ certificate: 'self-signed' }),
    async ({ client, url }) => {
      const one = client()
      for (let times = 0; times < 2; times++)
        await one
          .get(url('/f'))
          .bytes()
          .catch(() => undefined)
      return one.get(url('/f')).bytes()
    },
    'FTP_TLS_CERT_INVALID',
    { ...NO_LOGIN, connections: 3 },
  ),
]
