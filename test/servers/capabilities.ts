/** What a server may be able to do, each with a question that shows it. */
import { join } from 'node:path'
import { FtpError, type FtpSession } from '../../src/index.ts'
import { clientFor, logIn, type AnyServer } from './any-server.ts'

/** Of `big.bin`. */
const HALF = 3_000_000

/** The one answer that a server may give now so, now so. */
export const KEPT_AFTER_ABORT = 'the session survives an abort'

export interface Probe {
  readonly server: AnyServer
  readonly session: FtpSession
}

type Answer = string | boolean | undefined

/** True or a text: it works. False or a refusal: it does not. Anything else thrown fails the run. */
export const CAPABILITIES: Readonly<Record<string, (probe: Probe) => Promise<Answer | void>>> = {
  'URL: `CWD` without an argument': async ({ server }) => {
    await using client = clientFor(server)
    await client.get(server.url('//etc/motd')).bytes()
  },
  'everything in one flight (`pipelining: "full"`)': async ({ server }) => {
    let logins = 0
    const onCommand = (command: string): void => void (command.startsWith('USER') && logins++)
    await using client = clientFor(server, { pipelining: 'full', onCommand })
    await client.get(server.url('/pub/hello.txt')).bytes()
    return logins === 1
  },
  '`EPSV`': ({ server }) => downloads(server, { passive: 'epsv' }),
  '`PORT`': ({ server }) => downloads(server, { dataMode: 'active' }),
  '`FEAT`': async ({ session }) => (await session.features()).size > 0,
  '`MLSD`': async ({ session }) => (await session.list('.', { command: 'mlsd' }).toArray()).length > 0,
  '`MLST`': async ({ session }) => (await session.quote('MLST bytes.bin')).kind === 'completion',
  '`STAT` of a folder': async ({ session }) =>
    (await session.list('.', { command: 'stat' }).toArray()).length > 0,
  '`NLST`': async ({ session }) => (await session.list('.', { command: 'nlst' }).toArray()).length > 0,
  '`SIZE`': async ({ session }) => (await session.size('bytes.bin')) === 1000,
  '`MDTM`': async ({ session }) => (await session.modified('bytes.bin')) !== undefined,
  'setting a time': async ({ session }) => {
    const date = new Date('2020-02-03T04:05:06Z')
    await session.setModified('bytes.bin', date)
    return (await session.modified('bytes.bin'))?.getTime() === date.getTime()
  },
  '`SITE CHMOD`': ({ session }) => session.chmod('bytes.bin', 0o644),
  '`REST` and `RETR`': async ({ session }) =>
    (await session.download('bytes.bin', { offset: 900 }).bytes()).length === 100,
  '`APPE`': async ({ session }) => {
    await session.upload({ text: 'a' }, 'log', { mode: 'append' })
    await session.upload({ text: 'b' }, 'log', { mode: 'append' })
    return (await session.download('log').text()) === 'ab'
  },
  '`REST` and `STOR`': async ({ session }) => {
    await session.upload(Buffer.alloc(500), 'part')
    return (await session.upload(Buffer.alloc(900), 'part', { mode: 'resume' })).bytes === 400
  },
  '`STOU`': async ({ session }) => {
    const { path } = await session.upload({ text: 'u' }, undefined, { mode: 'unique' })
    return path.length > 0 && (await session.download(path).text()) === 'u'
  },
  '`TYPE A`': async ({ session }) => {
    await session.upload({ text: 'a\nb\n' }, 'text', { type: 'A' })
    return (await session.download('text', { type: 'A' }).text()) === 'a\nb\n'
  },
  '`RNFR` and `RNTO`': async ({ session }) => {
    await session.upload({ text: 'x' }, 'from')
    await session.rename('from', 'to')
  },
  'a hash of a file': async ({ session, server }) => {
    const { hashed } = await session.downloadTo('bytes.bin', join(server.root, '..', 'hashed'), {
      verify: 'auto',
    })
    return hashed
  },
  '`AVBL`': async ({ session }) => (await session.available()) !== undefined,
  [KEPT_AFTER_ABORT]: async ({ server }) => {
    const kept = [await isKept(server), await isKept(server), await isKept(server)]
    return kept.every(Boolean) || (kept.some(Boolean) ? 'sometimes' : false)
  },
}

async function isKept(server: AnyServer): Promise<boolean> {
  await using session = await logIn(server, { timeouts: { abort: 10_000 } })
  let received = 0
  for await (const chunk of session.download('big.bin')) {
    received += (chunk as Buffer).length
    if (received > HALF) break
  }
  await session.noop().catch(() => undefined)
  return session.alive
}

async function downloads(server: AnyServer, options: Parameters<typeof logIn>[1]): Promise<boolean> {
  await using session = await logIn(server, options)
  return (await session.download('bytes.bin').bytes()).length === 1000
}

/** Only a refusal means that a server cannot: whatever else goes wrong is a fault. */
export function asAnswer(error: unknown): string {
  if (!(error instanceof FtpError) || !['permanent', 'transient', 'protocol'].includes(error.kind))
    throw error
  return error.reply === undefined ? 'no' : `no (${error.reply.code})`
}
