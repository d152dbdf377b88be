/** Group A: replies that are no replies, or too long, or that mean to be two. */
import { delivered, FINE, greeted, LOGIN, octets, retrieving, row, welcomed, type Row } from './row.ts'

const SHORT = { timeouts: { reply: 150 }, pipelining: 'off' } as const
const LINE = { limits: { replyLineBytes: 1024 } }

export const REPLY_ROWS: readonly Row[] = [
  row('A01', 'a line without end', [{ send: '220 ' }, { sendForever: 'A' }], 'FTP_REPLY_TOO_LARGE'),
  row('A03', 'a line of 17,004 bytes is accepted', welcomed(`230 C${'A'.repeat(16_998)}B\r\n`), FINE),
  row('A04', 'a line of the limit', greeted(`220 ${'x'.repeat(1020)}\r\n`), FINE, { options: LINE }),
  row('A04', 'one byte more', greeted(`220 ${'x'.repeat(1021)}\r\n`), 'FTP_REPLY_TOO_LARGE', {
    options: LINE,
  }),
  row('A05', 'lines without end', [{ send: '220-hi\r\n' }, { sendForever: 'x\r\n' }], 'FTP_REPLY_TOO_LARGE'),
  row(
    'A06',
    'a greeting that drips for ever: the deadline is absolute',
    [{ send: '220-hi\r\n' }, { sendForever: 'x\r\n', everyMs: 10 }],
    { code: 'FTP_TIMEOUT', phase: 'greeting' },
    { options: SHORT },
  ),
  row(
    'A06',
    'a reply that drips for ever',
    [...LOGIN, { expect: 'TYPE I' }, { send: '200-hi\r\n' }, { sendForever: 'x\r\n', everyMs: 10 }],
    { code: 'FTP_TIMEOUT', phase: 'reply' },
    { options: SHORT },
  ),
  row('A08', 'another code within', greeted('220-hello\r\n221 bye\r\n220 ok\r\n'), FINE),
  row('A10', 'an indented end', greeted('220-a\r\n 220 b\r\n220 c\r\n'), FINE),
  row('A11', 'four digits', greeted('220-a\r\n2200 b\r\n220 c\r\n'), FINE),
  row('A12', 'a bare code at the end', greeted('220-a\r\n220\r\n'), FINE),
  ...['000', '099', '600', '633', '999'].map((code) =>
    row('A14', `the code ${code}`, [{ send: `${code} text\r\n` }], {
      code: 'FTP_BAD_REPLY',
      phase: 'greeting',
    }),
  ),
  ...['\xef\xbc\x92\xef\xbc\x92\xef\xbc\x90 hi', '\xd9\xa2\xd9\xa2\xd9\xa0 hi', '220\xa0hi'].map((line, at) =>
    row(
      'A15',
      `digits or a space of another kind (${at})`,
      [{ send: octets(`${line}\r\n`) }],
      'FTP_BAD_REPLY',
    ),
  ),
  row('A16', 'LF alone', greeted('220 hi\n'), FINE),
  row('A17', 'a CR within a line ends nothing', greeted('220 a\r230 b\r\n'), FINE),
  row('A17', 'two CRs', greeted('220 a\r\r\n'), FINE),
  row('A18', 'NUL', welcomed('230 logged\x00 in\r\n'), 'FTP_BAD_REPLY'),
  row(
    'A19',
    'terminal controls in a refusal',
    [...LOGIN.slice(0, -1), { send: octets('530 \x1b]0;pwned\x07\x1b[2J\x9b31m \xe2\x80\xaexe\r\n') }],
    'FTP_LOGIN_REFUSED',
  ),
  row('A19', 'terminal controls in what is no reply', [{ send: '\x1b[2J\x07\r\n' }], 'FTP_BAD_REPLY'),
  row('A20', 'Telnet negotiation gets no answer', greeted('\xff\xfb\x01\xff\xfd\x18220 hi\r\n'), FINE),
  row('A24', 'half a reply, then the end', [{ send: '220 hel' }, { fin: 'control' }], {
    code: 'FTP_CONNECTION_CLOSED',
    phase: 'greeting',
  }),
  ...['file: 213, Size =51', '-5', '0x10', '1e9', '+7', '', '18446744073709551616', '9007199254740993'].map(
    (size) =>
      row('A29', `SIZE is ${JSON.stringify(size)}: unknown`, delivered('226 done', `213 ${size}`), {
        data: 'data',
        verified: false,
      }),
  ),
  row(
    'A33',
    'the size in a 150 is nobody’s business',
    [
      ...retrieving(),
      { send: `150 Opening data connection ${'('.repeat(30_000)}\r\n` },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 (99999999999999999999 bytes)\r\n' },
    ],
    FINE,
  ),
  // The catalogue of bugs that real clients had.
  row(
    'bug 02',
    'a reply that ends with another code',
    [...LOGIN, { expect: 'TYPE I' }, { send: '553-\r\n553- Directory excluded.\r\n150 Opening\r\n' }],
    { code: 'FTP_TIMEOUT', phase: 'reply' },
    { options: SHORT },
  ),
  row('bug 09', 'an SSH server', [{ send: 'SSH-2.0-OpenSSH_9.6\r\n' }], 'FTP_BAD_REPLY'),
  row('bug 09', 'a web server', [{ send: 'HTTP/1.1 200 OK\r\n' }], 'FTP_BAD_REPLY'),
  row(
    'bug 09',
    'silence',
    [{ awaitEnd: true }],
    { code: 'FTP_TIMEOUT', phase: 'greeting' },
    { options: SHORT },
  ),
  row('bug 09', '120, then 220', greeted('120 in a minute\r\n220 now\r\n'), FINE),
]
