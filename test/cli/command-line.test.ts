import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { commandHelp, generalHelp } from '../../src/cli/help-text.ts'
import { parseCommandLine } from '../../src/cli/parse-command-line.ts'
import { ftpwire } from './run-command.ts'

describe('the help', () => {
  test.each([['everything', generalHelp(COMMANDS)], ...COMMANDS.map((c) => [c.name, commandHelp(c)])])(
    'of %s fits 80 columns',
    (_name = '', help = '') => {
      expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
      expect(help).toMatchSnapshot()
    },
  )

  test.each([[['--help']], [['help']], [['-h']]])('is shown for %j', async (words) => {
    const { code, stdout, stderr } = await ftpwire(words)
    expect({ code, stderr, stdout: stdout.toString() }).toEqual({
      code: 0,
      stderr: '',
      stdout: generalHelp(COMMANDS),
    })
  })

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s is shown for --help anywhere, whatever else is missing',
    async (name, command) => {
      for (const words of [
        [name, '--help'],
        ['--help', name],
        ['help', name],
      ]) {
        const { code, stdout } = await ftpwire(words)
        expect({ code, stdout: stdout.toString() }).toEqual({ code: 0, stdout: commandHelp(command) })
      }
    },
  )

  test('the version is that of the package', async () => {
    const { code, stdout } = await ftpwire(['--version'])
    expect(code).toBe(0)
    expect(stdout.toString()).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })
})

describe('a wrong line is told in one line, with where to read on', () => {
  const secret = 'ftp://joe:Zq9!canary@h/x'
  test.each([
    [[], 'which command?'],
    [['frob'], 'there is no command "frob"'],
    [[secret], 'a command comes before the URL: ftpwire get URL'],
    [['get'], 'get needs URL...'],
    [['plan', secret, secret], 'plan takes no more than URL'],
    [['get', '--frob', secret], 'there is no option --frob'],
    [['get', `--frob=${secret}`], 'there is no option --frob'],
    [['get', '--force=yes', secret], '--force takes no value'],
    [['get', secret, '-o'], '-o needs a value: -o FILE'],
    [['get', '--type', 'x', secret], '--type takes one of a, i'],
    [['get', '--type', 'a', '--infer-type', secret], '--type and --infer-type exclude each other'],
    [['get', '--timeout', 'soon', secret], '--timeout takes a number of seconds above 0'],
    [['get', '--max-time', '0', secret], '--max-time takes a number of seconds above 0'],
    [['get', '--allow-port', '99999', secret], '--allow-port takes a number from 1 to 65535'],
    [['get', '--encoding', 'klingon', secret], '--encoding takes a label such as latin1'],
    [['completion', 'tcsh'], 'completion takes one of bash, zsh, fish'],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await ftpwire(words)
    expect({ code, stdout: stdout.length }).toEqual({ code: 2, stdout: 0 })
    expect(stderr).toMatch(/^ftpwire: [^\n]+\nTry: ftpwire (?:\w+ )?--help\n$/)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('canary')
  })
})

describe('options', () => {
  test('stand anywhere, together and with their values', () => {
    const line = parseCommandLine(['-qv', '-o', '-', 'get', '--tls=explicit', 'ftp://h/x', '-f'], COMMANDS)
    expect(line).toMatchObject({ kind: 'run', command: { name: 'get' }, operands: ['ftp://h/x'] })
    if (line.kind !== 'run') return
    expect(line.values.text('output')).toBe('-')
    expect(line.values.text('tls')).toBe('explicit')
    expect(['quiet', 'verbose', 'force'].every((name) => line.values.has(name))).toBe(true)
  })

  test('end at --', () => {
    const line = parseCommandLine(['get', '--', '-o'], COMMANDS)
    expect(line).toMatchObject({ kind: 'run', operands: ['-o'] })
  })

  test('have one meaning in all commands', () => {
    const known = new Map<string, string>()
    for (const { options } of COMMANDS) {
      for (const { name, short, value } of options) {
        const seen = `${short} ${value}`
        expect(known.get(name) ?? seen).toBe(seen)
        known.set(name, seen)
      }
    }
  })
})
