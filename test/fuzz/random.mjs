// What all fuzzers share: their options, a generator that a seed repeats, and the report.
import { parseArgs } from 'node:util'

/** `--runs N`, `--seconds N`, `--seed N`. */
export function fuzzOptions(runsByDefault) {
  const { values } = parseArgs({
    options: { runs: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
  })
  const { runs, seconds } = values
  return {
    seed: Number(values.seed ?? Date.now() % 2 ** 31),
    runs: runs === undefined ? (seconds === undefined ? runsByDefault : Infinity) : Number(runs),
    deadline: seconds === undefined ? Infinity : performance.now() + Number(seconds) * 1000,
  }
}

/** mulberry32: the same seed gives the same run. */
export function randomOf(seed) {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(random() * limit)
  return { random, below, pick: (list) => list[below(list.length)] }
}

/** Runs `check` until the runs or the time are over; the first failure is shown and ends the process with 1. */
export async function fuzz(name, runsByDefault, check) {
  const { seed, runs, deadline } = fuzzOptions(runsByDefault)
  const tools = randomOf(seed)
  let done = 0
  for (; done < runs && performance.now() < deadline; done++) {
    const shown = {}
    try {
      await check(tools, shown)
    } catch (error) {
      console.error(`run ${done} of seed ${seed}:`, shown)
      console.error(error)
      process.exit(1)
    }
  }
  console.log(`${name}: ${done} runs, seed ${seed}`)
}
