/** Round trips to the first byte and to the end of a small file, over a link of 200 ms. */
import { startDelayLink } from '../../test/support/delay-link.mjs'
import { isInstalled, runClient, runTool } from '../harness/child.mjs'
import { urlOf } from './transfers.mjs'

const ROUND_TRIP_MS = 200
const ROUNDS = 4
/** The next file is asked for after a pause, in which `'full'` learns its port. */
const FILE = { path: 'a/b/c.txt', nextPath: 'a/b/d.txt', pauseMs: 2 * ROUND_TRIP_MS }

/** What each is expected to need: to the first byte from nothing, and to that of the next file. */
const GOALS = { 'ftpwire, anonymous': [6, 3], 'ftpwire, named user': [7, 3], "ftpwire, 'full'": [5, 2] }

export const roundTrips = {
  name: 'round-trips',
  title: `Round trips for ftp://h/${FILE.path} from nothing, and for the next file (${ROUND_TRIP_MS} ms each)`,
  async run(context) {
    for (const name of ['c.txt', 'd.txt']) context.workspace.text(`a/b/${name}`, `This is ${name}.\n`)
    const server = await context.server('plain')
    const anonymous = { user: 'anonymous', password: 'anonymous@' }
    const contestants = new Map([
      ["ftpwire, 'full'", (task) => runClient('ftpwire', 'trips', { ...task, pipelining: 'full' })],
      ['ftpwire, anonymous', (task) => runClient('ftpwire', 'trips', { ...task, ...anonymous })],
      ['ftpwire, named user', (task) => runClient('ftpwire', 'trips', task)],
      ["ftpwire, 'off'", (task) => runClient('ftpwire', 'trips', { ...task, pipelining: 'off' })],
      ['basic-ftp', (task) => runClient('basic-ftp', 'trips', task)],
      ['get-uri', (task) => runClient('get-uri', 'trips', task)],
      ['curl', async (task) => overall(await runTool('curl', ['-sSN', urlOf(task)]))],
      ['lftp', async (task) => overall(await runTool('lftp', ['-c', `cat ${urlOf(task)}`]))],
    ])
    for (const program of ['curl', 'lftp']) if (!isInstalled(program)) contestants.delete(program)
    // All at once, each over a link of its own: they only wait.
    const taken = await Promise.all(
      [...contestants].map(async ([name, run], number) => {
        const link = await startDelayLink({
          port: server.port,
          roundTripMs: ROUND_TRIP_MS,
          linkHost: `127.0.0.${number + 2}`,
        })
        const samples = []
        try {
          for (let round = 0; round < ROUNDS; round++)
            samples.push(await run({ ...server, ...FILE, host: link.host }))
        } finally {
          await link.close()
        }
        return [name, samples]
      }),
    )
    return context.trips(taken, ROUND_TRIP_MS, GOALS)
  },
}

/** A program's first and last output; its own start is in it, a hundredth of a second or two. */
function overall({ firstByteMs, endMs, ...sample }) {
  return { ...sample, first: { firstByteMs, endMs } }
}
