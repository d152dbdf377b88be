/** The tables of the documents name everything that the code has, and nothing else. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { FTP_ERROR_CODES, FtpError } from '../../src/errors.ts'
import { VERBS } from '../../src/protocol/commands.ts'
import { readDocument, root } from './markdown.ts'

/** The first cell of each row that is a name in code, with the heading above it. */
function rows(document: string): Array<{ heading: string; name: string; cells: string[] }> {
  const found: Array<{ heading: string; name: string; cells: string[] }> = []
  let heading = ''
  for (const line of readDocument(document).split('\n')) {
    heading = /^## (.*)/.exec(line)?.[1] ?? heading
    const [, name, rest] = /^\| `([A-Z0-9_]+)`\s*\|(.*)\|$/.exec(line) ?? []
    if (name !== undefined && rest !== undefined)
      found.push({ heading, name, cells: rest.split('|').map((cell) => cell.trim()) })
  }
  return found
}

const sorted = (names: readonly string[]): string[] => names.toSorted()

describe('docs/errors.md', () => {
  const errors = rows('docs/errors.md')

  test('has each code once', () => {
    expect(sorted(errors.map(({ name }) => name))).toEqual(sorted(FTP_ERROR_CODES))
  })

  test.each(errors)(
    '$name stands under its kind, with a meaning and a remedy',
    ({ heading, name, cells }) => {
      const code = FTP_ERROR_CODES.find((known) => known === name)
      expect(code).toBeDefined()
      if (code !== undefined) expect(heading.split(', ')).toContain(new FtpError(code, '').kind)
      expect(cells).toHaveLength(2)
      expect(cells.every((cell) => cell.length > 3)).toBe(true)
    },
  )
})

describe('docs/rfc.md', () => {
  const commands = rows('docs/rfc.md')
  const OF_RFCS =
    'USER PASS ACCT CWD CDUP SMNT REIN QUIT PORT PASV TYPE STRU MODE RETR STOR STOU APPE ALLO REST RNFR RNTO ' +
    'ABOR DELE RMD MKD PWD LIST NLST SITE SYST STAT HELP NOOP AUTH ADAT PBSZ PROT CCC MIC CONF ENC FEAT OPTS ' +
    'EPRT EPSV LANG SIZE MDTM MLST MLSD HOST'

  test('has each verb of the table and of the RFCs once', () => {
    const wanted = new Set([...Object.keys(VERBS), ...OF_RFCS.split(' ')])
    expect(sorted(commands.map(({ name }) => name))).toEqual(sorted([...wanted]))
  })

  test.each(commands)('$name is sent, or why not', ({ cells: [what, why] }) => {
    expect(what).toMatch(/^(?:sent|by hand|not sent)$/)
    expect(why?.length).toBeGreaterThan(3)
  })
})

describe('docs/compare.md', () => {
  const lines = readDocument('docs/compare.md').match(/^\| .* \|$/gm) ?? []
  const capabilities = lines
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/, '').trim()))
    .filter(([name]) => name !== undefined && !/^(?:-+|)$/.test(name))

  test('has rows', () => expect(capabilities.length).toBeGreaterThan(60))

  test.each(capabilities)('%s: %s is shown by a test, a no by none', (_, what = '', shown = '') => {
    const files = [...shown.matchAll(/\]\(\.\.\/(test\/[^)]*\.ts)\)/g)].map(([, file = '']) => file)
    expect(what).toMatch(/^(?:yes|part|hook|no)\b/)
    expect(files.length > 0).toBe(!what.startsWith('no'))
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

test('docs/states.md is what .ci/write-states.mjs writes', async () => {
  await promisify(execFile)(process.execPath, [join(root, '.ci/write-states.mjs'), '--check'])
})
