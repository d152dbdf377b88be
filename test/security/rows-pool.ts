/** Groups L03, M01 and M06: operations that are given up, and sessions that are kept. */
import { FtpError } from '../../src/errors.ts'
import type { Answer, TableOptions } from '../support/table-server.ts'
import { LOGIN } from './row.ts'
import { scene, type Scene } from './scene.ts'

const FILES = { '/f': Buffer.alloc(300_000, 'data'), '/d/x': 'x' }

function answering(replies: Readonly<Record<string, Answer>>): TableOptions {
  return { files: FILES, replies }
}

/** Aborts when the command is on its way to a server that does not answer. */
function abortedAt(verb: string): Scene {
  return scene(
    'L03',
    `aborted while ${verb} is unanswered`,
    answering({ [verb]: '' }),
    async ({ client, url }) => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const onCommand = (command: string): void => {
        if (command.startsWith(verb)) setImmediate(() => controller.abort(reason))
      }
      const { signal } = controller
      const error: unknown = await client({ onCommand })
        .get(url('/d/x'), { signal })
        .bytes()
        .catch((thrown: unknown) => thrown)
      return error instanceof FtpError ? [error.code, error.cause === reason] : error
    },
    { gives: ['FTP_ABORTED', true] },
  )
}

export const ABORTED: readonly Scene[] = [
  scene(
    'L03',
    'aborted before anything',
    {},
    ({ client, url }) => client().get(url('/f'), { signal: AbortSignal.abort() }).bytes(),
    'FTP_ABORTED',
    { connections: 0 },
  ),
  ...['USER', 'PASS', 'CWD', 'TYPE', 'SIZE', 'PASV', 'RETR'].map(abortedAt),
  scene(
    'L03',
    'aborted before the greeting',
    { greeting: '' },
    async ({ client, url }) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 20)
      return client().get(url('/f'), { signal: controller.signal }).bytes()
    },
    'FTP_ABORTED',
  ),
  ...(['never', 'fin'] as const).map((end) =>
    scene(
      'L03',
      end === 'never' ? 'aborted while the data stall' : 'aborted before the last reply',
      { files: FILES, transfer: { end, bytes: 10, closing: '' } },
      async ({ client, url }) => {
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 50)
        return client().get(url('/f'), { signal: controller.signal }).bytes()
      },
      'FTP_ABORTED',
    ),
  ),
  scene(
    'L03',
    'an upload whose source gives nothing',
    {},
    async ({ session }) => {
      async function* stuck(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('abc')
        await new Promise(() => undefined)
      }
      const one = await session()
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 50)
      return one.upload(stuck(), 'g', { signal: controller.signal })
    },
    'FTP_ABORTED',
  ),
]

export const IDLE: readonly Scene[] = (
  [
    ['is ended', [{ fin: 'control' }]],
    ['is reset', [{ rst: 'control' }]],
    ['gets 421', [{ send: '421 idle\r\n' }]],
    ['gets a reply unasked', [{ send: '226 stale\r\n' }]],
    ['gets half a reply', [{ send: '22' }]],
    ['gets garbage', [{ send: 'garbage\r\n' }]],
  ] as const
).map(([what, then]) =>
  scene(
    'M06',
    `an idle session ${what}: the next request opens a new one`,
    {
      script: [
        [...LOGIN, ...fetched(), { pauseMs: 10 }, ...then],
        [...LOGIN, ...fetched()],
      ],
    },
    async ({ client, url, server }) => {
      const one = client()
      const first = await one.get(url('/f')).text()
      await new Promise((resolve) => setTimeout(resolve, 40))
      return [first, await one.get(url('/f')).text(), server.connections]
    },
    { gives: ['data', 'data', 2] },
    { connections: 2 },
  ),
)

function fetched(): typeof LOGIN {
  return [
    { expect: 'PWD' },
    { send: '257 "/"\r\n' },
    { expect: 'TYPE I' },
    { send: '200 ok\r\n' },
    { expect: 'SIZE f' },
    { send: '213 4\r\n' },
    { openData: true },
    { expect: 'PASV' },
    { send: '227 ({{pasv}})\r\n' },
    { acceptData: true },
    { expect: 'RETR f' },
    { send: '150 ok\r\n' },
    { dataSend: 'data' },
    { fin: 'data' },
    { send: '226 ok\r\n' },
  ]
}

/** Whatever makes two logins different makes two sessions. */
export const POOL: readonly Scene[] = [
  scene(
    'M01',
    'a session is not lent to another user, password or client',
    { files: FILES },
    async ({ client, server }) => {
      const one = client()
      const as = (user: string): Promise<string> =>
        one.get(`ftp://${user}@127.0.0.1:${server.port}/d/x`).text()
      for (const user of ['a:p', 'b:p', 'a:P', 'a:p', 'A:p']) await as(user)
      await client().get(`ftp://a:p@127.0.0.1:${server.port}/d/x`).text()
      return server.receivedBy.map((lines) => [
        lines[0],
        lines.filter((line) => line.startsWith('RETR')).length,
      ])
    },
    {
      gives: [
        ['USER a', 2],
        ['USER b', 1],
        ['USER a', 1],
        ['USER A', 1],
        ['USER a', 1],
      ],
    },
    { connections: 5 },
  ),
]
