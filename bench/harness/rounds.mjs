/** Runs contestants in turn, so that whatever else the machine does falls on all of them alike. */

/**
 * Round by round, each round beginning with another contestant.
 *
 * @template T
 * @param {ReadonlyMap<string, () => Promise<T>>} contestants
 * @returns {Promise<Map<string, T[]>>} the samples of each, in their order
 */
export async function alternate(contestants, rounds) {
  const entries = [...contestants]
  const samples = new Map(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, run] = entries[(round + turn) % entries.length]
      samples.get(name).push(await run())
    }
  }
  return samples
}

export function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Half the distance between the quartiles, as a part of the median: how far the samples can be trusted. */
export function spread(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  const at = (part) => sorted[Math.round(part * (sorted.length - 1))]
  return (at(0.75) - at(0.25)) / 2 / (median(numbers) || 1)
}

/**
 * The median of the ratios within each round: a disturbance that lasts longer than a round falls out of it.
 */
export function medianRatio(samples, others) {
  return median(samples.map((sample, round) => sample / others[round]))
}
