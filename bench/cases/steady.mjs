/** A very large file to and from the disk: memory stays flat, and the event loop free. */
import { runClient } from '../harness/child.mjs'

const MOST_BYTES = 80e6
const MOST_DELAY_MS = 20

export const steady = {
  name: 'steady',
  title: 'Memory and event-loop delay in one very large transfer',
  async run(context) {
    const bytes = (context.full ? 10 : 2) * 1024 ** 3
    const local = context.workspace.sparse('huge.bin', bytes)
    const server = await context.server('plain')
    const rows = []
    const goals = []
    for (const direction of ['download', 'upload']) {
      const sample = await runClient('ftpwire', 'steady', {
        ...server,
        direction,
        ...(direction === 'upload'
          ? { path: 'upload/huge.bin', local }
          : { path: 'huge.bin', local: context.workspace.local('huge.bin') }),
      })
      context.workspace.local('huge.bin')
      context.workspace.removeServed('upload/huge.bin')
      if (sample.bytes !== bytes) throw new Error(`${direction} of ${sample.bytes} bytes instead of ${bytes}`)
      rows.push({
        who: `ftpwire, ${direction} of ${bytes / 1024 ** 3} GiB`,
        result: `loop delay ${sample.delayP99Ms.toFixed(1)} ms (p99), ${sample.delayMaxMs.toFixed(1)} ms (worst)`,
        sample,
      })
      goals.push(
        {
          what: `${direction}: peak memory`,
          wanted: '< 80 MB',
          got: `${(sample.peakBytes / 1e6).toFixed(0)} MB`,
          met: sample.peakBytes < MOST_BYTES,
        },
        {
          what: `${direction}: worst event-loop delay`,
          wanted: `≤ ${MOST_DELAY_MS} ms`,
          got: `${sample.delayMaxMs.toFixed(1)} ms`,
          met: sample.delayMaxMs <= MOST_DELAY_MS,
        },
      )
    }
    return { rows, goals }
  },
}
