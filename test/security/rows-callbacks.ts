/** Group L06, M03 and F: callbacks that fail, hooks that decide, arguments that cannot be sent. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpSession } from '../../src/client/session.ts'
import { scene, type Scene, type Stage } from './scene.ts'

const FILES = { '/f': Buffer.alloc(300_000, 'data'), '/d/x': 'x' }
const SERVER = { files: FILES }

function throws(): never {
  throw new Error('from the callback')
}
// Typed as what a caller without types may hand over.
const rejects = (() => Promise.reject(new Error('from the callback'))) as () => never
const answersLater = (() => Promise.resolve(false)) as unknown as () => boolean

const download = async ({ session }: Stage): Promise<Buffer> => (await session()).download('f').bytes()

/** The option makes the work fail. */
function callback(what: string, options: FtpOptions, want: Scene['want'], rest: Partial<Scene> = {}): Scene {
  return scene('L06', what, SERVER, download, want, { options, ...rest })
}

const BY_NAME = { host: 'any.test', connections: 0 }

export const CALLBACK_ROWS: readonly Scene[] = [
  callback('onCommand throws', { onCommand: throws }, 'FTP_ABORTED'),
  callback('onReply throws', { onReply: throws }, 'FTP_ABORTED'),
  callback('onCommand rejects', { onCommand: rejects }, 'FTP_ABORTED'),
  callback('onReply rejects', { onReply: rejects }, 'FTP_ABORTED'),
  callback('lookup throws', { lookup: throws }, 'FTP_CONNECT_FAILED', BY_NAME),
  callback('lookup rejects', { lookup: rejects }, 'FTP_CONNECT_FAILED', BY_NAME),
  callback(
    'lookup never answers',
    { lookup: () => undefined, timeouts: { connect: 50 } },
    { code: 'FTP_TIMEOUT', phase: 'connect' },
    BY_NAME,
  ),
  callback('connect throws', { connect: throws }, 'FTP_CONNECT_FAILED', { connections: 0 }),
  callback('connect rejects', { connect: rejects }, 'FTP_CONNECT_FAILED', { connections: 0 }),
  callback('allowAddress throws', { allowAddress: throws }, 'FTP_ABORTED', { connections: 0 }),
  callback('allowAddress answers later', { allowAddress: answersLater }, 'FTP_ABORTED', { connections: 0 }),
  callback('allowAddress rejects', { allowAddress: rejects }, 'FTP_ABORTED', { connections: 0 }),
  scene('L06', 'allowAddress answers later, for a name', SERVER, download, 'FTP_ABORTED', {
    options: { allowAddress: answersLater },
    host: 'localhost',
    connections: 0,
  }),
  ...[throws, rejects].map((onPassword) =>
    scene(
      'L06',
      `onPassword ${onPassword === throws ? 'throws' : 'rejects'}`,
      SERVER,
      ({ client, server }) => client({ onPassword }).get(`ftp://u@127.0.0.1:${server.port}/f`).bytes(),
      'FTP_ABORTED',
    ),
  ),
  scene(
    'L06',
    'onPassword never answers, the signal fires',
    SERVER,
    ({ client, server }) =>
      client({ onPassword: () => new Promise<never>(() => undefined) })
        .get(`ftp://u@127.0.0.1:${server.port}/f`, { timeoutMs: 50 })
        .bytes(),
    { code: 'FTP_TIMEOUT' },
  ),
  scene(
    'L06',
    'onPassword never answers, the server goes',
    {
      replies: {
        USER: async (_, { send, control }) => {
          await send('331 password')
          await control.fin()
        },
      },
    },
    ({ client, server }) =>
      client({ onPassword: () => new Promise<never>(() => undefined) })
        .get(`ftp://u@127.0.0.1:${server.port}/f`)
        .bytes(),
    'FTP_CONNECTION_CLOSED',
    { connections: 3 },
  ),
  ...[throws, rejects].flatMap((onProgress) => {
    const how = onProgress === throws ? 'throws' : 'rejects'
    return [
      scene(
        'L06',
        `onProgress of a download ${how}`,
        { ...SERVER, transfer: { delayClosingMs: 150 } },
        async ({ session }) => (await session()).download('f', { onProgress }).bytes(),
        'FTP_ABORTED',
      ),
      scene(
        'L06',
        `onProgress of an upload ${how}`,
        { transfer: { delayClosingMs: 150 } },
        async ({ session }) => (await session()).upload(Buffer.alloc(10), 'g', { onProgress }),
        'FTP_ABORTED',
      ),
    ]
  }),
  scene(
    'L06',
    'onOutcome of a mirror throws',
    SERVER,
    ({ client, url, folder }) => client().mirror(url('/d/'), folder, { onOutcome: throws }),
    'FTP_ABORTED',
    { connections: 4 },
  ),
  scene(
    'L06',
    'onUnparsedLine throws',
    {
      replies: {
        MLSD: async (_, { send, data }) => {
          await send('150 here')
          const wire = await data()
          await wire.write('what is this\r\n')
          await wire.fin()
          await send('226 done')
        },
      },
    },
    async ({ session }) => (await session()).list(undefined, { onUnparsedLine: throws }).toArray(),
    'FTP_ABORTED',
  ),
  scene(
    'M03',
    'blockPrivate refuses this machine, by address and by name',
    SERVER,
    ({ client, url }) => client({ blockPrivate: true }).get(url('/f')).bytes(),
    'FTP_ADDRESS_FORBIDDEN',
    { connections: 0 },
  ),
  scene(
    'M03',
    'the data connection is asked about, too',
    SERVER,
    download,
    { code: 'FTP_ADDRESS_FORBIDDEN' },
    { options: { allowAddress: (_address, _port, purpose) => purpose === 'control' }, connections: 3 },
  ),
]

