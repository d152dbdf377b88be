import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NvtAsciiDecoder, NvtAsciiEncoder } from '../../src/protocol/nvt-ascii.ts'
import { cutsOf, octets } from './cuts.ts'

function decoded(pieces: readonly Uint8Array[], lineEnd: '\n' | '\r\n'): string {
  const decoder = new NvtAsciiDecoder(lineEnd)
  const parts = pieces.map((piece) => Buffer.from(decoder.push(piece)))
  return Buffer.concat([...parts, decoder.end()]).toString('latin1')
}

function encoded(pieces: readonly Uint8Array[]): string {
  const encoder = new NvtAsciiEncoder()
  return Buffer.concat(pieces.map((piece) => Buffer.from(encoder.push(piece)))).toString('latin1')
}

const text = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', 'a', '\xff', '\0'), { maxLength: 12 })
  .map((parts) => parts.join(''))

describe('from the network (D20)', () => {
  test.each([
    ['', ''],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['\r\n\r\n', '\n\n'],
    ['\r\r\n', '\r\n'],
    ['a\rb', 'a\rb'],
    ['a\nb', 'a\nb'],
    ['\n\r', '\n\r'],
    ['a\r', 'a\r'],
    ['\r', '\r'],
    ['\r\r', '\r\r'],
    ['\r\n\r', '\n\r'],
    ['caf\xc3\xa9\r\n', 'caf\xc3\xa9\n'],
  ])('%j', (sent, wanted) => {
    for (const pieces of cutsOf(octets(sent))) {
      expect(decoded(pieces, '\n')).toBe(wanted)
      expect(decoded(pieces, '\r\n')).toBe(sent)
    }
  })

  test('any text: only CR LF changes', () => {
    fc.assert(
      fc.property(text, (sent) => {
        for (const pieces of cutsOf(octets(sent)))
          expect(decoded(pieces, '\n')).toBe(sent.replaceAll('\r\n', '\n'))
      }),
    )
  })

  test('an empty chunk between CR and LF changes nothing', () => {
    expect(decoded([octets('a\r'), new Uint8Array(0), octets('\nb')], '\n')).toBe('a\nb')
  })
})

describe('to the network', () => {
  test.each([
    ['a\nb\n', 'a\r\nb\r\n'],
    ['a\r\nb', 'a\r\nb'],
    ['\n\n', '\r\n\r\n'],
    ['\r\r\n', '\r\r\n'],
    ['\n\r', '\r\n\r'],
    ['a\rb', 'a\rb'],
    ['', ''],
  ])('%j', (local, wanted) => {
    for (const pieces of cutsOf(octets(local))) expect(encoded(pieces)).toBe(wanted)
  })

  test('there and back again', () => {
    fc.assert(
      fc.property(text, (local) => {
        const plain = local.replaceAll('\r\n', '\n')
        if (plain.includes('\r\n')) return
        for (const pieces of cutsOf(octets(plain)))
          expect(decoded([octets(encoded(pieces))], '\n')).toBe(plain)
      }),
    )
  })
})
