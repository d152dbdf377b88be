/** Group D, uploads: the server must not take a half for a whole, nor this end. */
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { FtpError } from '../../src/errors.ts'
import { authority } from '../support/certificates.ts'
import type { TableOptions, TransferTwist } from '../support/table-server.ts'
import { scene, type Scene, type Stage } from './scene.ts'

const MEBIBYTE = 1024 * 1024
const LARGE = Buffer.alloc(24 * MEBIBYTE, 'x')

/** The server does this to every upload, and says what it likes. */
function twisted(transfer: TransferTwist): TableOptions {
  return { transfer: (verb) => (verb === 'STOR' ? transfer : {}) }
}

const upload = async ({ session }: Stage): Promise<unknown> => (await session()).upload(LARGE, 'f')

/** Chunks without end, counted. */
function endless(): { source: AsyncIterable<Uint8Array>; taken: () => number } {
  let taken = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      taken += 65_536
      yield Buffer.alloc(65_536)
      await Promise.resolve()
    }
  }
  return { source: chunks(), taken: () => taken }
}

/** A source that gives some bytes and then fails. Where a reset comes with data, Node takes it for an end: wait. */
async function* failing(bytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(bytes, 'x')
  await new Promise((resolve) => setTimeout(resolve, 50))
  throw new Error('the disk is gone')
}

/** What is left at the server, and whether the session can still be used. */
async function afterFailure({ session, server }: Stage, tls: boolean, source: AsyncIterable<Uint8Array>) {
  const one = await session(tls ? { tls: 'explicit', tlsOptions: { ca: authority } } : {})
  const error: unknown = await one.upload(source, 'f').catch((reason: unknown) => reason)
  if (one.alive) await one.noop()
  return { code: error instanceof FtpError ? error.code : error, stored: server.files?.has('/f') }
}

const NEVER_STORED = { gives: { code: 'FTP_SOURCE_FAILED', stored: false } }

/** A local file that changes while it goes up. */
function changing(change: (file: string) => void): Scene['work'] {
  return async ({ session, folder }) => {
    const file = join(folder, 'local')
    writeFileSync(file, 'x'.repeat(100_000))
    const onCommand = (command: string): void => {
      if (command.startsWith('STOR')) change(file)
    }
    return (await session({ onCommand })).upload(file, 'f')
  }
}

export const UPLOAD_ROWS: readonly Scene[] = [
  ...(['fin', 'rst'] as const).flatMap((end) =>
    [0, 65_536].map((bytes) =>
      scene(
        'D12',
        `${end} behind ${bytes} bytes, then 226`,
        {
          replies: {
            STOR: async (_, { send, session, control }) => {
              await send('150 go on')
              const wire = await session.dataSide.accept(bytes > 0)
              await wire?.readAtLeast(bytes)
              await (end === 'fin' ? wire?.fin() : wire?.rst())
              await control.pause(10)
              await send('226 thanks')
            },
          },
        },
        upload,
        { code: 'FTP_DATA_CONNECTION_FAILED' },
      ),
    ),
  ),
  scene(
    'B09',
    'everything was sent, and no last reply comes',
    twisted({ end: 'never', closing: '' }),
    async ({ session }) =>
      (await session({ timeouts: { finalReply: 50, abort: 50 } })).upload(Buffer.alloc(100), 'f'),
    { code: 'FTP_TIMEOUT', phase: 'final-reply' },
  ),
  scene('D13', '226 while the data go', twisted({ closingFirst: true }), upload, 'FTP_PREMATURE_REPLY'),
  scene(
    'D14',
    'the server never reads: the source is not emptied into memory',
    {
      replies: {
        STOR: async (_, { send, session, control }) => {
          await send('150 go on')
          await session.dataSide.accept(false)
          await control.pause(100_000)
        },
      },
    },
    async ({ session }) => {
      const { source, taken } = endless()
      const one = await session({ timeouts: { stall: 100, abort: 50 } })
      const error: unknown = await one.upload(source, 'f').catch((reason: unknown) => reason)
      if (taken() > 32 * MEBIBYTE) return taken()
      throw error
    },
    { code: 'FTP_TIMEOUT', phase: 'data' },
  ),
  ...[false, true].flatMap((tls) =>
    [1000, 300_000].map((bytes) =>
      scene(
        'D15',
        `the source fails behind ${bytes} bytes${tls ? ', over TLS' : ''}: nothing looks whole`,
        tls ? { tls: { mode: 'explicit' } } : {},
        (stage) => afterFailure(stage, tls, failing(bytes)),
        NEVER_STORED,
      ),
    ),
  ),
  scene(
    'D15',
    'over TLS 1.2',
    { tls: { mode: 'explicit', certificate: { certificate: 'server', maxVersion: 'TLSv1.2' } } },
    (stage) => afterFailure(stage, true, failing(1000)),
    NEVER_STORED,
  ),
  ...['452', '552'].map((code) =>
    scene(
      'D16',
      `${code} while the data go: the source is closed`,
      {
        replies: {
          STOR: async (_, { send, data }) => {
            await send('150 go on')
            const wire = await data()
            await wire.readAtLeast(100_000)
            await send(`${code} no room`)
            await wire.fin()
          },
        },
      },
      async ({ session }) => {
        const source = Readable.from(endless().source)
        const one = await session()
        const error: unknown = await one.upload(source, 'f').catch((reason: unknown) => reason)
        if (!source.destroyed) return 'the source is open'
        throw error
      },
      { code: 'FTP_REFUSED', phase: 'final-reply' },
    ),
  ),
  scene(
    'D16',
    'a source that gives nothing does not hide that the server has gone',
    {
      replies: {
        STOR: async (_, { send, data }) => {
          await send('150 go on')
          const wire = await data()
          await wire.readAtLeast(3)
          wire.rst()
        },
      },
    },
    async ({ session }) => {
      async function* stuck(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('abc')
        await new Promise(() => undefined)
      }
      return (await session()).upload(stuck(), 'f')
    },
    'FTP_DATA_CONNECTION_FAILED',
  ),
  scene(
    'D22',
    'the local file grows',
    {},
    changing((file) => appendFileSync(file, 'more')),
    'FTP_SOURCE_FAILED',
  ),
  scene(
    'D22',
    'the local file shrinks',
    {},
    changing((file) => truncateSync(file, 1000)),
    'FTP_SOURCE_FAILED',
  ),
  ...['213 5', '213 99999999'].map((size) =>
    scene(
      'D22',
      `the server has another size afterwards: ${size}`,
      { replies: { SIZE: size } },
      async ({ session }) => (await session()).upload(Buffer.alloc(1000), 'f'),
      'FTP_SIZE_MISMATCH',
    ),
  ),
]
