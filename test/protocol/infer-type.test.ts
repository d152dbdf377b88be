import { describe, expect, it } from 'vitest'
import { inferType } from '../../src/protocol/infer-type.ts'

describe('inferType', () => {
  it.each([
    'a.txt',
    'README.TXT',
    'a.b.md',
    'index.html',
    'INDEX.HTM;1',
    'data.csv',
    '/etc/x.conf',
    'a.xml',
    '-.json',
  ])('takes %s for text', (name) => expect(inferType(name)).toBe('A'))

  it.each([
    '',
    'a',
    '.txt',
    'dir/.txt',
    'a.txt.gz',
    'a.zip',
    'a.',
    'a.ts',
    'a.txt/b',
    'a.txtx',
    'a.constructor',
    'a.txt ',
  ])('takes %j for an image', (name) => expect(inferType(name)).toBe('I'))
})
