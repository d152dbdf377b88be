import { describe, expect, test } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { BAD_PORTS } from '../../src/protocol/limits.ts'
import { parsePassiveReply, type PassiveEndpoint } from '../../src/protocol/passive-reply.ts'
import { ReplyParser } from '../../src/protocol/reply-parser.ts'

function parse(lines: string, ports?: 'safe' | 'any'): PassiveEndpoint | string {
  const [reply] = new ReplyParser().push(Buffer.from(`${lines}\r\n`))
  if (reply === undefined) return 'no reply'
  try {
    return parsePassiveReply(reply, ports)
  } catch (error) {
    if (!(error instanceof FtpError)) return `foreign: ${String(error)}`
    expect(error).toMatchObject({ phase: 'passive', reply: { code: reply.code } })
    return error.code
  }
}

const GOOD: Array<[lines: string, port: number, address?: string]> = [
  ['227 Entering Passive Mode (127,0,0,1,200,10)', 51_210, '127.0.0.1'],
  // C13, B12
  ['227 =127,0,0,1,4,51', 1075, '127.0.0.1'],
  ['227 192,168,178,39,184,244', 47_348, '192.168.178.39'],
  ['227 Entering passive mode; use PORT 127,0,0,1,10,31', 2591, '127.0.0.1'],
  ['227 Entering Passive Mode( 127, 0, 0, 1, 10, 31 )', 2591, '127.0.0.1'],
  ['227-listen socket created\r\n227 (127,0,0,1,154,21)', 39_445, '127.0.0.1'],
  ['227 Entering Passive Mode (127,0,0,1,10,31', 2591, '127.0.0.1'],
  ['227 (127,000,000,001,010,011)', 2571, '127.0.0.1'],
  ['227 (255,255,255,255,255,255)', 65_535, '255.255.255.255'],
  ['227 (10,0,0,5,4,0)', 1024, '10.0.0.5'],
  ['227 Port 4 is yours (10,0,0,5,4,0).', 1024, '10.0.0.5'],
  ['229 Entering Extended Passive Mode (|||6446|)', 6446],
  ['229 (!!!6446!)', 6446],
  ['229 (|||1024|)', 1024],
  ['229 (|||65535|)', 65_535],
  ['229-hello\r\n229 ok (|||06446|)', 6446],
]

describe('passive replies', () => {
  test.each(GOOD)('%s', (lines, port, address) => expect(parse(lines)).toEqual({ port, address }))
})

const BAD_PASV = [
  // C04
  '227 (127,0,0,1,0,0)',
  // C06
  '227 (1216,256,2,127,127,127)',
  '227 (127,0,0,1,256,257)',
  '227 (127,0,0,1,-5,6)',
  '227 (-1,2,3,4,5,6)',
  '227 (+1,2,3,4,5,6)',
  '227 (1,2,3,4,5,6e3)x(1,2,3,4,5,6)',
  // C12, B12
  '227 x 10,0,0,5,0,80 (127,0,0,1,200,10)',
  '227 (127,0,0,1,200)',
  '227 (127,0,0,1,200,10,1)',
  '227 Passive mode on',
  '227',
  '227 127.0.0.1:5000',
  '227 (٠,٠,٠,٠,٢٠,٢٠)',
  '227 (127,0,0,1,0x10,1)',
  '227 (127,,0,0,1,4,1)',
]
const BAD_EPSV = [
  '229 (|||0|)',
  ...[
    '1000000',
    '65536',
    '-5',
    '21abc',
    '+22',
    ' 22',
    '0x16',
    '22 ',
    '٢٢',
    '',
    '2.2',
    '1e4',
    '000006446',
  ].map((port) => `229 (|||${port}|)`),
  // C09
  '229 (|!|22|)',
  '229 (1112211)',
  '229 (   6446 )',
  '229 (ééé6446é)',
  '229 (\x7f\x7f\x7f6446\x7f)',
  // C10: another protocol, another address
  '229 (|1|10.0.0.5|22|)',
  '229 (|2|::1|22|)',
  '229 |||6446|',
  '229 (|||6446|',
  '229 ()',
  '229',
]

describe('replies that name no usable port', () => {
  test.each(BAD_PASV)('%s', (lines) => expect(parse(lines)).toBe('FTP_BAD_PASV'))
  test.each(BAD_EPSV)('%s', (lines) => expect(parse(lines)).toBe('FTP_BAD_EPSV'))

  test.each([
    '227 (127,0,0,1,0,22)',
    '227 (127,0,0,1,0,25)',
    '229 (|||6000|)',
    '229 (|||1|)',
    '229 (|||1023|)',
  ])('%s is a port of another service (C05)', (lines) => {
    expect(parse(lines)).toBe('FTP_DATA_PORT_FORBIDDEN')
    expect(parse(lines, 'any')).toMatchObject({ port: expect.any(Number) as number })
  })

  test('no bad port is ever dialled unasked', () => {
    for (const port of BAD_PORTS) expect(parse(`229 (|||${port}|)`)).toBe('FTP_DATA_PORT_FORBIDDEN')
  })

  test('no text makes it slow', () => {
    const long = 32_000
    for (const text of [
      '1'.repeat(long),
      '1,'.repeat(long / 2),
      '1 '.repeat(long / 2),
      `1${' '.repeat(long)}`,
    ])
      for (const code of [227, 229]) expect(parse(`${code} (${text}`)).toMatch(/^FTP_BAD_/)
    expect(parse(`229 ${'('.repeat(long)}`)).toBe('FTP_BAD_EPSV')
  })
})
