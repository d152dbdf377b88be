import { describe, expect, test } from 'vitest'
import {
  describeCommand,
  encodeCommand,
  VERBS,
  verbOf,
  type Command,
  type CommandEncoding,
} from '../../src/protocol/commands.ts'
import { octets } from './cuts.ts'

function sent(command: Command, encoding?: CommandEncoding): string {
  return Buffer.from(encodeCommand(command, encoding)).toString('latin1')
}

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : `foreign: ${String(error)}`
  }
  return 'none'
}

const NAMES = Object.keys(VERBS)

describe('the table of verbs', () => {
  test('holds every command of RFC 959, 2228, 2389, 2428 and 3659 that a client needs', () => {
    const needed =
      'USER PASS ACCT CWD CDUP QUIT REIN PORT PASV TYPE MODE STRU RETR STOR STOU APPE ALLO REST RNFR RNTO ABOR DELE RMD MKD PWD LIST NLST SITE SYST STAT HELP NOOP AUTH PBSZ PROT CCC FEAT OPTS EPSV EPRT SIZE MDTM MLST MLSD'
    for (const name of needed.split(' ')) expect(NAMES).toContain(name)
  })

  test.each(NAMES)('%s: its argument rule holds', (verb) => {
    const { argument } = verbOf({ verb })
    const bare = codeOf(() => encodeCommand({ verb }))
    const empty = codeOf(() => encodeCommand({ verb, argument: '' }))
    const full = codeOf(() => encodeCommand({ verb, argument: 'x' }))
    const refused = 'FTP_INVALID_ARGUMENT'
    expect([bare, empty, full]).toEqual(
      {
        none: ['none', refused, refused],
        optional: ['none', refused, 'none'],
        required: [refused, refused, 'none'],
        nullable: [refused, 'none', 'none'],
      }[argument],
    )
  })

  test('a verb that it lacks is simple, with or without an argument', () => {
    expect(verbOf({ verb: 'XFOO' })).toEqual({ argument: 'optional', exchange: 'simple' })
    expect(verbOf({ verb: 'constructor' })).toEqual({ argument: 'optional', exchange: 'simple' })
    expect(sent({ verb: 'XFOO' })).toBe('XFOO\r\n')
  })

  test('only PASS and ACCT are secret', () => {
    expect(NAMES.filter((verb) => verbOf({ verb }).secret === true)).toEqual(['PASS', 'ACCT'])
  })
})

describe('the exact bytes', () => {
  test.each<[Command, string, CommandEncoding?]>([
    [{ verb: 'NOOP' }, 'NOOP\r\n'],
    [{ verb: 'CWD', argument: '' }, 'CWD \r\n'],
    [{ verb: 'PASS', argument: '' }, 'PASS \r\n'],
    [{ verb: 'CWD', argument: ' a  b ' }, 'CWD  a  b \r\n'],
    [{ verb: 'RETR', argument: 'café' }, 'RETR caf\xc3\xa9\r\n'],
    [{ verb: 'RETR', argument: 'f\udc80' }, 'RETR f\x80\r\n'],
    [{ verb: 'RETR', argument: Uint8Array.of(0x66, 0x80) }, 'RETR f\x80\r\n'],
    [{ verb: 'RETR', argument: '测试' }, 'RETR \xb2\xe2\xca\xd4\r\n', { encoding: 'gbk' }],
    [{ verb: 'RETR', argument: '表' }, 'RETR \x95\\\r\n', { encoding: 'shift_jis' }],
    // F05, B22: the octet 255 is Telnet's, and doubled.
    [{ verb: 'RETR', argument: 'я.txt' }, 'RETR \xff\xff.txt\r\n', { encoding: 'windows-1251' }],
    [{ verb: 'RETR', argument: Uint8Array.of(0xff, 0xf4) }, 'RETR \xff\xff\xf4\r\n'],
    [{ verb: 'RETR', argument: Uint8Array.of(0xff, 0xff) }, 'RETR \xff\xff\xff\xff\r\n'],
    // F04: beyond ASCII nothing is a control on the wire.
    [{ verb: 'CWD', argument: '\u0085\u2028' }, 'CWD \xc2\x85\xe2\x80\xa8\r\n'],
  ])('%o', (command, line, encoding) => expect(sent(command, encoding)).toBe(line))
})

const CONTROLS = [...Array.from({ length: 0x20 }, (_, code) => code), 0x7f].map((code) =>
  String.fromCharCode(code),
)

