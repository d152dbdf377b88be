/** Group D, downloads: what looks whole must be whole. Group J: servers that are slow on purpose. */
import { FINE, delivered, retrieving, row, transferring, type Row } from './row.ts'

const MEBIBYTE = 1024 * 1024

export const TRANSFER_ROWS: readonly Row[] = [
  row('D01', 'less than SIZE said', delivered('226 done', '213 10928', 'x'.repeat(45)), {
    code: 'FTP_SHORT_TRANSFER',
    expected: 10_928,
    bytes: 45,
  }),
  row(
    'D02',
    'more than SIZE said: all of it, unproven',
    delivered('226 done', '213 10', 'x'.repeat(MEBIBYTE)),
    {
      data: 'x'.repeat(MEBIBYTE),
      verified: false,
    },
  ),
  row(
    'D03',
    'a size beyond all memory',
    delivered('226 done', `213 ${Number.MAX_SAFE_INTEGER}`),
    'FTP_SHORT_TRANSFER',
  ),
  row('D04', 'no SIZE: unproven', delivered('226 done', '500 what?'), { data: 'data', verified: false }),
  row('D04', 'SIZE: proven', delivered('226 done', '213 4'), { data: 'data', verified: true }),
  ...[0, 1, 65_535, 65_536, 1_000_000].map((length) =>
    row(
      'D07',
      `a reset behind ${length} bytes, then 226`,
      [
        ...transferring('213 2000000'),
        { dataSend: 'x'.repeat(length) },
        { pauseMs: 20 },
        { rst: 'data' },
        { send: '226 done\r\n' },
      ],
      // Under load a reset has been seen to arrive as an end: then the size tells.
      { code: 'FTP_DATA_CONNECTION_FAILED', or: 'FTP_SHORT_TRANSFER' },
    ),
  ),
  row(
    'D07',
    'a reset, then 426',
    [...transferring(), { dataSend: 'x' }, { pauseMs: 20 }, { rst: 'data' }, { send: '426 aborted\r\n' }],
    { code: 'FTP_REFUSED', phase: 'final-reply', bytes: 1 },
  ),
  row(
    'D07',
    'a reset of data and control',
    [...transferring(), { dataSend: 'x' }, { pauseMs: 20 }, { rst: 'data' }, { rst: 'control' }],
    'FTP_DATA_CONNECTION_FAILED',
  ),
  row(
    'D09',
    'data that stop',
    [...transferring(), { dataSend: 'data' }, { awaitEnd: true }],
    { code: 'FTP_TIMEOUT', phase: 'data', bytes: 4 },
    { options: { timeouts: { stall: 100, abort: 50 } } },
  ),
  row(
    'D10',
    'data without end',
    [...transferring(), { dataSendForever: 'x'.repeat(65_536) }],
    'FTP_TOO_MUCH_DATA',
    { options: { limits: { downloadBytes: MEBIBYTE }, timeouts: { abort: 50 } } },
  ),
  ...(['fin', 'rst'] as const).map((end) =>
    row(
      'D11',
      `control ends (${end}) while the data flow`,
      [
        ...transferring('213 4'),
        { dataSend: 'da' },
        { pauseMs: 20 },
        { [end]: 'control' } as { fin: 'control' },
        { dataSend: 'ta' },
        { fin: 'data' },
      ],
      'FTP_CONNECTION_CLOSED',
    ),
  ),
  row(
    'D20',
    'CR and LF in two segments',
    [
      ...retrieving()
        .map((step) => ('expect' in step && step.expect === 'TYPE I' ? { expect: 'TYPE A' } : step))
        .filter((step, at, all) => {
          const size = (one: (typeof all)[number] | undefined): boolean =>
            one !== undefined && 'expect' in one && one.expect === 'SIZE f'
          return !size(step) && !size(all[at - 1])
        }),
      { send: '150 ok\r\n' },
      { dataSend: 'a\r' },
      { pauseMs: 20 },
      { dataSend: '\nb\r\r\nc\r' },
      { fin: 'data' },
      { send: '226 done\r\n' },
    ],
    { data: 'a\nb\r\nc\r', verified: false },
    { path: '/f;type=a', options: { lineEnd: 'lf' } },
  ),
  row(
    'D21',
    'the size in a 150 is a hint; SIZE wins',
    [
      ...retrieving('213 456'),
      { send: '150 Opening (4 bytes)\r\n' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 ok\r\n' },
    ],
    { code: 'FTP_SHORT_TRANSFER', expected: 456, bytes: 4 },
  ),
  row(
    'J04',
    'a thousand segments of one byte',
    [
      ...transferring('213 1000'),
      { dataSend: 'x'.repeat(1000), segment: 'bytes' },
      { fin: 'data' },
      { send: '226 ok\r\n' },
    ],
    { data: 'x'.repeat(1000), verified: true },
  ),
  row('bug 07', 'half the data, then 451', delivered('451 Error reading file', '213 8'), {
    code: 'FTP_REFUSED',
    phase: 'final-reply',
    bytes: 4,
  }),
  row(
    'bug 07',
    '150, then 550 and no data',
    [...transferring(), { send: '550 Permission denied\r\n' }],
    'FTP_NOT_FOUND',
  ),
  row('bug 07', '425 to RETR', [...retrieving(), { send: '425 no\r\n' }], 'FTP_REFUSED'),
  row(
    'bug 06',
    'the 1yz behind the data',
    [...retrieving(), { dataSend: 'data' }, { fin: 'data' }, { send: '150 ok\r\n226 done\r\n' }],
    FINE,
  ),
  row(
    'bug 30',
    'a server that takes its time to begin',
    [
      ...retrieving('213 4'),
      { pauseMs: 250 },
      { send: '150 ok\r\n' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 ok\r\n' },
    ],
    { data: 'data', verified: true },
    { options: { timeouts: { stall: 100 } } },
  ),
  row(
    'bug 30',
    'a server that agrees and sends nothing',
    [...transferring('213 4'), { awaitEnd: true }],
    { code: 'FTP_TIMEOUT', phase: 'data', bytes: 0 },
    { options: { timeouts: { stall: 100, abort: 50 } } },
  ),
  row(
    'bug 30',
    'no deadline while data flow',
    [
      ...transferring('213 20'),
      { dataSend: 'x'.repeat(20), everyMs: 20 },
      { fin: 'data' },
      { send: '226 ok\r\n' },
    ],
    { data: 'x'.repeat(20), verified: true },
    { options: { timeouts: { reply: 200, finalReply: 200, stall: 200 } } },
  ),
  row(
    'bug 30',
    'control resets, the data come whole, no 226',
    [...transferring('213 4'), { dataSend: 'data' }, { rst: 'control' }],
    'FTP_CONNECTION_CLOSED',
  ),
]
