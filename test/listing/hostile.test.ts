/** Listings of servers, and of people with a file on them, that mean harm. */
import { describe, expect, it } from 'vitest'
import { ListingParser, parseListing } from '../../src/listing/index.ts'

const unix = (name: string): string => `-rw-r--r-- 1 u g 1 Jan  1 2024 ${name}`
const names = (input: string): string[] => parseListing(input).entries.map(({ name }) => name)

describe('names', () => {
  it.each([
    '../../../etc/passwd',
    '/abs',
    'a/b',
    '..\\x',
    'C:x',
    'a\0b',
    'a\u001b[2Jb',
    'a\rb',
    'a\u0007',
    'a\u202eb',
    'a\x7f',
    'NUL',
  ])('%j is kept, and marked unsafe', (name) => {
    const [entry] = parseListing(unix(name)).entries
    expect([entry?.name, entry?.safe]).toEqual([name, false])
  })

  it('a line feed in a name makes another entry, which is judged like any other', () => {
    const { entries } = parseListing(unix(`x\n${unix('../../y')}`))
    expect(entries.map(({ name, safe }) => [name, safe])).toEqual([
      ['x', true],
      ['../../y', false],
    ])
  })
})

describe('one bad line', () => {
  it.each(['12-05-96  05:03PM <DIR> evil', ' evil', 'garbage', '+\t', ';;;', 'type=;', '\u0000'])(
    '%j does not change a good one',
    (bad) => {
      expect(names(`${unix('good')}\n${bad}`)).toContain('good')
      expect(names(`${bad}\n${unix('good')}`)).toContain('good')
    },
  )
})

describe('mlsd', () => {
  it.each([
    [' name', undefined],
    ['; name', undefined],
    ['type=; name', 'name'],
    ['=x; name', undefined],
    ['type=file;size=1', undefined],
    ['type=file;name', 'name'],
    ['__proto__=x; name', 'name'],
    ['constructor=x; name', 'name'],
    ['type=file;hasOwnProperty=x; name', 'name'],
  ])('%j', (line, name) => {
    const { entries, unparsed } = parseListing(line)
    expect(entries.map((entry) => entry.name)).toEqual(name === undefined ? [] : [name])
    expect(unparsed).toHaveLength(name === undefined ? 1 : 0)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it.each(['-5', '0x10', '1e99', '99999999999999999999', '', '1.5', ' 1'])('size=%s is no number', (size) => {
    const [entry] = parseListing(`type=file;size=${size}; n`).entries
    expect([entry?.name, entry?.size]).toEqual(['n', undefined])
  })

  it.each(['garbage', '20241301000000', '99999990101000000', `20240101000000.${'1'.repeat(5000)}`])(
    'modify=%s is no time',
    (modify) => {
      const { entries } = parseListing(`type=file;modify=${modify}; n\ntype=file;modify=20240101000000; m`)
      expect(entries.map(({ name, modified }) => [name, modified?.getTime()])).toEqual([
        ['n', undefined],
        ['m', Date.UTC(2024, 0, 1)],
      ])
    },
  )
})

describe('long and repetitive lines', () => {
  // How long they take is measured by test/fuzz/listing.fuzz.mjs: here they must only end.
  it.each([
    ['12 a', `12${'a'.repeat(9000)}`],
    ['a=', 'a='.repeat(4900)],
    ['a;', 'a;'.repeat(4900)],
    ['words', `-rw-r--r-- 1 ${'a '.repeat(4800)}!`],
    ['numbers', `-rw-r--r-- 1 ${'1 '.repeat(4800)}`],
    ['dashes', '-'.repeat(9900)],
    ['blanks', ' '.repeat(9900)],
    ['drwx', 'drwx'.repeat(2400)],
    ['vms', `A;1 ${'1 '.repeat(4800)}`],
    ['brackets', `d [${'A'.repeat(9000)}`],
    ['os400', `A ${' '.repeat(9000)}*`],
    ['nonstop', `A 1 1 ${' '.repeat(9000)}x`],
    ['volume', `Volume Unit ${' '.repeat(9000)}x`],
    ['digits', '1'.repeat(9900)],
    ['tabs', '\t'.repeat(9900)],
    ['total', `total ${' '.repeat(9000)}x`],
  ])('%s', (_, line) => {
    for (const input of [line, `${line}\n${unix('x')}`]) {
      const { entries, unparsed } = parseListing(input)
      expect(entries.length + unparsed.length).toBeLessThanOrEqual(2)
    }
  })

  it('a hundred thousand lines of three bytes go through in chunks', () => {
    const parser = new ListingParser()
    const chunk = Buffer.from(' a\n'.repeat(20_000))
    for (let round = 0; round < 5; round++) expect(parser.push(chunk)).toEqual([])
    expect(parser.unparsedLines).toBe(100_000)
  })

  it('EBCDIC and other binary data is unparsed', () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))
    const { entries, unparsed } = parseListing(bytes)
    expect(entries).toEqual([])
    expect(unparsed.length).toBeGreaterThan(0)
  })
})
