import { assert, date as anyDate, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import {
  civilTime,
  formatTimeVal,
  latestCivilTime,
  parseTimeVal,
  zoneOffset,
} from '../../src/protocol/time.ts'

const at = (iso: string): number => Date.parse(iso)

describe('parseTimeVal', () => {
  it.each([
    ['20240229123456', '2024-02-29T12:34:56.000Z', 'second'],
    ['20251012230103.073', '2025-10-12T23:01:03.073Z', 'millisecond'],
    ['19980615100045.014', '1998-06-15T10:00:45.014Z', 'millisecond'],
    ['20240101000000.5', '2024-01-01T00:00:00.500Z', 'millisecond'],
    ['20240101000000.123456789', '2024-01-01T00:00:00.123Z', 'millisecond'],
    ['191240229123456', '2024-02-29T12:34:56.000Z', 'second'],
    ['191000101000000', '2000-01-01T00:00:00.000Z', 'second'],
    ['20240229123456Z', '2024-02-29T12:34:56.000Z', 'second'],
    ['20240101000000 +0000', '2024-01-01T00:00:00.000Z', 'second'],
    ['20240101000000+02:00', '2023-12-31T22:00:00.000Z', 'second'],
    ['20240101000000-0530', '2024-01-01T05:30:00.000Z', 'second'],
    [' 20240101000000 \r', '2024-01-01T00:00:00.000Z', 'second'],
    ['19681231235960', '1968-12-31T23:59:59.000Z', 'second'],
    ['00010101000000', '0001-01-01T00:00:00.000Z', 'second'],
    ['99991231235959', '9999-12-31T23:59:59.000Z', 'second'],
  ])('%j', (text, iso, precision) => {
    const value = parseTimeVal(text)
    expect(value?.date.toISOString()).toBe(iso)
    expect(value?.precision).toBe(precision)
  })

  it.each([
    '',
    'garbage',
    '20180001224742',
    '20181301000000',
    '20230229000000',
    '20240431000000',
    '20240101240000',
    '20240101006000',
    '20240101000061',
    '00000101000000',
    '202401010000',
    '2024010100000',
    '20240101000000.',
    `20240101000000.${'9'.repeat(10_000)}`,
    '20240101000000 CEST',
    '20240101000000x',
    '99999991231235959',
    '181000101000000',
    '-2024010100000',
    '２０２４0101000000',
  ])('%j is no time', (text) => {
    expect(parseTimeVal(text)).toBeUndefined()
  })

  it('never throws', () => {
    assert(
      property(string(), (text) => {
        parseTimeVal(text)
      }),
    )
  })
})

describe('formatTimeVal', () => {
  it('is the inverse, to the second', () => {
    assert(
      property(
        anyDate({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          const second = Math.floor(date.getTime() / 1000) * 1000
          expect(parseTimeVal(formatTimeVal(date))?.date.getTime()).toBe(second)
        },
      ),
    )
  })

  it('refuses what has no such form', () => {
    for (const date of [new Date(Number.NaN), new Date('-000001-01-01T00:00:00Z'), new Date(8.64e15)]) {
      expect(() => formatTimeVal(date)).toThrow(FtpError)
    }
  })
})

describe('civilTime', () => {
  it('agrees with Date wherever there is a date, and is NaN elsewhere', () => {
    assert(
      property(
        integer({ min: 100, max: 9999 }),
        integer({ min: 0, max: 14 }),
        integer({ min: 0, max: 33 }),
        (year, month, day) => {
          const time = civilTime(year, month, day)
          const date = new Date(Date.UTC(year, month - 1, day))
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0
          expect(time).toBe(exists ? date.getTime() : Number.NaN)
        },
      ),
    )
  })
})

describe('latestCivilTime', () => {
  it.each([
    ['2024-12-15T12:00Z', [8, 8, 14, 14], '2024-08-08T14:14Z'],
    ['2025-01-10T12:00Z', [10, 2, 10, 59], '2024-10-02T10:59Z'],
    // A day of grace, across the year's end as well.
    ['2024-06-15T12:00Z', [6, 16, 12, 0], '2024-06-16T12:00Z'],
    ['2024-06-15T12:00Z', [6, 16, 12, 1], '2023-06-16T12:01Z'],
    ['2024-12-31T23:00Z', [1, 1, 3, 0], '2025-01-01T03:00Z'],
    ['2024-12-31T23:00Z', [1, 2, 3, 0], '2024-01-02T03:00Z'],
    // 29 February goes back to a leap year.
    ['2017-02-28T12:00Z', [2, 29, 0, 0], '2016-02-29T00:00Z'],
    ['2016-02-28T12:00Z', [2, 29, 0, 0], '2016-02-29T00:00Z'],
    ['2015-06-01T12:00Z', [2, 29, 0, 0], '2012-02-29T00:00Z'],
    ['1903-06-01T12:00Z', [2, 29, 0, 0], '1896-02-29T00:00Z'],
  ] as const)('now %s', (now, [month, day, hour, minute], expected) => {
    expect(latestCivilTime(at(now), month, day, hour, minute)).toBe(at(expected))
  })

  it('is NaN for what is on no calendar, and without now', () => {
    expect(latestCivilTime(at('2024-06-01'), 11, 31, 0, 0)).toBeNaN()
    expect(latestCivilTime(at('2024-06-01'), 0, 1, 0, 0)).toBeNaN()
    expect(latestCivilTime(at('2024-06-01'), 1, 1, 25, 0)).toBeNaN()
    expect(latestCivilTime(Number.NaN, 1, 1, 0, 0)).toBeNaN()
  })
})

describe('zoneOffset', () => {
  it('reads minutes east of UTC', () => {
    expect(zoneOffset('Z')).toBe(0)
    expect(zoneOffset(' +0200')).toBe(120)
    expect(zoneOffset('-03:30')).toBe(-210)
    for (const zone of ['', 'CET', '+2', '+9900', '0200']) expect(zoneOffset(zone)).toBeNaN()
  })
})
