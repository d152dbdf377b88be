/** What the cases share: servers, the large file, and how samples become rows and goals. */
import { basename } from 'node:path'
import { statSync } from 'node:fs'
import { alternate, median, medianRatio, spread } from './rounds.mjs'
import { startServer } from './servers.mjs'
import { digestOf } from './workspace.mjs'

export class Context {
  #servers = new Map()
  #large

  constructor({ workspace, rounds, megabytes, full }) {
    this.workspace = workspace
    this.rounds = rounds
    this.full = full
    this.megabytes = megabytes
  }

  /** Started when it is first asked for. @returns what a client has to know of it */
  async server(mode) {
    if (!this.#servers.has(mode))
      this.#servers.set(mode, await startServer({ root: this.workspace.root, mode }))
    return this.plainOf(this.#servers.get(mode))
  }

  plainOf({ kind, host, port, user, password }) {
    return { kind, host, port, user, password }
  }

  /** The file for throughput, made when it is first asked for. */
  async large() {
    if (this.#large === undefined) {
      const local = this.workspace.random('big.bin', this.megabytes)
      this.#large = {
        local,
        bytes: statSync(local).size,
        digest: await digestOf(local),
        name: basename(local),
      }
    }
    return this.#large
  }

  alternate(contestants, rounds = this.rounds) {
    return alternate(contestants, Math.min(rounds, this.rounds * 2))
  }

  /**
   * @param {Map<string, object[]>} samples
   * @param {{ label: string, of: (sample: any) => number, digits: number, more?: boolean }} measure
   * @param {string} reference whom the ratios are of
   * @param {Array<[who: string, other: string, limit: number]>} goals `who` is at most `limit` times `other`,
   * or at least, where more is better
   */
  table(samples, measure, reference, goals) {
    const values = new Map(
      [...samples].map(([who, taken]) => [who, taken.map((sample) => measure.of(sample))]),
    )
    const rows = [...samples].map(([who, taken]) => ({
      who,
      result: `${median(values.get(who)).toFixed(measure.digits)} ${measure.label}`,
      spread: taken.length > 2 ? spread(values.get(who)) : undefined,
      ratio: medianRatio(values.get(who), values.get(reference)),
      sample: middle(taken),
    }))
    const judged = goals
      .filter(([who, other]) => values.has(who) && values.has(other))
      .map(([who, other, limit]) => {
        const ratio = medianRatio(values.get(who), values.get(other))
        const met = measure.more === true ? ratio >= limit : ratio <= limit
        const wanted = `${measure.more === true ? '≥' : '≤'} ${limit} × ${other}`
        return { what: who, wanted, got: `${ratio.toFixed(2)} ×`, met }
      })
    return { rows, goals: judged }
  }

  /** Times over a link, counted in its round trips: the least of each, for a busy machine can only add to them. */
  trips(taken, roundTripMs, goals) {
    const count = (ms) => (ms === undefined ? '–' : (ms / roundTripMs).toFixed(1))
    const rows = []
    const judged = []
    for (const [who, samples] of taken) {
      const at = (pick) => {
        const times = samples.map((sample) => pick(sample)).filter((ms) => ms !== undefined)
        return times.length === 0 ? undefined : Math.min(...times)
      }
      const first = at((sample) => sample.first.firstByteMs)
      const next = at((sample) => sample.next?.firstByteMs)
      const nextText =
        next === undefined ? '' : `; next file ${count(next)}, ${count(at((sample) => sample.next.endMs))}`
      rows.push({
        who,
        result: `first byte ${count(first)}, end ${count(at((sample) => sample.first.endMs))}${nextText}`,
        sample: middle(samples),
      })
      const [toFirst, toNext] = goals[who] ?? []
      if (toFirst === undefined) continue
      // Half a round trip is more than any noise, and less than any round trip.
      const judge = (what, ms, wanted) =>
        judged.push({
          what,
          wanted: `${wanted} round trips`,
          got: count(ms),
          met: ms / roundTripMs < wanted + 0.5,
        })
      judge(`${who}: first byte from nothing`, first, toFirst)
      judge(`${who}: first byte of the next file`, next, toNext)
    }
    return { rows, goals: judged }
  }

  async close() {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
  }
}

/** CPU and memory of a row are medians of their own. */
function middle(samples) {
  return {
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
    peakBytes: median(samples.map(({ peakBytes }) => peakBytes)),
  }
}
