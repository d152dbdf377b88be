/** How long the event loop was held up, at worst and at the 99th percentile, in milliseconds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** @returns {() => { delayMaxMs: number, delayP99Ms: number }} stops watching and tells */
export function watchEventLoop() {
  const resolution = 1
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  return () => {
    histogram.disable()
    // The timer itself takes its resolution; what is more than that is delay.
    const overdue = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution)
    return { delayMaxMs: overdue(histogram.max), delayP99Ms: overdue(histogram.percentile(99)) }
  }
}
