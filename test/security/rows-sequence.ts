/** Group B: replies out of step, missing, or one too many; the login. */
import type { Script } from '../support/scripted-server.ts'
import {
  CANARY,
  delivered,
  FINE,
  GREETING,
  LOGIN,
  passive,
  retrieving,
  row,
  transferring,
  typed,
  type Row,
} from './row.ts'

const OFF = { pipelining: 'off' } as const
/** A server that chokes on a flight is asked once more, command by command. */
const TWICE = { connections: 2 }

/** Each command gets 421 in turn. */
const AT_421: ReadonlyArray<readonly [at: string, before: Script]> = [
  ['the greeting', []],
  ['USER', [...GREETING, { expect: 'USER u' }]],
  ['PASS', LOGIN.slice(0, -1)],
  ['CWD', [...LOGIN, { expect: 'CWD d' }]],
  ['TYPE', [...LOGIN, { expect: 'TYPE I' }]],
  ['SIZE', [...LOGIN, { expect: 'TYPE I' }, { send: '200 ok\r\n' }, { expect: 'SIZE f' }]],
  ['PASV', [...typed(), { expect: 'PASV' }]],
  ['EPSV', [...typed(), { expect: 'PASV' }, { send: '502 no\r\n' }, { expect: 'EPSV' }]],
  ['RETR', retrieving()],
  ['RETR, behind the 150', transferring()],
]

