/** A process that has nothing else to do ends by itself, whatever became of the transfer (L07). */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import type { FtpSrvServer } from '../support/ftp-srv-server.d.mts'
import { startScriptedServer, type Script, type ScriptedServer } from '../support/scripted-server.ts'

const run = promisify(execFile)
const library = new URL('../../dist/index.js', import.meta.url)
const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

const SILENT: Script = [
  { send: '220 hi\r\n' },
  { expect: 'USER anonymous' },
  { send: '331 who?\r\n' },
  { expect: 'PASS anonymous@' },
  { send: '230 in\r\n' },
  { expect: 'TYPE I' },
  { send: '200 ok\r\n' },
  { expect: 'SIZE f' },
  { send: '213 8\r\n' },
  { openData: true },
  { expect: 'PASV' },
  { send: '227 ({{pasv}})\r\n' },
  { acceptData: true },
  { expect: 'RETR f' },
  { send: '150 ok\r\n' },
  { dataSend: 'data' },
  { awaitEnd: true },
]

let server: FtpSrvServer
let silent: ScriptedServer

beforeAll(async () => {
  server = await startFtpSrv({ root: site })
  silent = await startScriptedServer(SILENT)
})

afterAll(async () => {
  await Promise.all([server.close(), silent.close()])
})

/** What the program prints. Node kills it, and the test fails, where it does not end. */
async function output(code: string): Promise<string> {
  const program = `import { FtpClient, get, list } from ${JSON.stringify(library.href)}
    const [good, bad, silent] = process.argv.slice(1)
    ${code}`
  const { stdout, stderr } = await run(
    process.execPath,
    [
      '--unhandled-rejections=strict',
      '--trace-warnings',
      '--input-type=module',
      '-e',
      program,
      server.url('/pub/hello.txt'),
      server.url('/pub/none'),
      silent.url('/f'),
    ],
    { timeout: 15_000 },
  )
  expect(stderr).toBe('')
  return stdout.trim()
}

const PROGRAMS: ReadonlyArray<readonly [what: string, code: string, printed: string]> = [
  ['after a download', `console.log((await get(good).bytes()).length)`, '60'],
  ['after a listing', `console.log((await list(good.replace('hello.txt', ''))).length > 3)`, 'true'],
  ['after a refusal', `await get(bad).bytes().catch((error) => console.log(error.code))`, 'FTP_NOT_FOUND'],
  ['where nothing was begun', `get(good); console.log('none')`, 'none'],
  [
    'with a client that is not closed',
    `const client = new FtpClient({ idleMs: 600_000 }); console.log((await client.get(good).bytes()).length)`,
    '60',
  ],
  [
    'with a client that is closed',
    `const client = new FtpClient(); await client.get(good).bytes(); await client.close(); console.log('closed')`,
    'closed',
  ],
  [
    'after a break',
    `for await (const chunk of get(silent, { timeouts: { abort: 100 } })) { console.log(String(chunk)); break }`,
    'data',
  ],
  [
    'after an abort',
    `await get(silent, { signal: AbortSignal.timeout(100) }).bytes().catch((error) => console.log(error.code))`,
    'FTP_ABORTED',
  ],
  [
    'after a time-out',
    `await get(silent, { timeouts: { stall: 100, abort: 100 } }).bytes().catch((error) => console.log(error.code, error.phase))`,
    'FTP_TIMEOUT data',
  ],
  [
    'after a promise is all that was looked at',
    `await get(bad).opened.catch((error) => console.log(error.code))`,
    'FTP_NOT_FOUND',
  ],
]

describe('a program ends by itself', () => {
  test('the library was built', () => expect(existsSync(library)).toBe(true))

  test.each(PROGRAMS)('%s', async (_, code, printed) => expect(await output(code)).toBe(printed))
})
