import { describe, expect, test } from 'vitest'
import { findEntry, parseNetrc } from '../../src/cli/netrc.ts'

describe('a netrc file', () => {
  test('has entries in their order, over lines or on one', () => {
    const text = `# my machines
machine a.example login joe password p1
machine b.example
\tlogin ann
\tpassword "with \\"quotes\\" and # blank"
\taccount acc
default login anonymous password me@example.com`
    expect(parseNetrc(text)).toEqual([
      { machine: 'a.example', login: 'joe', password: 'p1' },
      { machine: 'b.example', login: 'ann', password: 'with "quotes" and # blank', account: 'acc' },
      { machine: undefined, login: 'anonymous', password: 'me@example.com' },
    ])
  })

  test('takes a password that looks like a word of its grammar, or holds a #', () => {
    expect(parseNetrc('machine h login machine password login')).toEqual([
      { machine: 'h', login: 'machine', password: 'login' },
    ])
    expect(parseNetrc('machine h login joe password a#b')).toEqual([
      { machine: 'h', login: 'joe', password: 'a#b' },
    ])
    expect(parseNetrc('machine h login joe password #b')).toEqual([
      { machine: 'h', login: 'joe', password: '#b' },
    ])
  })

  test('ends with a comment, at once', () => {
    const text = `machine h login joe # password no\n${'#'.repeat(100_000)} password no`
    const start = performance.now()
    expect(parseNetrc(text)).toEqual([{ machine: 'h', login: 'joe' }])
    expect(performance.now() - start).toBeLessThan(100)
  })

  test('leaves macros out', () => {
    const text =
      'machine a login x password y\nmacdef init\nmachine evil login e password f\n\nmachine b login z'
    expect(parseNetrc(text)).toEqual([
      { machine: 'a', login: 'x', password: 'y' },
      { machine: 'b', login: 'z' },
    ])
  })

  test.each(['', 'machine', 'login x', 'password', 'x y z', '"', 'default'])('may be broken: %j', (text) => {
    expect(Array.isArray(parseNetrc(text))).toBe(true)
  })

  test('is searched by the exact host, then by the user', () => {
    const entries = parseNetrc(
      'machine H.example login a password 1 machine h.example login b password 2 default login c password 3',
    )
    expect(findEntry(entries, 'h.example', undefined)?.password).toBe('1')
    expect(findEntry(entries, 'h.example', 'b')?.password).toBe('2')
    expect(findEntry(entries, 'evil.h.example', undefined)?.password).toBe('3')
    expect(findEntry(entries, 'h.example', 'd')).toBeUndefined()
    expect(findEntry(entries.slice(0, 2), 'example', undefined)).toBeUndefined()
  })
})
