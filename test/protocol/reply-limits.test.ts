import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts'
import { ReplyParser } from '../../src/protocol/reply-parser.ts'
import { cutsOf, octets } from './cuts.ts'

const LIMITS = { replyLineBytes: 12, replyBytes: 40, replyLines: 4 }

function outcomeOf(pieces: readonly Uint8Array[], limits: Partial<typeof LIMITS> = LIMITS): string {
  const parser = new ReplyParser(limits)
  try {
    const replies = pieces.flatMap((piece) => parser.push(piece))
    return replies.length === 1 ? 'accepted' : `${replies.length} replies`
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

const line = (length: number): string => `220 ${'x'.repeat(length - 4)}`

/** Each: what is sent, and whether it is within the limits. A CR LF belongs to no line. */
const BORDERS: ReadonlyArray<readonly [what: string, sent: string, accepted: boolean]> = [
  ['a line of the limit', `${line(12)}\r\n`, true],
  ['a line of the limit, LF alone', `${line(12)}\n`, true],
  ['a line of one more', `${line(13)}\r\n`, false],
  ['a line of one more, LF alone', `${line(13)}\n`, false],
  ['a line whose last character is a CR', `${line(11)}\r\r\n`, true],
  ['a line whose one more is a CR', `${line(12)}\r\r\n`, false],
  ['a second line of the limit', `220-\r\n${'x'.repeat(12)}\r\n220 \r\n`, true],
  ['a second line of one more', `220-\r\n${'x'.repeat(13)}\r\n220 \r\n`, false],
  ['lines of the limit', '220-\r\n\r\n\r\n220 \r\n', true],
  ['one line more', '220-\r\n\r\n\r\n\r\n220 \r\n', false],
  // Lines end in LF here, so that only what is between them counts.
  ['bytes of the limit', `220-xxxxxxxx\n${'x'.repeat(12)}\n${'x'.repeat(8)}\n220 xxxx\n`, true],
  ['a NUL behind a line that is too long', `${line(14)}\0\r\n`, false],
  ['one byte more', `220-xxxxxxxx\n${'x'.repeat(12)}\n${'x'.repeat(8)}\n220 xxxxx\n`, false],
]

describe('limits of a reply, exactly at the border and at every cut (A01, A04, A05)', () => {
  test.each(BORDERS)('%s', (_, sent, accepted) => {
    for (const pieces of cutsOf(octets(sent)))
      expect(outcomeOf(pieces)).toBe(accepted ? 'accepted' : 'FTP_REPLY_TOO_LARGE')
  })

  test('the line end of the last line is not counted', () => {
    const sent = octets('220 123456\r\n')
    for (const pieces of cutsOf(sent)) expect(outcomeOf(pieces, { replyBytes: 10 })).toBe('accepted')
    for (const pieces of cutsOf(sent))
      expect(outcomeOf(pieces, { replyBytes: 9 })).toBe('FTP_REPLY_TOO_LARGE')
  })

  test('limits hold for each reply anew', () => {
    const parser = new ReplyParser(LIMITS)
    for (let round = 0; round < 20; round++) expect(parser.push(octets(`${line(12)}\r\n`))).toHaveLength(1)
  })

  test('a line of 17,000 bytes is accepted (A03, B36)', () => {
    expect(outcomeOf([octets(`250 C${'A'.repeat(16_998)}B\r\n`)], {})).toBe('accepted')
  })

  test.each([
    ['a line', octets(`220 ${'A'.repeat(100_000)}`)],
    ['lines', octets(`220-hi\r\n${'x\r\n'.repeat(2100)}`)],
    ['long lines', octets(`220-hi\r\n${`${'x'.repeat(30_000)}\r\n`.repeat(4)}`)],
  ])('%s without end stop at the default limit, however they are cut', (_, sent) => {
    const single = [...sent.keys()].map((at) => sent.subarray(at, at + 1))
    const parser = new ReplyParser()
    let taken = 0
    expect(() => {
      for (const byte of single) {
        taken++
        parser.push(byte)
      }
    }).toThrow(expect.objectContaining({ code: 'FTP_REPLY_TOO_LARGE' }) as Error)
    expect(taken).toBeLessThanOrEqual(DEFAULT_LIMITS.replyBytes + DEFAULT_LIMITS.replyLines)
    expect(() => new ReplyParser().push(sent)).toThrow(/limits/)
  })
})
