/** Groups B, L and M with sessions: ends at any moment, aborts, callbacks that fail, options that mean harm. */
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpSession } from '../../src/client/session.ts'
import { FtpError } from '../../src/errors.ts'
import type { Answer, TableOptions } from '../support/table-server.ts'
import { scene, type Scene, type Stage } from './scene.ts'

const FILE = Buffer.alloc(300_000, 'data')
const FILES = { '/f': FILE, '/d/x': 'x' }

function answering(replies: Readonly<Record<string, Answer>>, rest: TableOptions = {}): TableOptions {
  return { files: FILES, replies, ...rest }
}

/** One of everything. */
async function everything({ session }: Stage): Promise<void> {
  const one = await session()
  await one.pwd()
  await one.cwd('/')
  await one.stat('f')
  await one.size('f')
  await one.modified('f')
  await one.download('f', { offset: 10 }).bytes()
  await one.list('d').toArray()
  await one.upload(Buffer.from('new'), 'g')
  await one.mkdir('e')
  await one.rename('g', 'h')
  await one.delete('h')
  await one.rmdir('e')
}

const VERBS =
  'USER PASS FEAT PWD OPTS CWD TYPE MLST SIZE MDTM REST PASV RETR MLSD STOR MKD RNFR RNTO DELE RMD'.split(' ')

const UNAVAILABLE: readonly Scene[] = [
  ...VERBS.map((verb) =>
    scene(
      'B13',
      `421 to ${verb}`,
      answering({ [verb]: '421 Timeout' }),
      everything,
      'FTP_SERVICE_UNAVAILABLE',
    ),
  ),
  scene(
    'B13',
    '421 to EPSV',
    answering({ PASV: '502 no', EPSV: '421 Timeout' }),
    everything,
    'FTP_SERVICE_UNAVAILABLE',
  ),
  ...['AUTH', 'PBSZ', 'PROT'].map((verb) =>
    scene(
      'B13',
      `421 to ${verb}`,
      answering({ [verb]: '421 Timeout' }, { tls: { mode: 'explicit' } }),
      everything,
      'FTP_SERVICE_UNAVAILABLE',
      { options: { tls: 'explicit', tlsOptions: { rejectUnauthorized: false } } },
    ),
  ),
  scene('B13', '421 as a greeting', { greeting: '421 Timeout' }, everything, 'FTP_SERVICE_UNAVAILABLE'),
  ...['RETR', 'STOR', 'MLSD'].map((verb) =>
    scene(
      'B13',
      `421 behind the 150 of ${verb}`,
      { files: FILES, transfer: (now) => (now === verb ? { closing: '421 Timeout' } : {}) },
      everything,
      'FTP_SERVICE_UNAVAILABLE',
    ),
  ),
  scene(
    'B13',
    '421 while nothing is asked',
    answering({
      NOOP: async (_, { send }) => {
        await send('200 ok')
        await send('421 Timeout')
      },
    }),
    async ({ session }) => {
      const one = await session()
      await one.noop()
      while (one.alive) await new Promise((resolve) => setImmediate(resolve))
      await one.noop()
    },
    'FTP_CLOSED',
  ),
]

const FAREWELLS: readonly Scene[] = (
  [
    ['no answer', ''],
    ['a megabyte', `221-${'x'.repeat(1_000_000)}`],
    ['a reset', (_: string, { control }: { control: { rst(): void } }) => control.rst()],
    ['421', '421 bye'],
    ['two replies', '221 bye\r\n221 bye'],
    ['an upload of its own', '150 take this'],
  ] as const
).map(([what, QUIT]) =>
  scene(
    'B20',
    `QUIT gets ${what}`,
    answering({ QUIT }),
    async ({ session }) => {
      const one = await session()
      await Promise.all([one.close(), one.close()])
      return one.alive
    },
    { gives: false },
    { segments: ['whole'] },
  ),
)

/** A download is broken off, another one follows: it is exact, or the session has ended. */
async function abortThenGet({ session }: Stage): Promise<string> {
  const one = await session()
  const big = one.download('big')
  await big.opened
  for await (const chunk of big) {
    if (chunk !== undefined) break
  }
  try {
    const bytes = await one.download('f').bytes()
    return bytes.equals(FILE) ? 'exact' : 'other bytes'
  } catch (error) {
    return error instanceof FtpError && !one.alive ? 'closed' : String(error)
  }
}

