import { describe, expect, test } from 'vitest'
import { FAULT_SCENARIOS } from './fault-scenarios.ts'
import { faultsOf, play, type Mode } from './faults.ts'

/** The long run injects every fault; here, a few of each kind. */
const STEP = 23
const MODE: Mode = { segment: 'whole', pipelining: 'auto' }

describe('a fault in the middle of', () => {
  test.each(FAULT_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    '%s ends in one clean error or in success',
    async (_, scenario) => {
      const faults = await faultsOf(scenario, MODE)
      expect(faults.length).toBeGreaterThan(50)
      for (const [at, fault] of faults.entries()) if (at % STEP === 0) await play(scenario, MODE, fault)
    },
  )
})