export const SEQUENCE_ROWS: readonly Row[] = [
  row('B01', '150 without end', [...retrieving(), { sendForever: '150 x\r\n' }], 'FTP_TOO_MANY_REPLIES'),
  row(
    'B03',
    'one reply too many',
    [...typed('213 4\r\n250 forged'), { expect: 'PASV' }],
    'FTP_UNEXPECTED_REPLY',
    TWICE,
  ),
  row(
    'B03',
    'one reply too many within a flight',
    [...LOGIN, { expect: 'TYPE I' }, { send: '200 ok\r\n250 forged\r\n' }],
    'FTP_UNEXPECTED_REPLY',
    TWICE,
  ),
  row(
    'B03',
    'CWD is answered twice: PASV does not get the 250',
    [
      ...LOGIN,
      { expect: 'CWD a' },
      { send: '200 ok\r\n' },
      { expect: 'CWD b' },
      { send: '250 ok\r\n250 ok\r\n' },
      { expect: 'TYPE I' },
      { send: '200 ok\r\n' },
    ],
    'FTP_UNEXPECTED_REPLY',
    { ...TWICE, path: '/a/b/f' },
  ),
  row(
    'B05',
    'replies before any command',
    [{ send: '220 hi\r\n331 ok\r\n230 in\r\n' }],
    'FTP_UNEXPECTED_REPLY',
    {
      segments: ['whole'],
    },
  ),
  ...['150 a\r\n150 b', '125 a\r\n150 b', '125 a'].map((replies) =>
    row(
      'B06',
      `${JSON.stringify(replies)} begins it once`,
      [
        ...retrieving(),
        { send: `${replies}\r\n` },
        { dataSend: 'data' },
        { fin: 'data' },
        { send: '226 ok\r\n' },
      ],
      FINE,
    ),
  ),
  row(
    'B08',
    '226 at once, the data later',
    [
      ...transferring(),
      { send: '226 done\r\n' },
      { dataSend: 'da' },
      { pauseMs: 30 },
      { dataSend: 'ta' },
      { fin: 'data' },
    ],
    FINE,
  ),
  row(
    'bug 06',
    'no 1yz at all',
    [...retrieving(), { dataSend: 'data' }, { fin: 'data' }, { send: '226 done\r\n' }],
    FINE,
  ),
  row(
    'B09',
    'the 226 never comes',
    [...transferring(), { dataSend: 'data' }, { fin: 'data' }, { awaitEnd: true }],
    { code: 'FTP_TIMEOUT', phase: 'final-reply', bytes: 4 },
    { options: { timeouts: { finalReply: 100 } } },
  ),
  ...['426', '451', '550', '552'].map((code) =>
    row('B10', `all the bytes, then ${code}`, delivered(`${code} no`, '213 4'), {
      code: 'FTP_REFUSED',
      phase: 'final-reply',
      bytes: 4,
    }),
  ),
  row(
    'B11',
    'all the data, and their end, before the 150',
    [
      ...retrieving(),
      { dataSend: 'data' },
      { fin: 'data' },
      { pauseMs: 50 },
      { send: '150 now\r\n' },
      { pauseMs: 20 },
      { send: '226 ok\r\n' },
    ],
    FINE,
  ),
  row(
    'B12',
    'an end without data, then 550',
    [...transferring(), { fin: 'data' }, { send: '550 no such file\r\n' }],
    {
      code: 'FTP_NOT_FOUND',
      bytes: 0,
    },
  ),
  ...AT_421.map(([at, before]) =>
    row('B13', `421 to ${at}`, [...before, { send: '421 Timeout\r\n' }], 'FTP_SERVICE_UNAVAILABLE', {
      path: at === 'CWD' ? '/d/f' : '/f',
    }),
  ),
  row(
    'B16',
    '230 to USER: the password is not sent',
    [...GREETING, { expect: 'USER u' }, { send: '230 in\r\n' }, ...delivered('226 done').slice(LOGIN.length)],
    FINE,
  ),
  row(
    'B17',
    '332 to PASS and no account',
    [
      ...LOGIN.slice(0, -1),
      { send: '332 account\r\n' },
      { expect: 'TYPE I' },
      { send: '530 no\r\n' },
      { expect: 'SIZE f' },
      { send: '530 no\r\n' },
    ],
    'FTP_ACCOUNT_REQUIRED',
  ),
  row(
    'B18',
    '350 to CWD',
    [...LOGIN, { expect: 'CWD d' }, { send: '350 what?\r\n' }],
    'FTP_UNEXPECTED_REPLY',
    {
      path: '/d/f',
      options: OFF,
    },
  ),
  ...['331 pw', '150 go', '350 go on'].map((reply) =>
    row(
      'B18',
      `${reply} to TYPE`,
      [...LOGIN, { expect: 'TYPE I' }, { send: `${reply}\r\n` }],
      'FTP_UNEXPECTED_REPLY',
      {
        options: OFF,
      },
    ),
  ),
  row('B18', '230 to SIZE', typed('230 in'), 'FTP_UNEXPECTED_REPLY', { options: OFF }),
  row('B18', '250 to PASV', [...passive().slice(0, -1), { send: '250 ok\r\n' }], 'FTP_UNEXPECTED_REPLY', {
    options: OFF,
  }),
  row(
    'B22',
    'half closed',
    [...transferring(), { fin: 'control' }, { dataSend: 'data' }],
    'FTP_CONNECTION_CLOSED',
  ),
  ...['500', '504'].map((code) =>
    row(
      'B23',
      `TYPE I gets ${code}`,
      [
        ...LOGIN,
        { expect: 'TYPE I' },
        { send: `${code} no\r\n` },
        { expect: /^SIZE/ },
        { send: '550 no\r\n' },
      ],
      {
        code: 'FTP_REFUSED',
      },
    ),
  ),
  row(
    'B24',
    'TYPE I gets 226',
    [
      ...LOGIN,
      { expect: 'TYPE I' },
      { send: '226 Kind of!\r\n' },
      ...delivered('226 done').slice(LOGIN.length + 2),
    ],
    FINE,
  ),
  row('bug 05', '250 behind the data', delivered('250 done', '213 4'), { data: 'data', verified: true }),
  row('bug 05', '200 behind the data', delivered('200 done', '213 4'), { data: 'data', verified: true }),
  row(
    'bug 05',
    '230 as a greeting: no login',
    [{ send: '230 in\r\n' }, ...delivered('226 done').slice(LOGIN.length)],
    FINE,
  ),
  row('bug 08', 'too many connections', [{ send: '421 Too many\r\n' }, { fin: 'control' }], {
    code: 'FTP_SERVICE_UNAVAILABLE',
    phase: 'reply',
  }),
  row('bug 08', '500 as a greeting', [{ send: '500 no\r\n' }], { code: 'FTP_REFUSED', phase: 'greeting' }),
  row(
    'K03',
    'a refusal that quotes the password',
    [...LOGIN.slice(0, -1), { send: `530 Bad ${CANARY}\r\n` }],
    'FTP_LOGIN_REFUSED',
  ),
  row(
    'K03',
    'a greeting of PASS that quotes it',
    [
      ...LOGIN.slice(0, -1),
      { send: `230-Hi ${CANARY}\r\n230 in\r\n` },
      ...delivered('226 done').slice(LOGIN.length),
    ],
    FINE,
  ),
  row('K03', 'a later reply that quotes it', delivered(`226 ${CANARY}`, `213 4 ${CANARY}`), {
    data: 'data',
    verified: false,
  }),
  row(
    'K03',
    'a reply out of step that quotes it',
    [...LOGIN.slice(0, -1), { send: `150 ${CANARY}\r\n` }],
    'FTP_UNEXPECTED_REPLY',
    TWICE,
  ),
  row(
    'K03',
    'what is no reply and quotes it',
    [...LOGIN.slice(0, -1), { send: `Bad PASS ${CANARY}\r\n` }],
    'FTP_BAD_REPLY',
  ),
  row(
    'K03',
    'a 227 that quotes it',
    [...typed(), { expect: 'PASV' }, { send: `227 ${CANARY}\r\n` }],
    'FTP_BAD_PASV',
  ),
  row(
    'K03',
    'a 421 that quotes it',
    [...LOGIN.slice(0, -1), { send: `421 ${CANARY}\r\n` }],
    'FTP_SERVICE_UNAVAILABLE',
  ),
]