const ABORTS: readonly Scene[] = (
  [
    ['426 and 226', '226 aborted', '426 broken off', 'exact'],
    ['426 alone', '', '426 broken off', 'exact'],
    ['226 alone', '226 aborted', '', 'exact'],
    ['225 alone', '225 nothing to abort', '', 'closed'],
    ['nothing', '', '', 'closed'],
    ['three replies', '226 one\r\n226 two', '426 broken off', 'exact'],
    ['a 257 of its own', '257 "/"', '', 'exact'],
  ] as const
).map(([what, ABOR, closing, gives]) =>
  scene(
    'B21',
    `ABOR gets ${what}`,
    {
      files: { '/f': FILE, '/big': Buffer.alloc(20_000_000) },
      replies: { ABOR },
      transfer: (_, path) => (path === 'big' ? { closing, end: 'rst' } : {}),
    },
    abortThenGet,
    { gives },
  ),
)

const ORDER: readonly Scene[] = [
  scene(
    'L04',
    'operations at once are served in their order',
    answering({}),
    async ({ session }) => {
      const one = await session()
      const [bytes, entries, size, again] = await Promise.all([
        one.download('f').bytes(),
        one.list('d').toArray(),
        one.size('f'),
        one.download('d/x').text(),
      ])
      return [bytes.equals(FILE), entries.map(({ name }) => name), size, again]
    },
    { gives: [true, ['x'], FILE.length, 'x'] },
  ),
  scene(
    'L04',
    'an operation from within a callback of another',
    answering({}),
    async ({ session }) => {
      const one = await session()
      let inner: Promise<number | undefined> | undefined
      const onProgress = (): void => {
        inner ??= one.size('f')
      }
      const bytes = await one.download('f', { onProgress }).bytes()
      return [bytes.length, await inner]
    },
    { gives: [FILE.length, FILE.length] },
  ),
  scene(
    'L05',
    'closed twice, used afterwards',
    answering({}),
    async ({ session }) => {
      const one = await session()
      await one.close()
      await one.close()
      return one.pwd()
    },
    'FTP_CLOSED',
  ),
  scene(
    'L05',
    'destroyed from within a callback',
    answering({}),
    async ({ session }) => {
      let one: FtpSession | undefined
      const onCommand = (command: string): void => {
        if (command.startsWith('RETR')) one?.destroy()
      }
      one = await session({ onCommand })
      return one.download('f').bytes()
    },
    'FTP_CLOSED',
  ),
  scene(
    'L05',
    'a client is closed while it works, and used afterwards',
    answering({}),
    async ({ client, url }) => {
      const one = client()
      const running = one.get(url('/f')).bytes()
      await one.close()
      const { length } = await running
      const later: unknown = await one
        .get(url('/f'))
        .bytes()
        .catch((error: unknown) => (error instanceof FtpError ? error.code : error))
      return [length, later]
    },
    { gives: [FILE.length, 'FTP_CLOSED'] },
  ),
  scene(
    'L02',
    'resets behind the last reply',
    answering({
      SIZE: '550 no',
      QUIT: (_, { control }) => control.rst(),
    }),
    async ({ client, url }) => (await client({ idleMs: 0 }).get(url('/f')).bytes()).length,
    { gives: FILE.length },
  ),
]

const KEPT_ALIVE: readonly Scene[] = [
  scene(
    'B04',
    'the answers to NOOP come in pieces, behind the transfer: they are no replies unasked',
    { files: FILES, transfer: { delayDataMs: 80 } },
    async ({ session }) => {
      const one = await session({ noopMs: 10 })
      const { length } = await one.download('f').bytes()
      return [length, await one.pwd()]
    },
    { gives: [FILE.length, '/'] },
  ),
]

const HOSTILE_OPTIONS: readonly Scene[] = [
  '{"__proto__": {"tls": "off"}}',
  '{"constructor": {}}',
  '{"toString": 1}',
  '{"limits": {"__proto__": 1}}',
  '{"timeouts": {"constructor": 1}}',
  '{"limits": {"replyBytes": "1"}}',
  '{"timeOuts": {}}',
  '{"tls": "on"}',
  '{"tls": true}',
  '{"allowAddress": true}',
].map((json) =>
  scene(
    'L08',
    json,
    {},
    async (stage) => stage.session(JSON.parse(json) as FtpOptions),
    'FTP_INVALID_OPTION',
    { segments: ['whole'], connections: 0 },
  ),
)

export const LIFE_GROUPS: ReadonlyArray<readonly [name: string, scenes: readonly Scene[]]> = [
  ['421 at any moment', UNAVAILABLE],
  ['farewells', FAREWELLS],
  ['aborted transfers', ABORTS],
  ['order and end', ORDER],
  ['kept alive', KEPT_ALIVE],
  ['options that mean harm', HOSTILE_OPTIONS],
]
