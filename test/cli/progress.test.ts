import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTableServer } from '../support/table-server.ts'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const PIECE = Buffer.alloc(100_000, 'x')
const PIECES = 16
let server: Awaited<ReturnType<typeof startTableServer>>
let folder: string

beforeAll(async () => {
  server = await startTableServer({
    files: { '/slow.bin': Buffer.concat(Array.from({ length: PIECES }, () => PIECE)) },
    replies: {
      RETR: async (_argument, context) => {
        await context.send('150 Slowly')
        const data = await context.data()
        for (let piece = 0; piece < PIECES; piece++) {
          await data.write(PIECE)
          await data.pause(60)
        }
        await data.fin()
        return '226 Done'
      },
    },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  return () => rm(folder, { recursive: true })
})

describe('on a terminal', () => {
  test('a file is saved under its own name, with a bar that goes away and a summary that stays', async () => {
    const { code, raw, lines } = await onTerminal(['get', server.url('/slow.bin')], { cwd: folder })
    expect(code).toBe(0)
    expect(raw).toMatch(/slow\.bin {2}\[=+> +\] +\d\d% {2}\d+ (?:KiB )?of 1\.5 MiB +\d.*\/s +\d\.\d s left/)
    expect(lines).toEqual([expect.stringMatching(/^slow\.bin: 1\.5 MiB in \d\.\d s \(.*\/s\)$/)])
    expect((await readFile(join(folder, 'slow.bin'))).length).toBe(PIECES * PIECE.length)
    const again = await onTerminal(['get', server.url('/slow.bin')], { cwd: folder })
    expect(again).toMatchObject({
      code: 8,
      lines: [expect.stringMatching(/^ftpwire: slow\.bin is there already/)],
    })
  })

  test('the bar never fills the line', async () => {
    const { raw } = await onTerminal(['get', server.url('/slow.bin')], { cwd: folder, columns: 60 })
    const drawn = raw.split(/[\r\n]+/).map((line) => line.replaceAll(/\x1b\[[\dK]*m?/g, ''))
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(60)
  })

  test('-q says nothing at all', async () => {
    const { code, raw } = await onTerminal(['get', '-q', server.url('/slow.bin')], { cwd: folder })
    expect({ code, raw }).toEqual({ code: 0, raw: '' })
  })

  test('data on the terminal have no bar among them', async () => {
    const { raw } = await onTerminal(['get', '-o', '-', server.url('/slow.bin')], { cwd: folder })
    expect(raw).toMatch(/^x{1600000}$/)
  })

  test('data that go elsewhere have one', async () => {
    const shell = `$FTPWIRE get ${server.url('/slow.bin')} > out`
    const { raw, lines } = await onTerminal([], { cwd: folder, shell })
    expect(raw).toContain('% ')
    expect(lines).toEqual([])
  })

  test('the dialogue goes on above it', async () => {
    const { lines } = await onTerminal(['get', '-v', server.url('/slow.bin')], { cwd: folder })
    expect(lines).toContain('> RETR slow.bin')
    expect(lines).toContain('< 226 Done')
    expect(lines.filter((line) => line.includes('%'))).toEqual([])
  })

  test('there is colour, and none with NO_COLOR', async () => {
    const words = ['get', 'ftp://127.0.0.1:25/x']
    expect((await onTerminal(words)).raw).toContain('\x1b[31mftpwire: \x1b[0m')
    expect((await onTerminal(words, { env: { NO_COLOR: '1' } })).raw).not.toContain('\x1b')
    expect((await onTerminal(words, { env: { TERM: 'dumb' } })).raw).not.toContain('\x1b')
  })

  test('Ctrl-C takes the bar away, leaves only a part, and ends a loop of the shell as well', async () => {
    const shell = `bash -c 'for i in 1 2; do $FTPWIRE get ${server.url('/slow.bin')}; done; echo went on'`
    const { raw, lines } = await onTerminal([], { cwd: folder, shell, typing: [['left', '\x03']] })
    expect(lines[0]).toBe('ftpwire: interrupted')
    expect(raw).not.toContain('went on')
    expect(await readdir(folder)).toEqual(['slow.bin.part'])
  })
})

describe('elsewhere', () => {
  test('there is no bar, no summary and no colour', async () => {
    const { stderr } = await ftpwire(['get', server.url('/slow.bin'), '-o', join(folder, 'x')])
    expect(stderr).toBe('')
  })
})
