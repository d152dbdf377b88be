import { describe, expect, test } from 'vitest'
import { startDelayLink } from './delay-link.mjs'
import { dial } from './peer.ts'
import { startTableServer } from './table-server.ts'

const ROUND_TRIP_MS = 80

// Only Linux has more than one address on its loopback without being told.
describe.runIf(process.platform === 'linux')('the delay link', () => {
  test('lets a greeting take two round trips, a reply one, data after RETR with its SYN two', async () => {
    await using server = await startTableServer({ files: { '/a': 'abc' } })
    await using link = await startDelayLink({ port: server.port, roundTripMs: ROUND_TRIP_MS })
    const trips = async (work: () => Promise<unknown>): Promise<number> => {
      const before = performance.now()
      await work()
      return (performance.now() - before) / ROUND_TRIP_MS
    }
    const took: number[] = []
    const peer = dial(link)
    took.push(await trips(() => peer.until(/^220/)))
    took.push(await trips(() => peer.ask('USER u\r\nPASS p\r\nTYPE I', /^200/m)))
    let port = 0
    took.push(
      await trips(async () => {
        const [, high, low] = await peer.ask('PASV', /\(127,0,0,2,(\d+),(\d+)\)/)
        port = Number(high) * 256 + Number(low)
      }),
    )
    took.push(
      await trips(async () => {
        const data = dial({ host: link.host, port })
        await Promise.all([peer.ask('RETR a', /^226/m), data.until(/^abc$/)])
        await data.closed
      }),
    )
    expect(took.map((trip) => Math.round(trip * 2) / 2)).toEqual([2, 1, 1, 2])
  })

  test('carries resets, and ends with connections open', async () => {
    await using server = await startTableServer({ replies: { NOOP: (_, { control }) => control.rst() } })
    const link = await startDelayLink({ port: server.port, roundTripMs: 4 })
    const peer = dial(link)
    await peer.until(/^220/)
    peer.socket.write('NOOP\r\n')
    await peer.closed
    expect(peer.error).toMatchObject({ code: 'ECONNRESET' })
    const idle = dial(link)
    await idle.until(/^220/)
    await link.close()
    await idle.closed
  })
})
