import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTableServer, type AnswerFunction } from '../support/table-server.ts'
import { onTerminal } from './on-terminal.ts'
import { ftpwire } from './run-command.ts'

const SECRET = 'Zq9!can ary\u00e9'
let server: Awaited<ReturnType<typeof startTableServer>>
let folder: string
const url = (user: string, path = '/f'): string => server.url(path).replace('//', `//${user}@`)

const welcome: AnswerFunction = (_argument, { session }) => {
  session.loggedIn = true
  return '230 Come in'
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  server = await startTableServer({
    users: { joe: SECRET, anonymous: 'me@example.com' },
    files: { '/f': 'text' },
  })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await server.close()
})

describe('a password', () => {
  test('is asked for on the terminal, without echo, while data go through a pipe', async () => {
    const { code, raw } = await onTerminal([], {
      cwd: folder,
      shell: `echo unrelated | $FTPWIRE get -v '${url('joe')}' | tr a-z A-Z > out`,
      typing: [['Password for joe@127.0.0.1: ', `wrong\x15x${SECRET.slice(1)}\x7f\x7fy\u00e9\x1b[D\r`]],
    })
    expect(code).toBe(0)
    // What was typed is not on the screen; that it was wrong is seen below.
    expect(raw).not.toMatch(/wrong|can|ary/)
    expect(raw).toContain('530')
    const again = await onTerminal([], {
      cwd: folder,
      shell: `echo unrelated | $FTPWIRE get '${url('joe')}' | tr a-z A-Z > out`,
      typing: [['Password for joe@127.0.0.1: ', `x\x15${SECRET}z\x7f\r`]],
    })
    expect(again.raw).toBe('Password for joe@127.0.0.1: \r\n')
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('TEXT')
  })

  test('is asked for once, whatever number of files', async () => {
    const { code, raw } = await onTerminal(['get', '-q', '-o', '/dev/null', url('joe'), url('joe')], {
      typing: [['Password', `${SECRET}\r`]],
    })
    expect({ code, asked: raw.split('Password').length - 1 }).toEqual({ code: 2, asked: 0 })
    const several = await onTerminal(['get', '-o', '-', url('joe'), url('joe')], {
      typing: [['Password', `${SECRET}\r`]],
    })
    expect({ code: several.code, asked: several.raw.split('Password').length - 1 }).toEqual({
      code: 0,
      asked: 1,
    })
    expect(several.raw).toContain('texttext')
  })

  test('is not asked for where the server wants none', async () => {
    await using open = await startTableServer({ files: { '/f': 'text' }, replies: { USER: welcome } })
    const joe = open.url('/f').replace('//', '//joe@')
    const { code, raw } = await onTerminal(['get', '-o', '-', joe])
    expect({ code, raw }).toEqual({ code: 0, raw: 'text' })
  })

  test.each([
    ['ab\x03', '130', 'ftpwire: interrupted'],
    ['\x04', '5', 'ftpwire: no password was typed'],
  ])(
    'that is not given (%j) ends the command, with the terminal as it was',
    async (keys, expected, message) => {
      const { raw, lines } = await onTerminal([], {
        shell: `stty -a > before; $FTPWIRE get '${url('joe')}'; echo "code $?"; stty -a | diff before - && echo same`,
        cwd: folder,
        typing: [['Password for joe@127.0.0.1: ', keys]],
      })
      expect(raw).not.toContain('ab')
      expect(lines.slice(1)).toEqual([message, `code ${expected}`, 'same'])
    },
  )

  test('cannot be asked for without a terminal: that is said', async () => {
    const { code, stderr } = await ftpwire(['get', url('joe')])
    expect(code).toBe(5)
    expect(stderr).toMatch(/^ftpwire: the server asks for the password of joe, [^\n]*--netrc\n$/)
  })

  test('is asked under a name that cannot harm the terminal', async () => {
    const { raw } = await onTerminal(['get', url('a%E2%80%AEb')], { typing: [['Password', '\r']] })
    expect(raw).toContain('Password for a\\u{202e}b@127.0.0.1: ')
  })
})

describe('--netrc', () => {
  const netrc = async (text: string, mode = 0o600): Promise<Record<string, string>> => {
    const path = join(folder, 'netrc')
    await writeFile(path, text)
    await chmod(path, mode)
    return { NETRC: path }
  }

  test('gives user and password, or the password of a user', async () => {
    const env = await netrc(`machine 127.0.0.1 login joe password "${SECRET}"`)
    for (const where of [server.url('/f'), url('joe')]) {
      const { code, stdout, stderr } = await ftpwire(['get', '--netrc', where], { env })
      expect({ code, stderr, text: stdout.toString() }).toEqual({ code: 0, stderr: '', text: 'text' })
    }
  })

  test('is not read without the option, nor for another user or a URL with a password', async () => {
    const env = await netrc(`machine 127.0.0.1 login joe password "${SECRET}"`)
    const start = server.received.length
    await ftpwire(['get', server.url('/f')], { env })
    await ftpwire(['get', '--netrc', url('ann')], { env })
    await ftpwire(['get', '--netrc', url('joe:other')], { env })
    const logins = server.received.slice(start).filter((line) => /^(?:USER|PASS) /.test(line))
    expect(logins).toEqual(['USER anonymous', 'PASS anonymous@', 'USER ann', 'USER joe', 'PASS other'])
  })

  test('warns where others can read the file, and says where there is none', async () => {
    const env = await netrc(`machine 127.0.0.1 login joe password "${SECRET}"`, 0o644)
    const { code, stderr } = await ftpwire(['get', '--netrc', url('joe')], { env })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `ftpwire: warning: ${env['NETRC']} can be read by others: chmod 600 it\n`,
    })
    const none = await ftpwire(['get', '--netrc', url('joe')], { env: { NETRC: '/nonexistent' } })
    expect(none.code).toBe(8)
  })

  test('anonymous FTP sends what --email says', async () => {
    const { code } = await ftpwire(['get', '--email', 'me@example.com', server.url('/f')])
    expect(code).toBe(0)
  })
})
