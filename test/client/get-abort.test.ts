/** Downloads that end before their time, at every phase. */
import { getEventListeners } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FtpClient } from '../../src/client/client.ts'
import { get } from '../../src/client/verbs.ts'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import type { FtpSrvServer } from '../support/ftp-srv-server.d.mts'
import { startScriptedServer, type Script } from '../support/scripted-server.ts'

const SIZE = 8 * 1024 * 1024
const whole = Buffer.alloc(SIZE, 'abcdefghijklmnopqrstuvwxyz\n')

let folder: string
let server: FtpSrvServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-abort-'))
  await writeFile(join(folder, 'big'), whole)
  await writeFile(join(folder, 'small'), 'small')
  server = await startFtpSrv({ root: folder })
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const TIMEOUTS = { abort: 100, close: 50 }

const LOGIN: Script = [
  { send: '220 hi\r\n' },
  { expect: 'USER anonymous' },
  { send: '331 who?\r\n' },
  { expect: 'PASS anonymous@' },
  { send: '230 in\r\n' },
  { expect: 'TYPE I' },
  { send: '200 ok\r\n' },
  { expect: 'SIZE f' },
]
const OPEN: Script = [
  ...LOGIN,
  { send: '213 8\r\n' },
  { openData: true },
  { expect: 'PASV' },
  { send: '227 ({{pasv}})\r\n' },
]

/** Where each server falls silent. */
const PHASES: ReadonlyArray<readonly [phase: string, script: Script]> = [
  ['greeting', []],
  ['USER', LOGIN.slice(0, 2)],
  ['a flight', LOGIN],
  ['PASV', OPEN.slice(0, -1)],
  ['RETR', [...OPEN, { expect: 'RETR f' }]],
  [
    'data',
    [...OPEN, { acceptData: true }, { expect: 'RETR f' }, { send: '150 ok\r\n' }, { dataSend: 'data' }],
  ],
  [
    'the final reply',
    [
      ...OPEN,
      { acceptData: true },
      { expect: 'RETR f' },
      { send: '150 ok\r\n' },
      { dataSend: 'databyte' },
      { fin: 'data' },
    ],
  ],
]

describe('an AbortSignal (L03)', () => {
  test.each(PHASES)('while waiting for %s', async (_, script) => {
    await using silent = await startScriptedServer([...script, { awaitEnd: true }])
    const controller = new AbortController()
    const failed = get(silent.url('/f'), { signal: controller.signal, timeouts: TIMEOUTS }).bytes()
    failed.catch(() => undefined)
    // The server has said all that it will.
    const last = script.findLast((step) => 'expect' in step)
    await expect
      .poll(
        () =>
          silent.connections === 1 && (last === undefined || silent.received.includes(String(last.expect))),
      )
      .toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort()
    await expect(failed).rejects.toMatchObject({
      code: 'FTP_ABORTED',
      kind: 'aborted',
      cause: { name: 'AbortError' },
    })
    await silent.closed
  })

  test('fired before', async () => {
    const before = server.log.length
    const signal = AbortSignal.abort(new Error('no'))
    for (const take of [
      () => get(server.url('/small'), { signal }).bytes(),
      () => get(server.url('/small'), { signal }).saveTo(join(folder, 'copy')),
      () => get(server.url('/small'), { signal }).opened,
      async () => {
        for await (const _ of get(server.url('/small'), { signal }));
      },
    ])
      await expect(take()).rejects.toMatchObject({ code: 'FTP_ABORTED', cause: { message: 'no' } })
    expect(server.log).toHaveLength(before)
    expect(await readdir(folder)).toHaveLength(2)
  })

  test('fired after does nothing, and no listener is left', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const download = get(server.url('/small'), { signal })
    expect(await download.text()).toBe('small')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    controller.abort()
    expect(download.errored).toBeNull()
  })

  test('while a name is resolved, or a connection made', async () => {
    const controller = new AbortController()
    const lookup = (): void => controller.abort()
    await expect(get('ftp://a.test/f', { lookup, signal: controller.signal }).bytes()).rejects.toMatchObject({
      code: 'FTP_ABORTED',
    })
    const stuck = new AbortController()
    const connect = (): Promise<never> => {
      stuck.abort()
      return new Promise(() => undefined)
    }
    await expect(get('ftp://a.test/f', { connect, signal: stuck.signal }).bytes()).rejects.toMatchObject({
      code: 'FTP_ABORTED',
    })
  })
})

describe('time (phases that no server can show by silence alone)', () => {
  test('timeoutMs ends the whole of it', async () => {
    await using slow = await startScriptedServer([
      ...OPEN,
      { acceptData: true },
      { expect: 'RETR f' },
      { send: '150 ok\r\n' },
      { dataSendForever: 'x', everyMs: 5 },
    ])
    await expect(get(slow.url('/f'), { timeoutMs: 200, timeouts: TIMEOUTS }).bytes()).rejects.toMatchObject({
      code: 'FTP_TIMEOUT',
      // The caller's own limit: not worth another try.
      kind: 'aborted',
    })
  })

  test('a connection hook that never comes back', async () => {
    const connect = (): Promise<never> => new Promise(() => undefined)
    await expect(get('ftp://a.test/f', { connect, timeouts: { connect: 50 } }).bytes()).rejects.toMatchObject(
      { code: 'FTP_TIMEOUT', phase: 'connect' },
    )
  })

  test('a port that nobody listens on', async () => {
    const door = createServer()
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as AddressInfo
    await new Promise((resolve) => door.close(resolve))
    await expect(get(`ftp://127.0.0.1:${port}/f`).bytes()).rejects.toMatchObject({
      code: 'FTP_CONNECT_FAILED',
      kind: 'connection',
      phase: 'connect',
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

describe('a reader that stops (D18)', () => {
  test('breaking out of an iterator ends the transfer; the session stays in step', async () => {
    await using client = new FtpClient({ maxSessions: 1, timeouts: { abort: 2000 } })
    for (let round = 0; round < 3; round++) {
      for await (const chunk of client.get(server.url('/big'))) {
        expect((chunk as Buffer).length).toBeGreaterThan(0)
        break
      }
      expect(await client.get(server.url('/small')).text()).toBe('small')
    }
  })

  test.each([
    ['without an error', undefined],
    ['with an error', new Error('mine')],
  ])('destroying the stream %s', async (_, error) => {
    const download = get(server.url('/big'), { timeouts: TIMEOUTS })
    download.on('error', () => undefined)
    await download.opened
    download.destroy(error)
    await expect(download.result).rejects.toMatchObject({ code: 'FTP_ABORTED' })
  })

  test('destroying what was never begun sends nothing', async () => {
    const before = server.log.length
    const download = get(server.url('/big'))
    download.destroy()
    await expect(download.result).rejects.toMatchObject({ code: 'FTP_ABORTED' })
    await expect(download.opened).rejects.toMatchObject({ code: 'FTP_ABORTED' })
    expect(server.log).toHaveLength(before)
  })

  test('a slow reader holds the server back, and gets every byte', async () => {
    const download = get(server.url('/big'), { timeouts: { stall: 150 } })
    let held = 0
    const parts: Buffer[] = []
    for await (const chunk of download) {
      parts.push(chunk as Buffer)
      if (held++ < 3) await new Promise((resolve) => setTimeout(resolve, 100))
      // The high-water mark, and one read of at most 1 MiB beyond it.
      expect(download.readableLength).toBeLessThanOrEqual(256 * 1024 + 1024 * 1024)
    }
    expect(Buffer.concat(parts).equals(whole)).toBe(true)
  })
})
