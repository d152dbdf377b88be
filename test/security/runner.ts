/** Plays one row and judges it by the oracle that all rows share. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { DownloadResult } from '../../src/client/incoming.ts'
import type { FtpOptions } from '../../src/client/options.ts'
import { get } from '../../src/client/verbs.ts'
import { FTP_ERROR_CODES, FtpError } from '../../src/errors.ts'
import { startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts'
import type { Segment } from '../support/wire.ts'
import { CANARY, type Failure, type Row, type Success } from './row.ts'

const TIMEOUTS = {
  connect: 5000,
  tls: 5000,
  reply: 10_000,
  stall: 10_000,
  finalReply: 10_000,
  close: 30,
  abort: 300,
}

/** What may stand in a message: no C0 but a line feed, no DEL, no C1, nothing that turns text around. */
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

interface Outcome {
  readonly data?: Buffer
  readonly result?: DownloadResult
  readonly error?: unknown
}

/** Whatever a watcher of the client sees. */
class Watch {
  readonly events: string[] = []
  readonly dialled: string[] = []
  readonly sockets: Socket[] = []
  readonly #onSocket = (message: unknown): void => {
    this.sockets.push((message as { socket: Socket }).socket)
  }
  readonly #onEvent = (message: unknown): void => {
    this.events.push(inspect(message, { depth: 5 }))
  }

  constructor() {
    subscribe('net.client.socket', this.#onSocket)
    for (const name of CHANNELS) subscribe(name, this.#onEvent)
  }

  stop(): void {
    unsubscribe('net.client.socket', this.#onSocket)
    for (const name of CHANNELS) unsubscribe(name, this.#onEvent)
  }

  get options(): FtpOptions {
    return {
      onCommand: (command) => this.events.push(command),
      onReply: (reply) => this.events.push(inspect(reply), reply.toString()),
      allowAddress: (address, port, purpose) => {
        if (purpose === 'data') this.dialled.push(`${address}:${port}`)
        return true
      },
    }
  }
}

const CHANNELS = ['ftpwire:command', 'ftpwire:reply', 'ftpwire:transfer'] as const

export async function playRow(row: Row, segment: Segment): Promise<void> {
  const handles = handlesOpen()
  const doors = await openDoors()
  const script = typeof row.server === 'function' ? row.server({ door: doors.text }) : row.server
  const server = await startScriptedServer(script, { segment })
  const watch = new Watch()
  try {
    const outcome = await attempt(row, server, watch)
    judge(row, outcome)
    judgeSecrets(outcome, watch)
    judgeWire(row, server, watch)
    expect(doors.decoyed).toBe(0)
    // Every socket of this end goes by itself, before the server goes.
    while (watch.sockets.some((socket) => !socket.destroyed)) await turn()
  } finally {
    watch.stop()
    await Promise.all([server.close(), doors.close()])
  }
  while (handlesOpen() > handles) await turn()
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
  expect(error).toBeInstanceOf(FtpError)
  if (!(error instanceof FtpError)) return
  expect(error).toMatchObject(failure)
  expect(FTP_ERROR_CODES).toContain(error.code)
  expect(error.phase).toBeDefined()
  expect(error.message).not.toMatch(UNPRINTABLE)
  expect(error.reply?.text ?? '').not.toMatch(UNPRINTABLE)
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

function judgeSecrets({ error, result }: Outcome, { events }: Watch): void {
  const shown = [
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(error) ?? '',
    String(error instanceof Error ? error.stack : error),
    inspect(result, { depth: 9 }),
    ...events,
  ]
  for (const text of shown) expect(text).not.toContain(CANARY)
}

function judgeWire({ connections = 1, dials = true }: Row, server: ScriptedServer, { dialled }: Watch): void {
  const lines = server.receivedBytes.toString('latin1').split(/(?<=\r\n)/)
  for (const line of lines) if (line !== '') expect(line).toMatch(/^[A-Z][A-Z0-9]{2,7}( [^\r\n\0]*)?\r\n$/)
  expect(server.connections).toBeLessThanOrEqual(connections)
  if (!dials) expect(dialled).toEqual([])
  for (const address of dialled) expect(address).toMatch(/^127\.0\.0\.1:/)
}

function handlesOpen(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length
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
