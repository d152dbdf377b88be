import { describe, expect, test } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { pathOfReply } from '../../src/protocol/path-reply.ts'
import { Reply } from '../../src/protocol/reply.ts'
import { sizeOfReply } from '../../src/protocol/scripts/retrieve.ts'

function pathOf(...lines: string[]): string {
  try {
    return pathOfReply(new Reply(257, lines))
  } catch (error) {
    return error instanceof FtpError ? error.code : `foreign: ${String(error)}`
  }
}

describe('the path in a 257 (A26–A28, B34)', () => {
  test.each([
    ['"/home/u" is the current directory', '/home/u'],
    ['"/""hello""" is cwd', '/"hello"'],
    ['"/""hello"""', '/"hello"'],
    ['"/tmp/ab""s" - created', '/tmp/ab"s'],
    ['there is rubbish all over "/this/is/the/path"', '/this/is/the/path'],
    ['"/a" and "/b"', '/a'],
    ['/', '/'],
    ['/plain is current', '/plain'],
    ['"QGPL" is the current library', 'QGPL'],
    ['"C:/somedir" is the current directory', 'C:/somedir'],
    [`"'SYS1.'" is working directory`, "'SYS1.'"],
    ['" / " has blanks', ' / '],
    // RepRapFirmware answers so at its root.
    ['""', '/'],
    ['"/café"', '/café'],
    ['"/f\udc80"', '/f\udc80'],
  ])('%s', (text, path) => expect(pathOf(text)).toBe(path))

  test.each([
    '"Only one',
    '',
    'no quotes',
    '"',
    '"""',
    '"""a',
    'x """a" b" "',
    '"/\x03"',
    '"/a\rDELE x"',
    '"/a\nDELE x"',
    '"/\x00"',
    '"/\x7f"',
    '/\x1b',
  ])('%j names no path', (text) => {
    // The one with a good path inside: its first quote opens a path that holds a quote.
    expect(pathOf(text)).toBe(text === 'x """a" b" "' ? '"a' : 'FTP_BAD_REPLY')
  })

  test('a control character stands escaped in the message', () => {
    expect(() => pathOfReply(new Reply(257, ['"/\x1b[2J"']))).toThrow('\\x1b[2J')
  })

  test('the first line is the one that is read', () => {
    expect(pathOf('"/a"', '"/b"')).toBe('/a')
  })

  test('no text makes it slow', () => {
    for (const text of [
      '"'.repeat(30_001),
      `"${'a'.repeat(30_000)}`,
      `"${'""'.repeat(15_000)}a`,
      'a'.repeat(30_000),
    ])
      expect(pathOf(text)).toBe('FTP_BAD_REPLY')
  })
})

describe('the number in a 213 (A29)', () => {
  test.each<[string, number | undefined]>([
    ['0', 0],
    ['10928', 10_928],
    [' 51 ', 51],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', undefined],
    ['9007199254740993', undefined],
    ['18446744073709551616', undefined],
    ['file: 213, Size =51', undefined],
    ['-5', undefined],
    ['+7', undefined],
    ['0x10', undefined],
    ['1e9', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['٥', undefined],
    ['Infinity', undefined],
  ])('%j', (text, size) => expect(sizeOfReply(new Reply(213, [text]))).toBe(size))

  test('another reply tells no size', () => {
    expect(sizeOfReply(undefined)).toBeUndefined()
    for (const code of [500, 550, 200, 226]) expect(sizeOfReply(new Reply(code, ['51']))).toBeUndefined()
  })
})
