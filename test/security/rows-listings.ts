/** Groups C, F, H and J: listings without end or without data, strangers, and servers that drip. */
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import type { FtpSession } from '../../src/client/session.ts'
import type { TableOptions } from '../support/table-server.ts'
import { scene, type Scene } from './scene.ts'

const file = (name: string): string => `-rw-r--r-- 1 u g 5 Jan  1 2020 ${name}`

const list = async (session: FtpSession): Promise<unknown> =>
  (await session.list().toArray()).map(({ name }) => name)

/** The data of LIST, written as they come. */
function raw(pieces: () => Iterable<string>, closing = '226 done'): TableOptions {
  return {
    replies: {
      FEAT: '211 no features',
      LIST: async (_, { send, data }) => {
        await send('150 here')
        const wire = await data()
        for (const piece of pieces()) if (!(await wire.write(piece))) break
        await wire.fin()
        await send(closing)
      },
    },
  }
}

function* forever(piece: string): Generator<string> {
  for (;;) yield piece
}

export const LISTINGS: readonly Scene[] = [
  scene(
    'H04',
    'a line without end',
    raw(() => forever('x'.repeat(65_536))),
    async ({ session }) => list(await session()),
    'FTP_LIST_LINE_TOO_LONG',
  ),
  scene(
    'H05',
    'entries without end',
    raw(() => forever(`${file('x')}\r\n`.repeat(1000))),
    async ({ session }) => list(await session({ limits: { listingEntries: 20_000 } })),
    'FTP_LIST_TOO_LARGE',
  ),
  scene(
    'H05',
    'an iterator can be left',
    raw(() => forever(`${file('x')}\r\n`.repeat(1000))),
    async ({ session }) => {
      let count = 0
      for await (const entry of (await session()).list()) if (entry.name === 'x' && ++count === 50_000) break
      return count
    },
    { gives: 50_000 },
  ),
  ...['450', '550'].map((code) =>
    scene(
      'H22',
      `${code} for an empty folder`,
      { replies: { FEAT: '211 none', LIST: `${code} No files found` } },
      async ({ session }) => list(await session()),
      { gives: [] },
    ),
  ),
  scene(
    'H22',
    '550 that says something else',
    { replies: { FEAT: '211 none', LIST: '550 Permission denied' } },
    async ({ session }) => list(await session()),
    'FTP_REFUSED',
  ),
  scene(
    'H22',
    '226 without an end of the data',
    {
      replies: {
        FEAT: '211 none',
        LIST: async (_, { send }) => {
          await send('150 here')
          await send('226 nothing to send')
        },
      },
    },
    async ({ session }) => list(await session({ timeouts: { stall: 200 } })),
    { code: 'FTP_TIMEOUT', phase: 'data' },
  ),
  scene(
    'F06',
    'a path that looks like an option',
    {},
    async ({ session }) => {
      await (await session()).list('-R').toArray()
    },
    'FTP_NOT_FOUND',
    { never: /^(?:LIST|NLST) -/ },
  ),
  scene(
    'J03',
    'data that drip for ever: the deadline of the whole',
    { files: { '/f': 'x'.repeat(10_000) }, transfer: { segment: 'bytes', end: 'never' } },
    async ({ session }) => (await session()).download('f', { timeoutMs: 150 }).bytes(),
    'FTP_TIMEOUT',
  ),
  scene(
    'J08',
    'no more attempts than were asked for',
    { files: { '/f': Buffer.alloc(100_000) }, transfer: { bytes: 10, end: 'rst' } },
    async ({ session, folder: inside }) =>
      (await session()).downloadTo('f', join(inside, 'f'), { retries: 2 }),
    'FTP_DATA_CONNECTION_FAILED',
    { connections: 3 },
  ),
  scene(
    'C20',
    'somebody else knocks at the door of active mode',
    {
      files: { '/f': 'from the server' },
      replies: {
        RETR: async (_, { session, normally }) => {
          const { host, port } = session.active ?? { host: '', port: 0 }
          const stranger = dial({ host, port, localAddress: '127.0.0.2' })
          stranger.on('error', () => undefined)
          stranger.on('connect', () => stranger.write('from a stranger'))
          await new Promise((resolve) => stranger.once('close', resolve))
          await normally()
        },
      },
    },
    async ({ session }) => (await session({ dataMode: 'active' })).download('f').text(),
    { gives: 'from the server' },
  ),
]
