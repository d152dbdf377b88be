import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTableServer } from '../support/table-server.ts'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const NASTY = Buffer.from('\x1b]0;pwned\x07 \u202e\xe9', 'utf8')
const LATIN = Buffer.from([0x63, 0x61, 0x66, 0xe9])
const LISTING = Buffer.concat([Buffer.from('b.txt\r\na.txt\r\n'), LATIN, Buffer.from('\r\n'), NASTY])

let server: Awaited<ReturnType<typeof startTableServer>>

beforeAll(async () => {
  server = await startTableServer({
    files: { '/pub/x': '' },
    replies: {
      NLST: async (_argument, context) => {
        await context.send('150 Names')
        const data = await context.data()
        await data.write(LISTING)
        await data.fin()
        return '226 Done'
      },
    },
  })
})
afterAll(() => server.close())

describe('ftpwire ls', () => {
  test('writes sorted names, each byte as the server has it', async () => {
    const { code, stdout, stderr } = await ftpwire(['ls', server.url('/pub/')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = [NASTY, Buffer.from('a.txt'), Buffer.from('b.txt'), LATIN]
    expect(stdout).toEqual(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])))
  })

  test('leaves the order to the server with -U', async () => {
    const { stdout } = await ftpwire(['ls', '-U', server.url('/pub/')])
    expect(stdout.toString().split('\n').slice(0, 2)).toEqual(['b.txt', 'a.txt'])
  })

  test('is JSON in which nothing can harm a terminal', async () => {
    const { stdout } = await ftpwire(['ls', '--json', server.url('/pub/')])
    expect(stdout.toString()).toMatch(/^[ -~]*\u00e9[ -~]*\n$/u)
    expect(JSON.parse(stdout.toString())).toEqual([
      { name: NASTY.toString() },
      { name: 'a.txt' },
      { name: 'b.txt' },
      { name: 'caf\udce9' },
    ])
  })

  test('escapes names on a terminal, and sets them side by side', async () => {
    const { code, raw, lines } = await onTerminal(['ls', server.url('/pub/')], { columns: 45 })
    expect(code).toBe(0)
    expect(raw).toMatch(/^[ -~\u00e9\r\n]*$/)
    expect(lines).toEqual(['\\x1b]0;pwned\\x07 \\u{202e}\u00e9  b.txt', 'a.txt'.padEnd(28) + 'caf\\xe9'])
    const one = await onTerminal(['ls', '-1', server.url('/pub/')])
    expect(one.lines).toHaveLength(4)
  })

  test('reads names in the encoding that is given', async () => {
    const { stdout } = await ftpwire(['ls', '--encoding', 'latin1', server.url('/pub/')])
    expect(stdout.toString()).toContain('\ncaf\u00e9\n')
  })

  test('fails in one line, without a byte on standard output', async () => {
    const { code, stdout, stderr } = await ftpwire(['ls', server.url('/nope/')])
    expect({ code, stdout: stdout.length }).toEqual({ code: 4, stdout: 0 })
    expect(stderr).toMatch(/^ftpwire: [^\n]* \(FTP_NOT_FOUND\)\n$/)
  })
})
