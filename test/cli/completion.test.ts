import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { optionsOf } from '../../src/cli/common-options.ts'
import { ftpwire } from './run-command.ts'

const run = promisify(execFile)
const script = async (shell: string): Promise<string> =>
  (await ftpwire(['completion', shell])).stdout.toString()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftpwire-cli-'))
  await writeFile(join(folder, 'with space.txt'), '')
  await mkdir(join(folder, 'with-folder'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What bash offers behind these words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const line = `COMP_WORDS=(ftpwire "$@"); COMP_CWORD=$#; _ftpwire; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = await run('bash', ['-c', `${await script('bash')}\n${line}`, 'bash', ...words], {
    cwd: folder,
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  test('offers commands, and all of them', async () => {
    expect(await offered('')).toEqual([
      ...COMMANDS.map(({ name }) => name),
      'help', '--help', '-h', '--version', '-V',
    ]) // prettier-ignore
    expect(await offered('pl')).toEqual(['plan'])
    expect(await offered('help', 'pl')).toEqual(['plan'])
  })

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'offers every option of %s',
    async (name, command) => {
      const words = await offered(name, '--')
      expect(words).toEqual(expect.arrayContaining(optionsOf(command).map((option) => `--${option.name}`)))
    },
  )

  test('offers the values of an option, also where it stands before the command', async () => {
    expect(await offered('get', '--tls', '')).toEqual(['off', 'explicit', 'implicit'])
    expect(await offered('get', '-v', '--tls', 'e')).toEqual(['explicit'])
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await offered('get', '--email', '')).toEqual([])
  })

  test('offers files where an option takes one, with spaces in their names', async () => {
    expect(await offered('get', '-o', 'with')).toEqual(['with space.txt', 'with-folder'])
  })
})

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  test('names every command and every option', async () => {
    const text = await script(shell)
    for (const command of COMMANDS) {
      expect(text).toContain(command.name)
      for (const { name } of optionsOf(command)) {
        expect(text).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`)
      }
    }
  })

  test('has quotes in pairs', async () => {
    const bare = (await script(shell)).replaceAll(/\\'|^#.*$/gm, '')
    expect(bare.split("'").length % 2).toBe(1)
  })
})
