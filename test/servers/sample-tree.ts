/** One tree with names that lead servers and clients astray, made on the disk of any server. */
import { lutimesSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DAY_MS = 86_400_000

/** Not in the last half year, in which `ls` tells the minute. */
export const LONG_AGO = new Date('2021-02-28T22:33:44Z')

/** To the minute: what all servers can tell. */
export const LATELY = new Date(Math.floor((Date.now() - 3 * DAY_MS) / 60_000) * 60_000)

export const NAMES: readonly string[] = [
  'plain.txt',
  'two words.txt',
  'three   blanks',
  '"quoted".txt',
  "it's",
  '#hash',
  '100%',
  'semi;type=a',
  'fact=like; name',
  '[bracket]',
  '{brace}',
  '~tilde',
  'star*',
  'query?',
  'back\\slash',
  '-dash',
  '-rw-r--r-- 1 a b 5 Jan 1 2020 x',
  ' leading',
  'trailing ',
  'a -> b',
  'caf\u00e9 NFC',
  'cafe\u0301 NFD',
  '日本語',
  '1234',
]

export interface SampleFile {
  readonly name: string
  readonly type: 'file' | 'dir' | 'link'
  readonly size: number
  readonly modified: Date
}

/** Makes the tree in `folder`: files, a folder with a file in it, a link to a file and one that leads back up. */
export function makeTree(folder: string): SampleFile[] {
  mkdirSync(join(folder, 'sub folder', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'sub folder', 'inner.txt'), 'inner')
  writeFileSync(join(folder, 'sub folder', 'deep', 'core.txt'), 'core')
  symlinkSync('..', join(folder, 'sub folder', 'up'))
  symlinkSync('plain.txt', join(folder, 'link to file'))
  const files = NAMES.map((name, at) => {
    const modified = at % 2 === 0 ? LONG_AGO : LATELY
    const path = join(folder, name)
    writeFileSync(path, 'x'.repeat(at * 100))
    utimesSync(path, modified, modified)
    return { name, type: 'file' as const, size: at * 100, modified }
  })
  lutimesSync(join(folder, 'link to file'), LONG_AGO, LONG_AGO)
  utimesSync(join(folder, 'sub folder'), LATELY, LATELY)
  return [
    ...files,
    { name: 'sub folder', type: 'dir', size: 0, modified: LATELY },
    { name: 'link to file', type: 'link', size: 9, modified: LONG_AGO },
  ]
}
