import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FTP_ERROR_CODES, FtpError } from '../../src/index.ts'
import { EXIT_MEANINGS, exitCodeOf } from '../../src/cli/exit-code.ts'
import { tlsFile } from '../support/certificates.ts'
import { startTableServer, type TableOptions } from '../support/table-server.ts'
import { ftpwire } from './run-command.ts'

/** Runs `get` against a server that misbehaves. */
async function against(options: TableOptions, words: string[] = [], path = '/pub/f') {
  await using server = await startTableServer({ files: { '/pub/f': 'text' }, ...options })
  return { ...(await ftpwire(['get', ...words, server.url(path)])), received: [...server.received] }
}

describe('the exit code', () => {
  test('is one of those that are documented, for every error of the library', () => {
    const documented = new Set<number>(EXIT_MEANINGS.map(([code]) => code))
    for (const code of FTP_ERROR_CODES) expect(documented).toContain(exitCodeOf(new FtpError(code, 'x')))
  })

  test('3: nobody listens', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.on('listening', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await new Promise((resolve) => listener.close(resolve))
    const { code, stderr } = await ftpwire(['get', `ftp://127.0.0.1:${port}/x`])
    expect(code).toBe(3)
    expect(stderr).toMatch(/^ftpwire: [^\n]*ECONNREFUSED[^\n]*\(FTP_CONNECT_FAILED\)\n$/)
  })

  test.each<[number, string, TableOptions, string[]]>([
    [3, '421 as greeting', { greeting: '421 Too many' }, []],
    [3, '530 as greeting', { greeting: '530 Not you' }, []],
    [4, '550 to RETR', { replies: { RETR: '550 No' } }, []],
    [5, '530 to PASS', { users: { joe: 'x' } }, []],
    [5, '332 after PASS', { replies: { PASS: '332 Account?' } }, []],
    [6, 'silence', { replies: { RETR: '' } }, ['--timeout', '0.3']],
    [6, 'too long in all', { replies: { RETR: '' } }, ['--max-time', '0.3']],
    [7, 'a reply that is none', { replies: { RETR: '999 What' } }, []],
    [9, 'no TLS', { replies: { AUTH: '502 No' } }, ['--tls', 'explicit']],
    [9, 'an unknown authority', { tls: { mode: 'explicit', certificate: 'server' } }, ['--tls', 'explicit']],
  ])('%i: %s', async (expected, _what, options, words) => {
    const { code, stdout, stderr } = await against(options, words)
    expect(code).toBe(expected)
    expect(stdout.length).toBe(0)
    expect(stderr).toMatch(/^ftpwire: [^\n]+\n$/)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('is that of the signal after %s', async (name) => {
    await using server = await startTableServer({ files: { '/f': 'x' }, replies: { RETR: '' } })
    const { code, signal, stderr } = await ftpwire(['get', '-v', server.url('/f'), '-o', '/dev/null'], {
      meanwhile: (child) =>
        child.stderr?.on('data', (chunk) => String(chunk).includes('RETR') && child.kill(name)),
    })
    expect({ code, signal }).toEqual({ code: null, signal: name })
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^ftpwire: (?:interrupted|ended by SIGTERM)$/)
  })
})

describe('an error', () => {
  test('shows nothing that could move the cursor', async () => {
    const evil = Buffer.from('550 \x1b]0;pwned\x07\x1b[2J\xc2\x9b31m \xe2\x80\xaexe\r\n', 'latin1')
    const { stderr } = await against({ replies: { RETR: evil }, greeting: '220-\x1b[2J\r\n220 hi' }, ['-v'])
    expect(stderr).toMatch(/^[ -~\n]*$/)
    expect(stderr).toContain('\\x1b]0;pwned\\x07')
  })

  test('is one line although the reply has several', async () => {
    const { stderr } = await against({ replies: { RETR: '550-No\r\n really\r\n550 not' } })
    expect(stderr.split('\n')).toHaveLength(2)
    expect(stderr).toContain('No really not')
  })

  test('is an object with --json', async () => {
    const { code, stderr } = await against({ replies: { RETR: '550 No' } }, ['--json', '-o', '/dev/null'])
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toEqual({
      error: expect.objectContaining({
        code: 'FTP_NOT_FOUND',
        command: 'RETR f',
        reply: { code: 550, text: 'No' },
        retryable: false,
        exitCode: 4,
      }) as object,
    })
  })

  test('holds no password, whoever repeats it', async () => {
    const secret = 'Zq9!canary'
    await using server = await startTableServer({ replies: { PASS: `530 Bad PASS ${secret}` } })
    for (const words of [['-v'], ['--json', '-o', '/dev/null'], []]) {
      const url = server.url('/x').replace('//', `//joe:${secret}@`)
      const { code, stdout, stderr } = await ftpwire(['get', ...words, url])
      expect(code).toBe(5)
      expect(stdout.toString() + stderr).not.toContain('canary')
    }
    const { stderr } = await ftpwire(['get', `ftp://joe:${secret}@[bad/x`, `ftp:/joe:${secret}@h/`])
    expect(stderr).not.toContain('canary')
  })
})

describe('TLS', () => {
  const tls = { mode: 'explicit', certificate: 'server' } as const

  test('is trusted with --ca', async () => {
    const { code, stdout } = await against({ tls }, ['--tls', 'explicit', '--ca', tlsFile('ca.crt')])
    expect({ code, text: stdout.toString() }).toEqual({ code: 0, text: 'text' })
  })

  test('is taken as it is with --insecure, after a warning that -q leaves out', async () => {
    const loud = await against({ tls }, ['--tls', 'explicit', '--insecure'])
    expect({ code: loud.code, text: loud.stdout.toString() }).toEqual({ code: 0, text: 'text' })
    expect(loud.stderr).toMatch(/^ftpwire: warning: --insecure: [^\n]+\n$/)
    const quiet = await against({ tls }, ['-q', '--tls', 'explicit', '--insecure'])
    expect({ code: quiet.code, stderr: quiet.stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('needs a file that is one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
    await writeFile(join(folder, 'empty'), '')
    for (const file of ['empty', 'none']) {
      const { code, stderr } = await ftpwire(['get', '--ca', join(folder, file), 'ftp://127.0.0.1/x'])
      expect(code).toBe(8)
      expect(stderr).toMatch(new RegExp(`^ftpwire: [^\\n]*${file}[^\\n]*\\n$`))
    }
    await rm(folder, { recursive: true })
  })
})