describe('what is refused before a byte is written (F01, F03, F04, F08–F10, B36)', () => {
  test.each(['x\r\nDELE important.txt', 'x\nDELE y', 'x\rDELE y', 'x\x00y', ...CONTROLS])(
    '%j',
    (argument) => {
      for (const verb of ['RETR', 'CWD', 'USER', 'PASS', 'RNTO', 'MKD', 'SITE']) {
        expect(codeOf(() => encodeCommand({ verb, argument }))).toBe('FTP_INVALID_ARGUMENT')
        expect(codeOf(() => encodeCommand({ verb, argument: octets(argument) }))).toBe('FTP_INVALID_ARGUMENT')
      }
    },
  )

  test.each(['x\u010d\u010aDELE y', '\u0a0d', '\uff0a', '\u0100'])(
    'no character is cut down to a control: %j',
    (argument) => {
      for (const encoding of ['latin1', 'ascii', 'windows-1252'])
        expect(codeOf(() => encodeCommand({ verb: 'RETR', argument }, { encoding }))).toBe(
          'FTP_INVALID_ARGUMENT',
        )
    },
  )

  test.each(['\ud800', 'a\udbff', '\udc7f', '\ud800\ud800'])('a lone surrogate: %j', (argument) => {
    expect(codeOf(() => encodeCommand({ verb: 'RETR', argument }))).toBe('FTP_INVALID_ARGUMENT')
  })

  test.each([null, 42, {}, [], ['x'], true, Symbol('x'), { toString: () => 'x' }, new ArrayBuffer(1)])(
    'no string and no bytes: %o',
    (argument) => {
      const command = { verb: 'RETR', argument } as unknown as Command
      expect(codeOf(() => encodeCommand(command))).toBe('FTP_INVALID_ARGUMENT')
    },
  )

  test.each([
    '',
    'a',
    'ab',
    'retr',
    'NOOP\r\nDELE',
    'RE TR',
    'PASS x',
    ' PASS',
    '1ABC',
    'ABCDEFGHI',
    'É23',
    '__proto__',
  ])('the verb %j', (verb) =>
    expect(codeOf(() => encodeCommand({ verb, argument: 'x' }))).toBe('FTP_INVALID_ARGUMENT'),
  )

  test('the longest command is 8 KiB, CR LF included, as bytes', () => {
    const longest = 8192 - 'RETR \r\n'.length
    expect(encodeCommand({ verb: 'RETR', argument: 'x'.repeat(longest) })).toHaveLength(8192)
    for (const argument of ['x'.repeat(longest + 1), 'é'.repeat(longest / 2 + 1), 'x'.repeat(2 ** 20)])
      expect(codeOf(() => encodeCommand({ verb: 'RETR', argument }))).toBe('FTP_INVALID_ARGUMENT')
    expect(codeOf(() => encodeCommand({ verb: 'RETR', argument: 'xx' }, { commandBytes: 8 }))).toBe(
      'FTP_INVALID_ARGUMENT',
    )
    expect(sent({ verb: 'RETR', argument: 'x' }, { commandBytes: 8 })).toBe('RETR x\r\n')
  })

  test('the message does not quote the argument (K02)', () => {
    for (const verb of ['PASS', 'pass Zq9!canary', 'RETR'])
      expect(() => encodeCommand({ verb, argument: 'Zq9!canary\r\nDELE x' })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('canary') as string }) as Error,
      )
  })
})

describe('what is shown', () => {
  test.each<[Command, string]>([
    [{ verb: 'NOOP' }, 'NOOP'],
    [{ verb: 'CWD', argument: '' }, 'CWD '],
    [{ verb: 'USER', argument: 'u' }, 'USER u'],
    [{ verb: 'RETR', argument: 'a\x1b[2J\u202e' }, 'RETR a\\x1b[2J\\u{202e}'],
    [{ verb: 'RETR', argument: Buffer.from('é') }, 'RETR é'],
    [{ verb: 'RETR', argument: 'f\udc80' }, 'RETR f\\x80'],
    // K04
    [{ verb: 'PASS', argument: 'Zq9!canary' }, 'PASS ***'],
    [{ verb: 'PASS', argument: '' }, 'PASS ***'],
    [{ verb: 'PASS', argument: Buffer.from('Zq9!canary') }, 'PASS ***'],
    [{ verb: 'pass', argument: 'Zq9!canary' }, 'pass ***'],
    [{ verb: ' PASS', argument: 'Zq9!canary' }, ' PASS ***'],
    [{ verb: 'ACCT', argument: 'Zq9!canary' }, 'ACCT ***'],
    [{ verb: 'SITE', argument: 'PSWD old Zq9!canary' }, 'SITE ***'],
    [{ verb: 'SITE', argument: ' passwd Zq9!canary' }, 'SITE ***'],
    [{ verb: 'SITE', argument: Buffer.from('CHPASS bob Zq9!canary') }, 'SITE ***'],
    [{ verb: 'SITE', argument: 'CHMOD 644 passwd' }, 'SITE CHMOD 644 passwd'],
  ])('%o', (command, shown) => expect(describeCommand(command)).toBe(shown))
})
