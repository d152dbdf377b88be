import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { ListingParser, parseListing } from '../../src/listing/index.ts'

const LINE = '-rw-r--r-- 1 u g 5 Jan 01 2024 f.txt'

function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error instanceof FtpError ? [error.code, error.phase] : error
  }
  return undefined
}

describe('ListingParser', () => {
  it('returns each entry with the bytes that complete it', () => {
    const parser = new ListingParser()
    expect(parser.push(Buffer.from(`${LINE}\r\n-rw-r`))).toHaveLength(1)
    expect(parser.push(Buffer.from(LINE.slice(5)))).toHaveLength(0)
    expect(parser.push(Buffer.from('\n'))).toHaveLength(1)
    expect(parser.end()).toEqual([])
    expect(parser.endedInLine).toBe(false)
  })

  it('reads a last line without line end, and says so', () => {
    const parser = new ListingParser()
    expect(parser.push(Buffer.from(LINE))).toEqual([])
    expect(parser.end().map(({ name }) => name)).toEqual(['f.txt'])
    expect(parser.endedInLine).toBe(true)
  })

  it('keeps no reference to a buffer that its caller uses again', () => {
    const parser = new ListingParser()
    const chunk = Buffer.from(LINE)
    parser.push(chunk)
    chunk.fill(0x78)
    expect(parser.end().map(({ raw }) => raw)).toEqual([LINE])
  })

  it('counts and hands over the lines that it cannot read; blank lines, headers and totals are none', () => {
    const unparsed: string[] = []
    const parser = new ListingParser({ onUnparsedLine: (line) => unparsed.push(line) })
    parser.push(Buffer.from(`total 5\n${LINE}\n\n  \r\ngarbage\n evil\n`))
    parser.end()
    expect(unparsed).toEqual(['garbage', ' evil'])
    expect(parser.unparsedLines).toBe(2)
  })

  it.each([1, 100, 10_001, 1_000_000])(
    'refuses a line of more than 10,000 bytes, in pieces of %d',
    (size) => {
      const parser = new ListingParser()
      expect(
        codeOf(() => {
          for (let sent = 0; sent < 20_000; sent += size) parser.push(Buffer.alloc(size, 'x'))
        }),
      ).toEqual(['FTP_LIST_LINE_TOO_LONG', 'listing'])
    },
  )

  it('judges the length of a line alike however it is cut', () => {
    for (const [length, refused] of [
      [10_000, false],
      [10_001, true],
    ] as const) {
      for (const filler of ['x', '\xe9']) {
        const bytes = Buffer.from(`${LINE}\n${filler.repeat(length)}\r\n${LINE}\n`, 'latin1')
        for (const cut of [bytes.length, 5000, 10_036, 10_038, 10_039]) {
          const parser = new ListingParser()
          const code = codeOf(() => {
            parser.push(bytes.subarray(0, cut))
            parser.push(bytes.subarray(cut))
          })
          expect(code).toEqual(refused ? ['FTP_LIST_LINE_TOO_LONG', 'listing'] : undefined)
        }
      }
    }
  })

  it('refuses options that make no sense', () => {
    expect(codeOf(() => new ListingParser({ encoding: 'klingon' }))).toEqual([
      'FTP_INVALID_OPTION',
      'arguments',
    ])
    expect(codeOf(() => new ListingParser({ encoding: 'utf-16le' }))).toEqual([
      'FTP_INVALID_OPTION',
      'arguments',
    ])
    expect(codeOf(() => parseListing('', { serverTimeZone: Number.NaN }))).toEqual([
      'FTP_INVALID_OPTION',
      'arguments',
    ])
  })
})

describe('parseListing', () => {
  it('leaves a line that is too long unparsed, and reads the rest', () => {
    const { entries, unparsed } = parseListing(`${'x'.repeat(10_001)}\n${LINE}`)
    expect(entries).toHaveLength(1)
    expect(unparsed).toHaveLength(1)
  })

  it('drops a byte order mark before the first line, and CR before LF', () => {
    expect(parseListing(`\ufeff${LINE}\r\r\n`).entries.map(({ raw }) => raw)).toEqual([LINE])
  })

  it('keeps bytes that are no UTF-8: names stay apart and are encoded back', () => {
    const bytes = Buffer.from(
      `${LINE.replace('f.txt', 'f\x80')}\n${LINE.replace('f.txt', 'f\x81')}\n`,
      'latin1',
    )
    const { entries } = parseListing(bytes)
    expect(entries.map(({ name }) => name)).toEqual(['f\udc80', 'f\udc81'])
    expect(entries.map(({ rawName }) => Buffer.from(rawName).toString('latin1'))).toEqual(['f\x80', 'f\x81'])
  })

  it('decodes and encodes names by the encoding given', () => {
    const bytes = Buffer.from(LINE.replace('f.txt', '\x95\x5c.txt'), 'latin1')
    const [entry] = parseListing(bytes, { encoding: 'shift_jis' }).entries
    expect(entry?.name).toBe('表.txt')
    expect(entry?.rawName).toEqual(Buffer.from('\x95\x5c.txt', 'latin1'))
    expect(entry?.safe).toBe(true)
  })

  it('hides . and .. and the cdir and pdir of MLSD, unless asked', () => {
    const input = `${LINE.replace('f.txt', '.')}\n${LINE.replace('f.txt', '..')}\ntype=cdir; /a/b\ntype=pdir; /a\n${LINE}`
    expect(parseListing(input).entries.map(({ name }) => name)).toEqual(['f.txt'])
    expect(parseListing(input, { all: true }).entries.map(({ name }) => name)).toEqual([
      '.',
      '..',
      '/a/b',
      '/a',
      'f.txt',
    ])
  })

  it('counts dates by the zone of the server where it is told', () => {
    const input = '-rw-r--r-- 1 u g 5 Dec 31 23:30 f'
    const now = new Date('2025-01-01T00:00:00Z')
    const [unknown] = parseListing(input, { now }).entries
    expect([unknown?.modified?.toISOString(), unknown?.modifiedZoneKnown]).toEqual([
      '2024-12-31T23:30:00.000Z',
      false,
    ])
    const [east] = parseListing(input, { now, serverTimeZone: 120 }).entries
    expect([east?.modified?.toISOString(), east?.modifiedZoneKnown]).toEqual([
      '2024-12-31T21:30:00.000Z',
      true,
    ])
    const [west] = parseListing(input, { now, serverTimeZone: -300 }).entries
    expect(west?.modified?.toISOString()).toBe('2025-01-01T04:30:00.000Z')
    // MLSD is UTC whatever the zone.
    const [mlsd] = parseListing('modify=20250101000000; f', { now, serverTimeZone: 120 }).entries
    expect(mlsd?.modified?.toISOString()).toBe('2025-01-01T00:00:00.000Z')
  })

  it('without now, a date without a year is unknown', () => {
    expect(parseListing('-rw-r--r-- 1 u g 5 Dec 31 23:30 f').entries[0]?.modified).toBeUndefined()
  })
})
