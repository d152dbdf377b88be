import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTableServer, type AnswerFunction } from '../support/table-server.ts'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251))
const HALF = 150_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  return () => rm(folder, { recursive: true })
})
const at = (name: string): string => join(folder, name)

/** Sends half of the file, then does what it is told; the next time it is honest. */
function breaking(how: (context: Parameters<AnswerFunction>[1]) => Promise<void> | void): AnswerFunction[] {
  return [
    async (_argument, context) => {
      await context.send('150 Half of it')
      const data = await context.data()
      await data.write(CONTENT.subarray(0, HALF))
      await data.pause(100)
      await how(context)
      data.rst()
    },
    (_argument, context) => context.normally(),
  ]
}
const lost = breaking(({ control }) => control.rst())
const files = { '/f.bin': CONTENT }

describe('a download that is broken off', () => {
  test('leaves a part that -c goes on with, and says so', async () => {
    await using server = await startTableServer({ files, replies: { RETR: lost } })
    const words = ['get', '--retries', '0', server.url('/f.bin'), '-o', at('f.bin')]
    const first = await ftpwire(words)
    expect(first.code).toBe(3)
    expect(first.stderr).toMatch(
      /^ftpwire: [^\n]+\n146 KiB are kept in [^\n]*f\.bin\.part; the same command with -c goes on from there\n$/,
    )
    expect(await readdir(folder)).toEqual(['f.bin.part'])
    const blind = await ftpwire(words)
    expect(blind.code).toBe(8)
    expect(blind.stderr).toContain('-c goes on with it, --force starts again')
    const second = await ftpwire([...words, '-c', '--json'])
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(second.stdout.toString())).toMatchObject({
      bytes: CONTENT.length - HALF,
      resumedAt: HALF,
      verified: true,
    })
    expect(server.received).toContain(`REST ${HALF}`)
    expect((await readFile(at('f.bin'))).equals(CONTENT)).toBe(true)
    expect(await readdir(folder)).toEqual(['f.bin'])
  })

  test('goes on by itself', async () => {
    await using server = await startTableServer({ files, replies: { RETR: lost } })
    const { code, stderr } = await ftpwire(['get', server.url('/f.bin'), '-o', at('f.bin')])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^ftpwire: warning: [^\n]* Trying again \(1 of 3\)\.\n$/)
    expect((await readFile(at('f.bin'))).equals(CONTENT)).toBe(true)
  })

  test('is not tried again where nothing had come, unless that is asked for', async () => {
    await using server = await startTableServer({ files, greeting: '421 Not now' })
    const once = await ftpwire(['get', server.url('/f.bin'), '-o', at('f.bin')])
    expect({ code: once.code, tries: server.connections }).toEqual({ code: 3, tries: 1 })
    await ftpwire(['get', '--retries', '1', server.url('/f.bin'), '-o', at('f.bin')])
    expect(server.connections).toBe(3)
    expect(await readdir(folder)).toEqual([])
  })

  test('by Ctrl-C leaves its part too', async () => {
    const slow: AnswerFunction = async (_argument, context) => {
      await context.send('150 Slowly')
      const data = await context.data()
      for (let sent = 0; sent < CONTENT.length; sent += 10_000) {
        await data.write(CONTENT.subarray(sent, sent + 10_000))
        await data.pause(50)
      }
      await data.fin()
      return '226 Done'
    }
    await using server = await startTableServer({ files, replies: { RETR: slow } })
    const { lines } = await onTerminal(['get', server.url('/f.bin')], {
      cwd: folder,
      typing: [['% ', '\x03']],
    })
    expect(lines).toEqual([
      'ftpwire: interrupted',
      expect.stringMatching(/^\d+ KiB are kept in f\.bin\.part; the same command with -c goes on/),
    ])
    const { size } = await stat(at('f.bin.part'))
    expect((await readFile(at('f.bin.part'))).equals(CONTENT.subarray(0, size))).toBe(true)
  })
})

describe('-c', () => {
  test('finds that nothing is missing', async () => {
    await using server = await startTableServer({ files })
    for (const name of ['f.bin', 'f.bin.part']) {
      await writeFile(at(name), CONTENT)
      const { code, stdout } = await ftpwire(['get', '-c', '--json', server.url('/f.bin'), '-o', at('f.bin')])
      expect(code).toBe(0)
      expect(JSON.parse(stdout.toString())).toMatchObject({ bytes: 0, resumedAt: CONTENT.length })
      expect(await readdir(folder)).toEqual(['f.bin'])
      await rm(at('f.bin'))
    }
    expect(server.received.filter((line) => line.startsWith('RETR'))).toEqual([])
  })

  test('goes on with a shorter file, as other clients leave it', async () => {
    await using server = await startTableServer({ files })
    await writeFile(at('f.bin'), CONTENT.subarray(0, HALF))
    expect((await ftpwire(['get', '-c', server.url('/f.bin'), '-o', folder])).code).toBe(0)
    expect((await readFile(at('f.bin'))).equals(CONTENT)).toBe(true)
  })

  test('refuses a longer one, and leaves it', async () => {
    await using server = await startTableServer({ files })
    const longer = Buffer.concat([CONTENT, CONTENT])
    await writeFile(at('f.bin'), longer)
    const { code, stderr } = await ftpwire(['get', '-c', server.url('/f.bin'), '-o', at('f.bin')])
    expect(code).toBe(8)
    expect(stderr).toMatch(/f\.bin is longer than the file on the server; --force starts again\n$/)
    expect((await readFile(at('f.bin'))).equals(longer)).toBe(true)
    expect((await ftpwire(['get', '-cf', server.url('/f.bin'), '-o', at('f.bin')])).code).toBe(0)
    expect((await readFile(at('f.bin'))).equals(CONTENT)).toBe(true)
  })

  test('begins where there is nothing, and keeps a part when the file is gone', async () => {
    await using server = await startTableServer({ files })
    expect((await ftpwire(['get', '-c', server.url('/f.bin'), '-o', at('f.bin')])).code).toBe(0)
    await writeFile(at('g.bin.part'), 'abc')
    expect((await ftpwire(['get', '-c', server.url('/g.bin'), '-o', at('g.bin')])).code).toBe(4)
    expect(await readFile(at('g.bin.part'), 'utf8')).toBe('abc')
  })

  test('never writes through a link that somebody has laid', async () => {
    await using server = await startTableServer({ files })
    await writeFile(at('victim'), 'mine')
    await symlink(at('victim'), at('f.bin.part'))
    for (const words of [[], ['-c'], ['-f']]) {
      await ftpwire(['get', ...words, server.url('/f.bin'), '-o', at('f.bin')])
      expect(await readFile(at('victim'), 'utf8')).toBe('mine')
    }
    expect((await readFile(at('f.bin'))).equals(CONTENT)).toBe(true)
  })
})

describe('an upload that is broken off', () => {
  test('goes on where the server says that it ends', async () => {
    await writeFile(at('f.bin'), CONTENT)
    let tries = 0
    await using server = await startTableServer({
      replies: {
        STOR: async (_argument, context) => {
          if (tries++ > 0) return context.normally()
          await context.send('150 Send')
          const data = await context.data()
          await data.readAtLeast(HALF)
          await data.pause(300)
          context.control.rst()
          data.rst()
        },
      },
    })
    const { code, stderr } = await ftpwire(['put', at('f.bin'), server.url('/f.bin')])
    expect(stderr).toContain('Trying again (1 of 3).')
    expect(code).toBe(0)
    expect(server.files.get('/f.bin')?.equals(CONTENT)).toBe(true)
  })
})
