import { expect, test } from 'vitest'
import { bytePart } from '../../src/fetch/byte-range.ts'

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-4', { first: 2, last: 4 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=2-99999999999999999999999', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  [' BYTES = 2 - 4 ', { first: 2, last: 4 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=4-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=0x1-4', undefined],
  ['lines=0-1', undefined],
  ['', undefined],
])('%j of ten bytes', (header, part) => {
  expect(bytePart(header, 10)).toEqual(part)
})

test.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('%j of an empty file', (header) => {
  expect(bytePart(header, 0)).toBe('unsatisfiable')
})
