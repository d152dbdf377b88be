/** One attack on a session or a client as data: the server, what is done with it, and the one right result. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FtpClient } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpSession } from '../../src/client/session.ts'
import type { FtpErrorCode } from '../../src/errors.ts'
import { startScriptedServer, type Script, type ScriptedOptions } from '../support/scripted-server.ts'
import { startTableServer, type TableOptions } from '../support/table-server.ts'
import type { Handshake, Segment } from '../support/wire.ts'
import {
  handlesOpen,
  judgeFailure,
  judgeLines,
  judgeSecrets,
  TIMEOUTS,
  untilHandles,
  Watch,
} from './oracle.ts'
import { BOTH, CANARY, type Failure } from './row.ts'

/** What both kinds of server have. */
export interface AnyServer extends AsyncDisposable {
  readonly port: number
  readonly received: string[]
  readonly receivedBy: string[][]
  readonly receivedBytes: Buffer
  readonly handshakes: readonly Handshake[]
  readonly connections: number
  readonly dataConnections: number
  /** What the server holds; only of a table server. */
  readonly files?: ReadonlyMap<string, Buffer>
}

/** What an attack works with. */
export interface Stage {
  readonly server: AnyServer
  /** An empty folder that may be written to; nothing beside it may. */
  readonly folder: string
  /** The options of the scene, with short farewells and somebody who watches. */
  readonly options: FtpOptions
  /** An ftp URL of the server, with a user and the password that nobody must see. */
  readonly url: (path?: string) => string
  readonly session: (options?: FtpOptions) => Promise<FtpSession>
  readonly client: (options?: FtpOptions) => FtpClient
}

export interface Scene {
  readonly id: string
  readonly what: string
  readonly server:
    TableOptions | { readonly script: Script | readonly Script[]; readonly tls?: ScriptedOptions['tls'] }
  readonly work: (stage: Stage) => Promise<unknown>
  /** The failure, or what `work` gives. */
  readonly want: FtpErrorCode | Failure | { readonly gives: unknown }
  readonly options?: FtpOptions
  /** Name or address of the host in URLs. Default `127.0.0.1`. */
  readonly host?: string
  /** No command that matches may be received. */
  readonly never?: RegExp
  /** Control connections that may be made. */
  readonly connections?: number
  readonly segments?: readonly Segment[]
  /** A ClientHello meets a server that wants no TLS: what it receives is no command. */
  readonly unawareOfTls?: boolean
}

/** A scene, written short. */
export function scene(
  id: string,
  what: string,
  server: Scene['server'],
  work: Scene['work'],
  want: Scene['want'],
  rest: Omit<Scene, 'id' | 'what' | 'server' | 'work' | 'want'> = {},
): Scene {
  return { id, what, server, work, want, ...rest }
}

/** Names for `test.each`. */
export function casesOf(scenes: readonly Scene[]): ReadonlyArray<readonly [string, string, Segment, Scene]> {
  return scenes.flatMap((one) =>
    (one.segments ?? BOTH).map((segment) => [one.id, one.what, segment, one] as const),
  )
}

/** Plays the scene and judges it. */
export async function playScene(scene: Scene, segment: Segment): Promise<void> {
  const handles = handlesOpen()
  const above = await mkdtemp(join(tmpdir(), 'ftpwire-security-'))
  const folder = join(above, 'inside')
  await mkdir(folder)
  await writeFile(join(above, 'secret'), 'untouched')
  const watch = new Watch()
  const closers: Array<() => Promise<void>> = []
  try {
    await using server = await start(scene, segment)
    const stage = stageOf(scene, server, folder, watch, closers)
    let value: unknown
    let error: unknown
    try {
      value = await scene.work(stage)
    } catch (thrown) {
      error = thrown
    }
    judge(scene, value, error)
    for (const close of closers) await close()
    judgeSecrets(error, [value], watch)
    judgeServer(scene, server)
    await watch.untilAllGone()
    expect(await readdir(above)).toEqual(['inside', 'secret'])
    expect(await readFile(join(above, 'secret'), 'utf8')).toBe('untouched')
  } finally {
    watch.stop()
    await rm(above, { recursive: true, force: true })
  }
  await untilHandles(handles)
}

function start({ server }: Scene, segment: Segment): Promise<AnyServer> {
  if ('script' in server) {
    const { script, tls } = server
    return startScriptedServer(script, { segment, ...(tls === undefined ? {} : { tls }) })
  }
  return startTableServer({ ...server, segment })
}

function stageOf(
  scene: Scene,
  server: AnyServer,
  folder: string,
  watch: Watch,
  closers: Array<() => Promise<void>>,
): Stage {
  const { host = '127.0.0.1' } = scene
  const given: FtpOptions = { ...watch.options, ...scene.options }
  const merged = (more: FtpOptions = {}): FtpOptions => ({
    ...given,
    ...more,
    timeouts: { ...TIMEOUTS, ...scene.options?.timeouts, ...more.timeouts },
  })
  const url = (path = '/'): string => `ftp://u:${CANARY}@${host}:${server.port}${path}`
  return {
    server,
    folder,
    options: merged(),
    url,
    session: async (options) => {
      const session = await connect(url(), merged(options))
      closers.push(() => session.close())
      judgeSecrets(undefined, [session], watch)
      return session
    },
    client: (options) => {
      const client = new FtpClient(merged(options))
      closers.push(() => client.close())
      judgeSecrets(undefined, [client], watch)
      return client
    },
  }
}

function judge({ want }: Scene, value: unknown, error: unknown): void {
  if (typeof want === 'object' && 'gives' in want) {
    expect(error).toBeUndefined()
    expect(value).toEqual(want.gives)
    return
  }
  expect(value).toBeUndefined()
  judgeFailure(error, typeof want === 'string' ? { code: want } : want)
}

function judgeServer({ never, connections = 1, unawareOfTls }: Scene, server: AnyServer): void {
  if (unawareOfTls !== true) judgeLines(server.receivedBytes)
  expect(server.connections).toBeLessThanOrEqual(connections)
  if (never !== undefined) for (const line of server.received) expect(line).not.toMatch(never)
}
