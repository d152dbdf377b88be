/** Plays one row and judges it by the oracle that all rows share. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect } from 'vitest'
import type { DownloadResult } from '../../src/client/incoming.ts'
import { get } from '../../src/client/verbs.ts'
import { startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts'
import type { Segment } from '../support/wire.ts'
import {
  handlesOpen,
  judgeFailure,
  judgeLines,
  judgeSecrets,
  TIMEOUTS,
  untilHandles,
  Watch,
} from './oracle.ts'
import { CANARY, type Failure, type Row, type Success } from './row.ts'

interface Outcome {
  readonly data?: Buffer
  readonly result?: DownloadResult
  readonly error?: unknown
}

export async function playRow(row: Row, segment: Segment): Promise<void> {
  const handles = handlesOpen()
  const doors = await openDoors()
  const script = typeof row.server === 'function' ? row.server({ door: doors.text }) : row.server
  const server = await startScriptedServer(script, { segment })
  const watch = new Watch()
  try {
    const outcome = await attempt(row, server, watch)
    judge(row, outcome)
    judgeSecrets(outcome.error, [outcome.result], watch)
    judgeWire(row, server, watch)
    expect(doors.decoyed).toBe(0)
    // Before the server goes.
    await watch.untilAllGone()
  } finally {
    watch.stop()
    await Promise.all([server.close(), doors.close()])
  }
  await untilHandles(handles)
}

async function attempt(row: Row, server: ScriptedServer, watch: Watch): Promise<Outcome> {
  const { path = '/f', options = {} } = row
  const url = server.url(path).replace('//', `//u:${CANARY}@`)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  try {
    const download = get(url, { ...watch.options, ...options, timeouts })
    const data = await download.bytes()
    return { data, result: await download.result }
  } catch (error) {
    return { error }
  }
}

function judge({ want }: Row, { data, result, error }: Outcome): void {
  if (typeof want === 'object' && 'data' in want) return judgeSuccess(want, data, result, error)
  const failure: Failure = typeof want === 'string' ? { code: want } : want
  expect(data?.toString('latin1')).toBeUndefined()
  judgeFailure(error, failure)
}

function judgeSuccess(
  want: Success,
  data: Buffer | undefined,
  result: DownloadResult | undefined,
  error: unknown,
): void {
  expect(error).toBeUndefined()
  expect(data?.toString('latin1')).toBe(want.data)
  if (want.verified !== undefined) expect(result?.verified).toBe(want.verified)
}

function judgeWire({ connections = 1, dials = true }: Row, server: ScriptedServer, { dialled }: Watch): void {
  judgeLines(server.receivedBytes)
  expect(server.connections).toBeLessThanOrEqual(connections)
  if (!dials) expect(dialled).toEqual([])
  for (const address of dialled) expect(address).toMatch(/^127\.0\.0\.1:/)
}

interface OpenDoors {
  readonly text: string
  readonly decoyed: number
  close(): Promise<void>
}

/** A door at 127.0.0.1, and a decoy behind the same port of another address, where the system has one. */
async function openDoors(): Promise<OpenDoors> {
  let decoyed = 0
  const door = createServer((socket) => socket.on('error', () => undefined).end('data'))
  await listening(door, '127.0.0.1', 0)
  const { port } = door.address() as AddressInfo
  const decoy = createServer((socket) => {
    decoyed++
    socket.on('error', () => undefined).destroy()
  })
  const decoys = await listening(decoy, '127.0.0.2', port).catch(() => false)
  return {
    text: `${port >> 8},${port & 255}`,
    get decoyed() {
      return decoyed
    },
    close: async () => {
      await closed(door)
      if (decoys) await closed(decoy)
    },
  }
}

function listening(server: Server, host: string, port: number): Promise<true> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(true))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
