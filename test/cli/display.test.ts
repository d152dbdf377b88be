import { describe, expect, test } from 'vitest'
import { columned } from '../../src/cli/columned.ts'
import { displayWidth, fitted, padded } from '../../src/cli/display-width.ts'
import { humanBytes, humanSeconds, shortBytes } from '../../src/cli/human.ts'
import { isSafeName } from '../../src/cli/local-name.ts'
import { nameBytes } from '../../src/cli/name-bytes.ts'
import { progressLine } from '../../src/cli/progress-bar.ts'
import { visible, visibleJson } from '../../src/cli/visible.ts'

describe('visible text', () => {
  test.each([
    ['gr\u00fc\u00dfe \u65e5\u672c \u{1f600}', 'gr\u00fc\u00dfe \u65e5\u672c \u{1f600}'],
    ['\x1b[2J\x07\x7f\x9b', '\\x1b[2J\\x07\\x7f\\x9b'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['\u202ex\u2066y\u200bz\ufeff\u2028', '\\u{202e}x\\u{2066}y\\u{200b}z\\u{feff}\\u{2028}'],
    ['\udce9 \ud800', '\\xe9 \\u{d800}'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('of %j', (text, shown) => expect(visible(text)).toBe(shown))

  test('as JSON is the same value', () => {
    const value = { name: '\x9b\u202e\udce9\u{e0041}\n' }
    expect(visibleJson(value)).toMatch(/^[ -~]*$/)
    expect(JSON.parse(visibleJson(value))).toEqual(value)
  })
})

describe('sizes and times', () => {
  test.each([
    [0, '0 B', '0'],
    [999, '999 B', '999'],
    [1000, '1.0 KiB', '1.0K'],
    [1536, '1.5 KiB', '1.5K'],
    [10_188, '9.9 KiB', '9.9K'],
    [10_190, '10 KiB', '10K'],
    [1_048_575, '1.0 MiB', '1.0M'],
    [5_368_709_120, '5.0 GiB', '5.0G'],
    [Number.MAX_SAFE_INTEGER, '8.0 PiB', '8.0P'],
  ])('%d bytes', (bytes, long, short) =>
    expect([humanBytes(bytes), shortBytes(bytes)]).toEqual([long, short]),
  )

  test.each([
    [0.04, '0.0 s'],
    [9.94, '9.9 s'],
    [9.96, '10 s'],
    [59.6, '1:00'],
    [187, '3:07'],
    [3765, '1:02:45'],
    [400_000, '5 days'],
  ])('%d seconds', (seconds, shown) => expect(humanSeconds(seconds)).toBe(shown))
})

describe('the width of text', () => {
  test.each([
    ['abc', 3],
    ['gr\u00fc\u00dfe', 5],
    ['\u65e5\u672c', 4],
    ['e\u0301', 1],
    ['\u{1f600}', 2],
  ])('%j', (text, width) => expect(displayWidth(text)).toBe(width))

  test('can be made to fit', () => {
    expect(fitted('abcdefghij', 10)).toBe('abcdefghij')
    expect(fitted('abcdefghijk', 10)).toBe('abcde\u2026hijk')
    expect(fitted('\u65e5\u672c\u65e5\u672c', 5)).toBe('\u65e5\u2026\u672c')
    expect(fitted('abc', 0)).toBe('')
    expect(padded('\u65e5', 4)).toBe('\u65e5  ')
  })
})

describe('names side by side', () => {
  test('go down, then across', () => {
    expect(columned(['a', 'bb', 'ccc', 'd', 'e'], 10)).toBe('a    d\nbb   e\nccc\n')
    expect(columned(['a', 'b', 'c'], 80)).toBe('a  b  c\n')
    expect(columned(['a', 'b'], 0)).toBe('a\nb\n')
    expect(columned(['a-name-that-is-too-long', 'b'], 10)).toBe('a-name-that-is-too-long\nb\n')
    expect(columned([], 80)).toBe('')
  })

  test('of a large folder are laid out at once', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `name-${at}`)
    const start = performance.now()
    columned(names, 200)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  test('are bytes for another program', () => {
    const name = '\u{1f600}\udce9\u00fc\ud83d'
    const wanted = Buffer.concat([
      Buffer.from('\u{1f600}'),
      Buffer.of(0xe9),
      Buffer.from('\u00fc\ufffd\nx\n'),
    ])
    expect(nameBytes([name, 'x'])).toEqual(wanted)
  })
})

describe('the progress line', () => {
  const facts = {
    name: 'a-file-with-a-long-name.tar.gz',
    bytes: 1_500_000,
    size: 8_000_000,
    rate: 1e6,
    seconds: 2,
  }

  test('fits every terminal', () => {
    for (const name of ['x', '\x1b'.repeat(30), facts.name, '\u65e5\u672c'.repeat(40)]) {
      for (let columns = 1; columns < 200; columns++) {
        for (const size of [undefined, 0, 10, 8e6, 8e15]) {
          expect(displayWidth(progressLine({ ...facts, name, size }, columns))).toBeLessThanOrEqual(columns)
        }
      }
    }
  })

  test('has name, bar, share, amount, rate and time left at 79 columns, and fewer of them below', () => {
    expect([79, 60, 40, 20].map((columns) => progressLine(facts, columns))).toMatchInlineSnapshot(`
      [
        "a-file-….tar.gz  [=>          ]   18%  1.4 of 7.6 MiB    977 KiB/s   6.5 s left",
        "a-file…ar.gz   18%  1.4 of 7.6 MiB    977 KiB/s   6.5 s left",
        " 18%  1.4 of 7.6 MiB  6.5 s left",
        " 18%  1.4 of 7.6 MiB",
      ]
    `)
  })

  test('counts up where the size is unknown, and passes 100 % nowhere', () => {
    expect(progressLine({ ...facts, size: undefined }, 79)).toMatchInlineSnapshot(
      `"a-file-with-a-long-name.tar.gz  1.4 MiB           977 KiB/s   2.0 s"`,
    )
    expect(progressLine({ ...facts, size: 10 }, 79)).toContain('100%')
  })
})

describe('a safe name', () => {
  test.each(['a', 'a b.txt', '.profile', '-rf', '$HOME', 'gr\u00fc\u00dfe', 'x'.repeat(255)])('%j', (name) =>
    expect(isSafeName(name, 'linux')).toBe(true),
  )
  test.each([
    '',
    '.',
    '..',
    'a/b',
    '/',
    'a\\b',
    'a\0',
    '\x1b',
    '\u202e',
    '\udce9',
    'x'.repeat(256),
    '\u00fc'.repeat(128),
  ])('not %j', (name) => expect(isSafeName(name, 'linux')).toBe(false))
  test.each(['con', 'NUL.txt', 'com1', 'a:b', 'a.', 'a ', 'a?', 'a|b'])('not %j on Windows', (name) => {
    expect([isSafeName(name, 'linux'), isSafeName(name, 'win32')]).toEqual([true, false])
  })
})