/** Nothing is sent, whatever the method. */
function unsendable(what: string, work: (session: FtpSession) => Promise<unknown>): Scene {
  return scene(
    'F08',
    what,
    SERVER,
    async ({ session, server }) => {
      const one = await session()
      const before = server.received.length
      const code: unknown = await (async () => work(one))().then(
        () => 'done',
        (error: { code?: unknown }) => error.code,
      )
      await turn()
      return [code, server.received.slice(before)]
    },
    { gives: ['FTP_INVALID_ARGUMENT', []] },
    { segments: ['whole'] },
  )
}

const NO_PATHS: ReadonlyArray<readonly [string, unknown]> = [
  ['undefined', undefined],
  ['null', null],
  ['42', 42],
  ['an object', { toString: () => 'x' }],
  ['an array', ['x']],
  ['a symbol', Symbol('x')],
  ['CR LF', 'x\r\nDELE important.txt'],
  ['NUL', 'x\0y'],
]

const METHODS: Readonly<Record<string, (session: FtpSession, path: string) => Promise<unknown>>> = {
  cwd: (session, path) => session.cwd(path),
  mkdir: (session, path) => session.mkdir(path),
  'mkdir, recursive': (session, path) => session.mkdir(path, { recursive: true }),
  rmdir: (session, path) => session.rmdir(path),
  delete: (session, path) => session.delete(path),
  rename: (session, path) => session.rename('f', path),
  'rename from': (session, path) => session.rename(path, 'f'),
  size: (session, path) => session.size(path),
  modified: (session, path) => session.modified(path),
  stat: (session, path) => session.stat(path),
  exists: (session, path) => session.exists(path),
  download: (session, path) => session.download(path).bytes(),
}

export const ARGUMENT_ROWS: readonly Scene[] = Object.entries(METHODS).flatMap(([name, call]) =>
  NO_PATHS.map(([what, path]) =>
    unsendable(`${name} of ${what}`, (session) => call(session, path as string)),
  ),
)
