/** The ten pieces of work that faults are injected into; each proves its own outcome. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FtpClient } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpSession } from '../../src/client/session.ts'
import { FtpError } from '../../src/errors.ts'
import { authority } from '../support/certificates.ts'
import type { TableOptions, TableServer } from '../support/table-server.ts'

export interface FaultScenario {
  readonly name: string
  readonly tls?: boolean
  /** A server that lies in its last reply cannot be seen through here: plain FTP has no other proof. */
  readonly unprovable?: boolean
  /** Rejects with whatever the library gives, or with an error of its own where a success is no success. */
  run(server: TableServer, options: FtpOptions, signal: AbortSignal): Promise<void>
}

const FILE = Buffer.alloc(100_000, 'payload ')

export function serverFor({ tls }: FaultScenario): TableOptions {
  return {
    files: { '/f': FILE, '/d/a': 'first', '/d/b': 'second', '/d/e/c': 'third' },
    dataTimeoutMs: 200,
    ...(tls === true ? { tls: { mode: 'explicit' } } : {}),
  }
}

/** A success that is none. */
export class FalseSuccess extends Error {}

function claim(fact: boolean, what: string): void {
  if (!fact) throw new FalseSuccess(`called a success, but ${what}`)
}

async function withSession(
  server: TableServer,
  options: FtpOptions,
  signal: AbortSignal,
  work: (session: FtpSession) => Promise<void>,
): Promise<void> {
  const session = await connect(server.url('/'), { ...options, signal })
  try {
    await work(session)
  } finally {
    await session.close()
  }
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ftpwire-faults-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const secure = (options: FtpOptions): FtpOptions => ({
  ...options,
  tls: 'explicit',
  tlsOptions: { ca: authority },
})

const login: FaultScenario['run'] = (server, options, signal) =>
  withSession(server, options, signal, async (session) => {
    claim((await session.pwd({ signal })) === '/', 'the directory is another')
  })

const get: FaultScenario['run'] = (server, options, signal) =>
  withSession(server, options, signal, async (session) => {
    claim((await session.download('f', { signal }).bytes()).equals(FILE), 'the bytes are others')
  })

const put: FaultScenario['run'] = (server, options, signal) =>
  withSession(server, options, signal, async (session) => {
    await session.upload(FILE, 'g', { signal })
    claim(server.files.get('/g')?.equals(FILE) === true, 'the server has other bytes')
  })

const list: FaultScenario['run'] = (server, options, signal) =>
  withSession(server, options, signal, async (session) => {
    const names = (await session.list('d', { signal }).toArray()).map(({ name }) => name)
    claim(names.toSorted().join() === 'a,b,e', `the names are ${names.join()}`)
  })

const resume: FaultScenario['run'] = (server, options, signal) =>
  withFolder((folder) =>
    withSession(server, options, signal, async (session) => {
      const path = join(folder, 'f')
      await writeFile(path, FILE.subarray(0, 40_000))
      await session.downloadTo('f', path, { resume: true, retries: 1, signal })
      claim((await readFile(path)).equals(FILE), 'the file is another')
    }),
  )

const abort: FaultScenario['run'] = (server, options, signal) =>
  withSession(server, options, signal, async (session) => {
    const first = session.download('f', { signal })
    await first.opened
    for await (const chunk of first) if (chunk !== undefined) break
    claim((await session.download('d/a', { signal }).text()) === 'first', 'the text is another')
  })

const mirror: FaultScenario['run'] = (server, options, signal) =>
  withFolder(async (folder) => {
    await using client = new FtpClient(options)
    const result = await client.mirror(server.url('/d/'), folder, { concurrency: 2, retries: 1, signal })
    for (const { action, error } of result.outcomes) {
      if (action === 'failed' && !(error instanceof FtpError)) throw new Error(String(error))
    }
    if (result.failed > 0) return
    const text = await readFile(join(folder, 'e', 'c'), 'utf8').catch(() => 'nothing')
    claim(text === 'third', `a file has ${text}`)
  })

const pool: FaultScenario['run'] = async (server, options, signal) => {
  await using client = new FtpClient({ ...options, maxSessions: 2 })
  const texts: string[] = []
  for (const name of ['a', 'b']) texts.push(await client.get(server.url(`/d/${name}`), { signal }).text())
  const more = ['e/c', 'a'].map((name) => client.get(server.url(`/d/${name}`), { signal }).text())
  const settled = await Promise.allSettled(more)
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason
    texts.push(one.value)
  }
  claim(texts.join() === 'first,second,third,first', `the texts are ${texts.join()}`)
}

export const FAULT_SCENARIOS: readonly FaultScenario[] = [
  { name: 'login', run: login },
  { name: 'get', run: get },
  { name: 'list', unprovable: true, run: list },
  { name: 'put', unprovable: true, run: put },
  { name: 'resume', run: resume },
  { name: 'abort', run: abort },
  { name: 'TLS login', tls: true, run: (server, options, signal) => login(server, secure(options), signal) },
  { name: 'TLS get', tls: true, run: (server, options, signal) => get(server, secure(options), signal) },
  { name: 'mirror', unprovable: true, run: mirror },
  { name: 'pool reuse', run: pool },
]
