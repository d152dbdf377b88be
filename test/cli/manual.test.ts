import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { EXIT_MEANINGS } from '../../src/cli/exit-code.ts'
import { commandHelp } from '../../src/cli/help-text.ts'
import { manPage } from './man-page.ts'

const path = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url))

describe('the manual page', () => {
  test('is what the table of commands says', async () => {
    await expect(manPage(COMMANDS)).toMatchFileSnapshot(path('ftpwire.1'))
  })

  test('has no request that nobody meant, and no line that begins with an apostrophe', () => {
    const known = /^\.(?:\\"|TH|SH|SS|TP|PP|BR|IR|B|I|br|EX|EE)(?: |$)/
    const lines = manPage(COMMANDS).split('\n')
    expect(lines.filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([])
  })
})

describe('docs/command.md', () => {
  const read = (): Promise<string> => readFile(path('command.md'), 'utf8')

  test('ends with the help of each command as it is', async () => {
    const [prose = ''] = (await read()).split('\n## Commands\n')
    const helps = COMMANDS.map(
      (command) => `### ${command.name}\n\n\`\`\`text\n${commandHelp(command)}\`\`\`\n`,
    )
    await expect(`${prose}\n## Commands\n\n${helps.join('\n')}`).toMatchFileSnapshot(path('command.md'))
  })

  test('has every exit code', async () => {
    const rows = [...(await read()).matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [
      Number(code),
      meaning,
    ])
    expect(rows).toEqual(EXIT_MEANINGS)
  })
})
