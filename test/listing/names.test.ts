import { describe, expect, it } from 'vitest'
import { baseName, isSafeName, parseNameList } from '../../src/listing/index.ts'

describe('isSafeName', () => {
  it.each([
    '',
    '.',
    '..',
    'a/b',
    '/etc',
    '../x',
    'a\\b',
    '..\\x',
    'a\0',
    '\u001b[2J',
    'a\rb',
    'a\nb',
    '\u0007',
  ])('%j is safe nowhere', (name) => {
    expect(isSafeName(name)).toBe(false)
    expect(isSafeName(name, { windows: false })).toBe(false)
  })

  it.each(['\u007f', '\u009b', 'gnp.\u202efdp', '\u2066x', '\u200fx', 'x\u2028', '\u061c'])(
    '%j does not show as what it is',
    (name) => {
      expect(isSafeName(name, { windows: false })).toBe(false)
    },
  )

  it.each([
    'CON',
    'nul',
    'con.txt',
    'Aux .c',
    'COM1',
    'lpt9.x',
    'COM²',
    'CONIN$',
    'a:b',
    'C:evil',
    'C:',
    'x.',
    'x ',
    '...',
    'NUL:',
  ])('%j is not safe on Windows', (name) => {
    expect(isSafeName(name)).toBe(false)
    expect(isSafeName(name, { windows: false })).toBe(true)
  })

  it.each([
    'a',
    '.bashrc',
    '...a',
    '|x',
    '-rf',
    '~',
    '$HOME',
    'console',
    'com',
    'com10',
    'nul1',
    'ä',
    '試',
    ' a',
    '😀',
  ])('%j is safe', (name) => {
    expect(isSafeName(name)).toBe(true)
  })
})

describe('parseNameList', () => {
  const input = Buffer.from('dir1/dir2/file.xml\r\ndir1/dir2/b c.txt\ndir1/dir2/.\r\n\r\nlast ')

  it('gives the names as sent: CR LF and LF, no empty ones, blanks kept', () => {
    expect(parseNameList(input)).toEqual(['dir1/dir2/file.xml', 'dir1/dir2/b c.txt', 'dir1/dir2/.', 'last '])
  })

  it('gives base names, without . and ..', () => {
    expect(parseNameList(input, { names: 'base' })).toEqual(['file.xml', 'b c.txt', 'last '])
    expect(parseNameList(Buffer.from('a/b/\n..\n/\n//\nx'), { names: 'base' })).toEqual(['b', 'x'])
  })

  it('decodes each name by itself and loses no byte', () => {
    const bytes = Buffer.from('f\x80\nf\x81\n\xc3\xa9', 'latin1')
    expect(parseNameList(bytes)).toEqual(['f\udc80', 'f\udc81', 'é'])
    expect(parseNameList(Buffer.from('\xb2\xe2\xca\xd4\n', 'latin1'), { encoding: 'gbk' })).toEqual(['测试'])
    expect(parseNameList(new Uint8Array())).toEqual([])
  })
})

describe('baseName', () => {
  it('is what stands behind the last slash', () => {
    expect(baseName('a/b')).toBe('b')
    expect(baseName('/a/b//')).toBe('b')
    expect(baseName('a')).toBe('a')
    expect(baseName('/')).toBe('')
  })
})
