import { describe, expect, test } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import type { Reply } from '../../src/protocol/reply.ts'
import { ReplyParser } from '../../src/protocol/reply-parser.ts'
import { cutsOf, octets } from './cuts.ts'

type Parsed = readonly [code: number, ...lines: string[]]

function shape({ code, lines }: Reply): Parsed {
  return [code, ...lines]
}

/** The replies in `sent`, and whether part of another is left; an error is its code. */
function parse(pieces: readonly Uint8Array[], encoding?: string): { replies: Parsed[]; end: string } {
  const parser = new ReplyParser({}, encoding)
  const replies: Parsed[] = []
  try {
    for (const piece of pieces) replies.push(...parser.push(piece).map(shape))
  } catch (error) {
    return { replies, end: error instanceof FtpError ? error.code : String(error) }
  }
  return { replies, end: parser.partial ? 'partial' : 'whole' }
}

/** At every cut; replies that come in the same chunk as an error are lost with it, so only the end is compared there. */
function expectAtEveryCut(
  sent: Uint8Array,
  end: string,
  replies: readonly Parsed[],
  encoding?: string,
): void {
  for (const pieces of cutsOf(sent)) {
    const got = parse(pieces, encoding)
    expect(got.end).toBe(end)
    if (end === 'whole' || end === 'partial') expect(got.replies).toEqual(replies)
  }
}

const GOOD: Array<[what: string, sent: string, ...replies: Parsed[]]> = [
  ['one line', '220 Service ready\r\n', [220, 'Service ready']],
  ['no text', '220 \r\n', [220, '']],
  ['a bare code (A12, B01)', '226\r\n', [226, '']],
  ['two replies in one packet', '331 Password\r\n230 In\r\n', [331, 'Password'], [230, 'In']],
  [
    'the example of RFC 959 §4.2',
    '123-First line\r\nSecond line\r\n  234 A line beginning with numbers\r\n123 The last line\r\n',
    [123, 'First line', 'Second line', '  234 A line beginning with numbers', 'The last line'],
  ],
  ['the code repeated on every line', '211-a\r\n211-b\r\n211 c\r\n', [211, 'a', 'b', 'c']],
  ['an end that is a bare code', '220-Welcome\r\n220\r\n', [220, 'Welcome', '']],
  ['an empty text on every line (B01)', '200-blabla\r\n200-\r\n200 \r\n', [200, 'blabla', '', '']],
  ['an empty line within', '220-a\r\n\r\n220 b\r\n', [220, 'a', '', 'b']],
  ['another code within (A08)', '220-hello\r\n221 bye\r\n220 ok\r\n', [220, 'hello', '221 bye', 'ok']],
  ['another bare code within (B02)', '250-\r\n550\r\n250 \r\n', [250, '', '550', '']],
  ['an indented end (A10)', '220-a\r\n 220 b\r\n220 c\r\n', [220, 'a', ' 220 b', 'c']],
  ['four digits (A11)', '220-a\r\n2200 b\r\n220 c\r\n', [220, 'a', '2200 b', 'c']],
  [
    'the code behind its start (B02)',
    '230-User usr-230 is in\r\n230 OK\r\n',
    [230, 'User usr-230 is in', 'OK'],
  ],
  [
    'indented text (B02)',
    '226-Options: -l\r\n 226 x\r\n226 3 matches\r\n',
    [226, 'Options: -l', ' 226 x', '3 matches'],
  ],
  [
    'a multi-line 227 (B12)',
    '227-socket\r\n227 (127,0,0,1,154,21)\r\n',
    [227, 'socket', '(127,0,0,1,154,21)'],
  ],
  ['LF alone (A16)', '220-hi\n220 ho\n', [220, 'hi', 'ho']],
  ['CR within a line (A17)', '220 a\rb\r\n', [220, 'a\rb']],
  ['two CRs before the LF (A17)', '220 a\r\r\n', [220, 'a\r']],
  ['Telnet negotiation before the greeting (A20)', '\xff\xfb\x01\xff\xfd\x18220 hi\r\n', [220, 'hi']],
  ['a Telnet command of two octets', '\xff\xf1220 hi\r\n', [220, 'hi']],
  ['a doubled 255 in the text (A20)', '257 "/\xff\xff"\r\n', [257, '"/\udcff"']],
  ['two doubled 255s', '257 "\xff\xff\xff\xff"\r\n', [257, '"\udcff\udcff"']],
  ['UTF-8 (A22)', '257 "/caf\xc3\xa9"\r\n', [257, '"/café"']],
  [
    'octets that are no UTF-8 (B22)',
    "220-L'ora locale \xe8 12\r\n220 .\r\n",
    [220, "L'ora locale \udce8 12", '.'],
  ],
  ['controls of a terminal, raw (A19)', '220 \x1b]0;x\x07\r\n', [220, '\x1b]0;x\x07']],
]

describe('replies, whole, byte by byte and at every cut', () => {
  test.each(GOOD)('%s', (_, sent, ...replies) => expectAtEveryCut(octets(sent), 'whole', replies))

  test('text in another encoding', () => {
    expectAtEveryCut(octets('257 "/\xb2\xe2\xca\xd4"\r\n'), 'whole', [[257, '"/测试"']], 'gbk')
  })

  test.each([
    ['a line without an end (A24)', '220 hel', []],
    ['a code alone', '22', []],
    ['a reply of which the end is missing (B02)', '553-\r\n553- no\r\n150 Opening\r\n', []],
    ['the start of the next', '220 a\r\n331', [[220, 'a'] as const]],
  ])('%s is partial', (_, sent, replies) => expectAtEveryCut(octets(sent), 'partial', replies))
})

const BAD: ReadonlyArray<readonly [what: string, sent: string]> = [
  ...['000 x', '099 x', '600 x', '633 MIME', '999 x'].map((line) => [`${line} (A14)`, line] as const),
  ['full-width digits (A15)', '\xef\xbc\x92\xef\xbc\x92\xef\xbc\x90 hi'],
  ['Arabic digits (A15)', '\xd9\xa2\xd9\xa2\xd9\xa0 hi'],
  ['a no-break space behind the code (A15)', '220\xa0hi'],
  ['NUL in the text (A18)', '230 logged\x00 in'],
  ['NUL alone', '\x00'],
  ['an empty line', ''],
  ['two digits', '22 hi'],
  ['an indented code', ' 220 hi'],
  ['a colon behind the code', '220:hi'],
  ['SSH (B09)', 'SSH-2.0-OpenSSH_9.6'],
  ['HTTP (B09)', 'HTTP/1.1 200 OK'],
]

describe('what is no reply', () => {
  test.each(BAD)('%s', (_, line) => expectAtEveryCut(octets(`${line}\r\n`), 'FTP_BAD_REPLY', []))

  test('the message shows what came, escaped, and knows SSH', () => {
    const message = (line: string): string => {
      try {
        new ReplyParser().push(octets(line))
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
      return ''
    }
    expect(message('SSH-2.0-OpenSSH_9.6\r\n')).toContain('SFTP')
    expect(message('\x1b[2Jhi\r\n')).toContain('\\x1b[2Jhi')
    expect(message(`${'x'.repeat(200)}\r\n`)).not.toContain('x'.repeat(81))
  })
})
