import { assert, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { checkEncoding, decodeText, encodeText } from '../../src/protocol/text.ts'

const LEGACY = [
  'latin1',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'windows-874',
  'gbk',
  'gb18030',
  'shift_jis',
  'big5',
  'euc-kr',
  'euc-jp',
]

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error instanceof FtpError ? error.code : error
  }
  return undefined
}

describe('decodeText', () => {
  it('reads UTF-8, and keeps each byte that is none as U+DC80–U+DCFF', () => {
    expect(decodeText(bytesOf('plain'))).toBe('plain')
    expect(decodeText(Buffer.from('naïve 試験 😀'))).toBe('naïve 試験 😀')
    expect(decodeText(bytesOf('f\x80'))).toBe('f\udc80')
    expect(decodeText(bytesOf('f\x81'))).toBe('f\udc81')
    // Overlong, a surrogate in UTF-8 (CESU-8), beyond U+10FFFF, cut short.
    expect(decodeText(bytesOf('\xc0\xaf'))).toBe('\udcc0\udcaf')
    expect(decodeText(bytesOf('\xed\xa0\x80'))).toBe('\udced\udca0\udc80')
    expect(decodeText(bytesOf('\xf4\x90\x80\x80'))).toBe('\udcf4\udc90\udc80\udc80')
    expect(decodeText(bytesOf('a\xe2\x82'))).toBe('a\udce2\udc82')
  })

  it('keeps a byte order mark and a real U+FFFD', () => {
    expect(decodeText(Buffer.from('\ufeffname'))).toBe('\ufeffname')
    expect(decodeText(Buffer.from('a\ufffdb'))).toBe('a\ufffdb')
  })

  it('reads a view into a larger buffer', () => {
    const backing = bytesOf('xxcaf\xc3\xa9xx')
    expect(decodeText(backing.subarray(2, 7))).toBe('café')
  })

  it.each([
    ['gbk', '\xb2\xe2\xca\xd4.txt', '测试.txt'],
    ['shift_jis', '\x83\x65\x83\x58\x83\x67.txt', 'テスト.txt'],
    ['shift_jis', '\x95\x5c.txt', '表.txt'],
    ['shift_jis', '\xb1\xb2', 'ｱｲ'],
    ['latin1', 'caf\xe9.txt', 'café.txt'],
    ['windows-1251', '\xff.txt', 'я.txt'],
    ['euc-jp', '\xc6\xfc\xcb\xdc \x8e\xb1 \x8f\xb0\xa1', '日本 ｱ 丂'],
    ['big5', '\xa4\xa4\xa4\xe5', '中文'],
    ['euc-kr', '\xc7\xd1\xb1\xdb', '한글'],
    ['gb18030', '\x81\x39\xee\x39', '㐀'],
  ])('%s reads %j and writes it back', (encoding, raw, text) => {
    expect(decodeText(bytesOf(raw), encoding)).toBe(text)
    expect(encodeText(text, encoding)).toEqual(Buffer.from(raw, 'latin1'))
  })
})

describe('encodeText', () => {
  it('gives back the bytes that were no characters', () => {
    expect(encodeText('f\udc80 😀\udcff')).toEqual(Buffer.from('f\x80 \xf0\x9f\x98\x80\xff', 'latin1'))
  })

  it('refuses other lone surrogates and characters that the encoding lacks', () => {
    for (const text of ['\ud800', 'a\udc7f', '\udd00', '\udc0a', '\udfff\ud83d']) {
      expect(codeOf(() => encodeText(text))).toBe('FTP_INVALID_ARGUMENT')
      for (const encoding of LEGACY) {
        expect(codeOf(() => encodeText(text, encoding))).toBe('FTP_INVALID_ARGUMENT')
      }
    }
    expect(codeOf(() => encodeText('я', 'latin1'))).toBe('FTP_INVALID_ARGUMENT')
    expect(codeOf(() => encodeText('😀', 'shift_jis'))).toBe('FTP_INVALID_ARGUMENT')
  })

  it('never cuts a code down to its low byte, which could be a line end', () => {
    for (const encoding of LEGACY) {
      // U+010A, U+560D, U+FF00: a line feed, a carriage return and a NUL once truncated.
      for (const text of ['\u010a', '\u560d', '\uff00', '\u2f0a']) {
        let bytes: Uint8Array = new Uint8Array()
        codeOf(() => (bytes = encodeText(text, encoding)))
        expect([...bytes].filter((byte) => byte < 0x30)).toEqual([])
      }
    }
  })

  it('writes every character of the plane without CR, LF or NUL, and reads it back', () => {
    for (const encoding of LEGACY) {
      for (let code = 0x80; code < 0xd800; code++) {
        const text = String.fromCharCode(code)
        let bytes: Uint8Array
        try {
          bytes = encodeText(text, encoding)
        } catch {
          continue
        }
        if (bytes.some((byte) => byte < 0x30) || decodeText(bytes, encoding) !== text) {
          expect({ encoding, code, bytes }).toBe('a faithful encoding')
        }
      }
    }
  })
})

describe('every sequence of bytes survives', () => {
  it.each(['utf-8', ...LEGACY])('%s', (encoding) => {
    assert(
      property(uint8Array({ maxLength: 24 }), (bytes) => {
        expect(encodeText(decodeText(bytes, encoding), encoding)).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 400 },
    )
  })

  it.each(LEGACY)('%s, each pair of bytes', (encoding) => {
    for (let pair = 0; pair < 0x10000; pair++) {
      const bytes = Buffer.of(pair >> 8, pair & 0xff)
      if (!bytes.equals(encodeText(decodeText(bytes, encoding), encoding))) {
        expect(`${encoding} ${bytes.toString('hex')}`).toBe('a round trip')
      }
    }
  })
})

describe('labels', () => {
  it('takes any that TextDecoder knows', () => {
    expect(decodeText(bytesOf('\xe9'), 'ISO-8859-1')).toBe('é')
    expect(decodeText(bytesOf('\xc3\xa9'), ' UTF8 ')).toBe('é')
    expect(checkEncoding('cp1251')).toBeUndefined()
  })

  it('refuses what is unknown and what is no superset of ASCII', () => {
    for (const label of ['klingon', 'utf-16le', 'utf-16be', 'iso-2022-jp']) {
      expect(codeOf(() => checkEncoding(label))).toBe('FTP_INVALID_OPTION')
      expect(codeOf(() => decodeText(bytesOf('a'), label))).toBe('FTP_INVALID_OPTION')
    }
  })
})
