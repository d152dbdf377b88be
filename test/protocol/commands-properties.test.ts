import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { encodeCommand } from '../../src/protocol/commands.ts'
import { decodeText, encodeText } from '../../src/protocol/text.ts'

/** Every code unit, those that do harm more often than chance. */
const unit = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      9,
      0x0a,
      0x0d,
      0x1b,
      0x7f,
      0x80,
      0xff,
      0x010a,
      0x010d,
      0xdc80,
      0xdcff,
      0xd800,
    ),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
)
const anyText = fc.array(unit, { minLength: 1, maxLength: 24 }).map((units) => String.fromCharCode(...units))
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 24 })
const encoding = fc.constantFrom(
  'utf-8',
  'latin1',
  'ascii',
  'gbk',
  'shift_jis',
  'windows-1251',
  'euc-kr',
  'big5',
)

/** What a server reads: Telnet's doubled 255 is one, and a line ends with CR LF. */
function argumentsRead(line: Uint8Array): Uint8Array {
  const text = Buffer.from(line).toString('latin1')
  expect(text).toMatch(/^RETR [^\r\n\0]*\r\n$/)
  const argument = text.slice('RETR '.length, -2)
  expect(argument.replaceAll('\xff\xff', '')).not.toContain('\xff')
  return Buffer.from(argument.replaceAll('\xff\xff', '\xff'), 'latin1')
}

function encoded(argument: string | Uint8Array, label?: string): Uint8Array | undefined {
  try {
    return encodeCommand({ verb: 'RETR', argument }, { encoding: label })
  } catch (error) {
    if (error instanceof FtpError && error.code === 'FTP_INVALID_ARGUMENT') return undefined
    throw error
  }
}

describe('any argument is refused, or arrives as one line with exactly its bytes (F15)', () => {
  test('text', () => {
    fc.assert(
      fc.property(anyText, encoding, (text, label) => {
        const line = encoded(text, label)
        if (line === undefined) return
        const bytes = Buffer.from(argumentsRead(line))
        expect(bytes).toEqual(Buffer.from(encodeText(text, label)))
        // A lone surrogate stands for an octet, which may have a character of its own in this encoding.
        if (!/\p{Surrogate}/u.test(text)) expect(decodeText(bytes, label)).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  test('bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const line = encoded(bytes)
        const harmful = bytes.some((byte) => byte < 0x20 || byte === 0x7f)
        expect(line === undefined).toBe(harmful)
        if (line !== undefined) expect(Buffer.from(argumentsRead(line))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  test('printable text is never refused in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), (text) => {
        expect(encoded(text)).toBeDefined()
      }),
    )
  })
})
