/** Starts a real FTP server on a free loopback port, waits until it greets, and ends it with all its sessions. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { runContained, serveContained, type ContainedProcess } from './contained-process.ts'
import { ENTRIES, recipeFor, type Recipe, type ServerKind, type ServerMode } from './recipes.ts'
import { makeHome, PASSWORD, USER, type HomeOptions } from './server-home.ts'

export type { ServerKind, ServerMode } from './recipes.ts'

export const SERVER_KINDS: readonly ServerKind[] = [
  'vsftpd',
  'proftpd',
  'pure-ftpd',
  'pyftpdlib',
  'inetutils',
]

export interface RealServer extends AsyncDisposable {
  readonly kind: ServerKind
  readonly mode: ServerMode
  readonly host: '127.0.0.1'
  readonly port: number
  /** May write in `upload`; `anonymous` may read. */
  readonly user: string
  readonly password: string
  /** What is served, as it stands on the disk. */
  readonly root: string
  url(path?: string, userInfo?: string): string
  /** Ends the server and every session, and removes what was made for it. */
  close(): Promise<void>
}

export function modesOf(kind: ServerKind): readonly ServerMode[] {
  return ENTRIES[kind].modes
}

/** Whether it can be started here: the program is there, and this process may make namespaces. */
export function isInstalled(kind: ServerKind): boolean {
  if (!existsSync(ENTRIES[kind].program) || !mayContain()) return false
  return kind !== 'pyftpdlib' || succeeds('/usr/bin/python3', ['-c', 'import pyftpdlib, OpenSSL'])
}

let contains: boolean | undefined
function mayContain(): boolean {
  return (contains ??= succeeds('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'true']))
}

function succeeds(program: string, words: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0
}

/**
 * Without a `root`, a copy of `fixtures/site` is served; in a given one a folder `upload` is made. `certificate` is
 * one of `fixtures/tls`; `timeZone` (POSIX: `<+0530>-5:30`) is what the server's clock shows in listings.
 */
export async function startRealServer(
  kind: ServerKind,
  options: { mode?: ServerMode } & HomeOptions = {},
): Promise<RealServer> {
  const { mode = 'plain', ...homely } = options
  if (!modesOf(kind).includes(mode)) throw new Error(`${kind} has no mode ${mode}`)
  const home = makeHome(homely)
  try {
    const running = await started(kind, mode, (port) => recipeFor(kind, { home, mode, port }))
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => (closing ??= running.end().then(() => home.remove()))
    const scheme = mode === 'implicit' ? 'ftps' : 'ftp'
    return {
      kind,
      mode,
      host: '127.0.0.1',
      port: running.port,
      user: USER,
      password: PASSWORD,
      root: home.root,
      url: (path = '/', userInfo) =>
        `${scheme}://${userInfo === undefined ? '' : `${userInfo}@`}127.0.0.1:${running.port}${path}`,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    home.remove()
    throw error
  }
}

interface Running {
  readonly port: number
  end(): Promise<void>
}

async function started(
  kind: ServerKind,
  mode: ServerMode,
  recipeAt: (port: number) => Recipe,
): Promise<Running> {
  const atZero = recipeAt(0)
  if (atZero.perConnection) return serveEach(atZero)
  // Another process may take the port between its choice and its use.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = runContained(recipeAt(port))
    if (await ready(port, mode, server)) return { port, end: () => server.end() }
    await server.end()
    if (attempt === 3)
      throw new Error(`${kind} (${mode}) did not start: ${server.output.trim() || 'no output'}`)
  }
}

/** What inetd does: a program for each connection. */
async function serveEach(recipe: Recipe): Promise<Running> {
  const sessions = new Set<ContainedProcess>()
  const listener = createServer({ pauseOnConnect: true }, (socket) =>
    sessions.add(serveContained(recipe, socket)),
  )
  const port = await listening(listener)
  return {
    port,
    async end() {
      const closed = new Promise((resolve) => listener.close(resolve))
      await Promise.all([...sessions].map((session) => session.end()))
      await closed
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listening(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Ready is who greets; with implicit TLS nobody does, and then it is who accepts. */
async function ready(port: number, mode: ServerMode, server: ContainedProcess): Promise<boolean> {
  const deadline = performance.now() + 5000
  while (performance.now() < deadline && !server.gone) {
    const socket = connect(port, '127.0.0.1')
    const up = await (mode === 'implicit' ? accepted(socket) : greeted(socket))
    socket.destroy()
    if (up) return true
    await sleep(10)
  }
  return false
}

function accepted(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
}

function greeted(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (/^220[ -]/.test(text)) resolve(true)
    })
    socket.setTimeout(5000, () => resolve(false))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
