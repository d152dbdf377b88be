import { expect, test } from 'vitest'
import { backOffMs } from '../../src/client/repeater.ts'

test.each([
  [0, 0, 125],
  [0, 1, 250],
  [1, 0.5, 375],
  [3, 1, 2000],
  [6, 0, 5000],
  [1000, 1, 10_000],
])('J08: after %i breaks, and with chance at %d, it waits %d ms', (breaks, random, ms) => {
  expect(backOffMs(breaks, random)).toBe(ms)
})
