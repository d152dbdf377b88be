import { afterAll, describe, expect, test } from 'vitest'
import { FAULT_SCENARIOS } from '../fault-scenarios.ts'
import { faultsOf, play, type Mode } from '../faults.ts'

const MODES: readonly Mode[] = [
  { segment: 'whole', pipelining: 'auto' },
  { segment: 'bytes', pipelining: 'off' },
]

let injected = 0

describe.each(FAULT_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
  test.each(MODES.map((mode) => [mode.segment, mode.pipelining, mode] as const))(
    'every fault at every event (%s, pipelining %s)',
    async (_segment, _pipelining, mode) => {
      for (const fault of await faultsOf(scenario, mode)) {
        injected++
        await play(scenario, mode, fault).catch((error: unknown) => {
          throw new Error(`${JSON.stringify(fault)}: ${String(error)}`, { cause: error })
        })
      }
    },
  )
})

afterAll(() => {
  console.log(`${injected} faults injected`)
  expect(injected).toBeGreaterThanOrEqual(7500)
})
