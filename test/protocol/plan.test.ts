import { describe, expect, it } from 'vitest'
import {
  commandsOf,
  planFor,
  type PlanOptions,
  type SessionState,
  typeArgument,
} from '../../src/protocol/plan.ts'
import { parseFtpUrl, type Representation } from '../../src/protocol/url.ts'

const plan = (url: string, options?: PlanOptions) => planFor(parseFtpUrl(url), options)

/** The commands behind the login. */
const walk = (url: string, options?: PlanOptions): string[] => commandsOf(plan(url, options)).slice(2)

describe('the commands that a URL stands for', () => {
  it.each<[rule: string, url: string, commands: string[]]>([
    // RFC 1738 §3.2.2, its three examples.
    [
      '%2F is a slash in a segment',
      'ftp://myname@host.dom/%2Fetc/motd',
      ['CWD /etc', 'TYPE I', 'PASV', 'RETR motd'],
    ],
    [
      'from the login directory',
      'ftp://myname@host.dom/etc/motd',
      ['CWD etc', 'TYPE I', 'PASV', 'RETR motd'],
    ],
    [
      'a null argument',
      'ftp://myname@host.dom//etc/motd',
      ['CWD ', 'CWD etc', 'TYPE I', 'PASV', 'RETR motd'],
    ],
    ['a null argument in the middle', 'ftp://h/a//b', ['CWD a', 'CWD ', 'TYPE I', 'PASV', 'RETR b']],
    ['no normalising', 'ftp://h/../%2e/x', ['CWD ..', 'CWD .', 'TYPE I', 'PASV', 'RETR x']],
    ['type a', 'ftp://h/d/f;type=a', ['CWD d', 'TYPE A', 'PASV', 'RETR f']],
    ['type i', 'ftp://h/d/f;type=i', ['CWD d', 'TYPE I', 'PASV', 'RETR f']],
    ['type d', 'ftp://h/d/e;type=d', ['CWD d', 'TYPE A', 'PASV', 'NLST e']],
    ['type d, no name', 'ftp://h/d/;type=d', ['CWD d', 'TYPE A', 'PASV', 'NLST']],
    ['type d, no path', 'ftp://h/;type=d', ['TYPE A', 'PASV', 'NLST']],
    // RFC 1630: the codes of RFC 959, the space omitted.
    ['ASCII non-print', 'ftp://h/f;type=an', ['TYPE A N', 'PASV', 'RETR f']],
    ['ASCII telnet', 'ftp://h/f;type=AT', ['TYPE A T', 'PASV', 'RETR f']],
    ['ASCII carriage control', 'ftp://h/f;type=ac', ['TYPE A C', 'PASV', 'RETR f']],
    ['EBCDIC', 'ftp://h/f;type=e', ['TYPE E', 'PASV', 'RETR f']],
    ['EBCDIC non-print', 'ftp://h/f;type=en', ['TYPE E N', 'PASV', 'RETR f']],
    ['EBCDIC telnet', 'ftp://h/f;type=et', ['TYPE E T', 'PASV', 'RETR f']],
    ['EBCDIC carriage control', 'ftp://h/f;type=ec', ['TYPE E C', 'PASV', 'RETR f']],
    ['local', 'ftp://h/f;type=l8', ['TYPE L 8', 'PASV', 'RETR f']],
    ['local, upper case', 'ftp://h/f;TYPE=L36', ['TYPE L 36', 'PASV', 'RETR f']],
    // RFC 1630: a trailing slash, no path.
    ['a trailing slash', 'ftp://h/a/b/', ['CWD a', 'CWD b', 'TYPE A', 'PASV', 'NLST']],
    ['a trailing slash with a type', 'ftp://h/a/;type=i', ['CWD a', 'TYPE A', 'PASV', 'NLST']],
    ['no path', 'ftp://h', ['TYPE A', 'PASV', 'NLST']],
    ['an empty path', 'ftp://h/', ['TYPE A', 'PASV', 'NLST']],
    ['type left out', 'ftp://h/a.txt', ['TYPE I', 'PASV', 'RETR a.txt']],
    ['? is a character', 'ftp://h/a?b', ['TYPE I', 'PASV', 'RETR a?b']],
    ['# is not sent', 'ftp://h/a#b', ['TYPE I', 'PASV', 'RETR a']],
    ['IPv6', 'ftp://[::1]/a', ['TYPE I', 'EPSV', 'RETR a']],
    ['a slash in the name', 'ftp://h/%2Fetc%2Fmotd', ['TYPE I', 'PASV', 'RETR /etc/motd']],
    // An option for `ls` otherwise.
    ['a hyphen before a listing', 'ftp://h/d/-R;type=d', ['CWD d', 'CWD -R', 'TYPE A', 'PASV', 'NLST']],
    ['a hyphen before a file', 'ftp://h/-R', ['TYPE I', 'PASV', 'RETR -R']],
    ['escaped for display', 'ftp://h/%ff/%C2%9B', ['CWD \\xff', 'TYPE I', 'PASV', 'RETR \\x9b']],
  ])('%s: %s', (_, url, commands) => {
    expect(walk(url)).toEqual(commands)
  })

  it('has the null argument as an empty string, and nothing of display in the plan', () => {
    expect(plan('ftp://h//%ff/x').directories).toEqual(['', '\udcff'])
  })
})

describe('login', () => {
  it.each<[url: string, login: object]>([
    ['ftp://h/', { user: 'anonymous', password: { source: 'email', email: 'anonymous@' } }],
    ['ftp://anonymous@h/', { user: 'anonymous', password: { source: 'email', email: 'anonymous@' } }],
    ['ftp://anonymous:x@h/', { user: 'anonymous', password: { source: 'url' } }],
    ['ftp://anonymous:@h/', { user: 'anonymous', password: { source: 'url' } }],
    ['ftp://joe@h/', { user: 'joe', password: { source: 'ask' } }],
    ['ftp://joe:@h/', { user: 'joe', password: { source: 'url' } }],
    ['ftp://joe:s3cret@h/', { user: 'joe', password: { source: 'url' } }],
  ])('of %s', (url, login) => {
    expect(plan(url).login).toEqual(login)
  })

  it('takes the e-mail address for anonymous FTP only', () => {
    const email = 'me@example.com'
    expect(plan('ftp://h/', { email }).login.password).toEqual({ source: 'email', email })
    expect(plan('ftp://joe@h/', { email }).login.password).toEqual({ source: 'ask' })
  })

  it('stands in the commands without a secret', () => {
    expect(commandsOf(plan('ftp://joe:s3cret@h/x'))).toEqual([
      'USER joe',
      'PASS ***',
      'TYPE I',
      'PASV',
      'RETR x',
    ])
    expect(commandsOf(plan('ftp://h/x'))).toEqual(['USER anonymous', 'PASS ***', 'TYPE I', 'PASV', 'RETR x'])
    expect(JSON.stringify(plan('ftp://joe:s3cret@h/x'))).not.toContain('s3cret')
  })
})

describe('emptySegment', () => {
  it.each<[url: string, asNull: string[], asRoot: string[], skipped: string[]]>([
    ['ftp://h//etc/motd', ['', 'etc'], ['/', 'etc'], ['etc']],
    ['ftp://h//motd', [''], ['/'], []],
    ['ftp://h//', [''], ['/'], []],
    ['ftp://h///x', ['', ''], ['/'], []],
    ['ftp://h/a//b/x', ['a', '', 'b'], ['a', 'b'], ['a', 'b']],
    ['ftp://h//a//b/x', ['', 'a', '', 'b'], ['/', 'a', 'b'], ['a', 'b']],
    ['ftp://h/%2F/x', ['/'], ['/'], ['/']],
    ['ftp://h/a/x', ['a'], ['a'], ['a']],
  ])('of %s', (url, asNull, asRoot, skipped) => {
    expect(plan(url).directories).toEqual(asNull)
    expect(plan(url, { emptySegment: 'null' }).directories).toEqual(asNull)
    expect(plan(url, { emptySegment: 'root' }).directories).toEqual(asRoot)
    expect(plan(url, { emptySegment: 'skip' }).directories).toEqual(skipped)
  })
})

describe('inferType', () => {
  it('decides only where the URL leaves the type out', () => {
    const typeOf = (url: string, inferType: PlanOptions['inferType']): string =>
      typeArgument(plan(url, { inferType }).representation)
    expect(typeOf('ftp://h/a.txt', undefined)).toBe('I')
    expect(typeOf('ftp://h/a.txt', false)).toBe('I')
    expect(typeOf('ftp://h/a.txt', true)).toBe('A')
    expect(typeOf('ftp://h/a.zip', true)).toBe('I')
    expect(typeOf('ftp://h/a.txt;type=i', true)).toBe('I')
    expect(typeOf('ftp://h/a.zip;type=e', true)).toBe('E')
    expect(typeOf('ftp://h/a.zip', (name) => (name === 'a.zip' ? 'A' : 'I'))).toBe('A')
    expect(typeOf('ftp://h/a.zip/', () => 'I')).toBe('A')
  })
})

describe('a session that was kept', () => {
  const state = (more: SessionState = {}): SessionState => ({
    loginDirectory: '/home/joe',
    walked: ['a', 'b'],
    type: { type: 'I' },
    ...more,
  })

  it.each<[what: string, url: string, state: SessionState, commands: string[]]>([
    ['goes on where it stands', 'ftp://h/a/b/x', state(), ['PASV', 'RETR x']],
    ['goes on further down', 'ftp://h/a/b/c/x', state(), ['CWD c', 'PASV', 'RETR x']],
    ['sends another type', 'ftp://h/a/b/x;type=a', state(), ['TYPE A', 'PASV', 'RETR x']],
    ['sends TYPE A for a listing', 'ftp://h/a/b/', state(), ['TYPE A', 'PASV', 'NLST']],
    ['takes A N for A', 'ftp://h/a/b/x;type=an', state({ type: { type: 'A' } }), ['PASV', 'RETR x']],
    [
      'tells A T from A',
      'ftp://h/a/b/x;type=a',
      state({ type: { type: 'A', form: 'T' } }),
      ['TYPE A', 'PASV', 'RETR x'],
    ],
    [
      'tells L 8 from L 36',
      'ftp://h/a/b/x;type=l36',
      state({ type: { type: 'L', byteSize: 8 } }),
      ['TYPE L 36', 'PASV', 'RETR x'],
    ],
    [
      'sends a type that is unknown',
      'ftp://h/a/b/x',
      state({ type: undefined }),
      ['TYPE I', 'PASV', 'RETR x'],
    ],
    ['returns by the absolute path', 'ftp://h/a/x', state(), ['CWD /home/joe', 'CWD a', 'PASV', 'RETR x']],
    ['returns to the login directory', 'ftp://h/x', state(), ['CWD /home/joe', 'PASV', 'RETR x']],
    [
      'returns for an absolute path too',
      'ftp://h/%2Fetc/x',
      state(),
      ['CWD /home/joe', 'CWD /etc', 'PASV', 'RETR x'],
    ],
    [
      'returns where it does not know where it stands',
      'ftp://h/a/b/x',
      state({ walked: undefined }),
      ['CWD /home/joe', 'CWD a', 'CWD b', 'PASV', 'RETR x'],
    ],
    [
      'needs no way back from the login directory',
      'ftp://h/c/x',
      { walked: [], type: { type: 'I' } },
      ['CWD c', 'PASV', 'RETR x'],
    ],
  ])('%s', (_, url, state, commands) => {
    const kept = plan(url, { state })
    expect(kept.start).toBe('continue')
    expect(commandsOf(kept)).toEqual(commands)
  })

  it('is replaced where no way back is sure, and then nothing of it counts', () => {
    const replaced = plan('ftp://joe@h/a/x', { state: state({ loginDirectory: undefined }) })
    expect(replaced.start).toBe('reconnect')
    expect(commandsOf(replaced)).toEqual(['USER joe', 'PASS ***', 'CWD a', 'TYPE I', 'PASV', 'RETR x'])
  })

  it('knows what it has walked afterwards', () => {
    expect(plan('ftp://h/x/y/z', { state: state() }).path).toEqual(['x', 'y'])
    expect(plan('ftp://h/a/b/c/z', { state: state() }).path).toEqual(['a', 'b', 'c'])
    expect(plan('ftp://h//x/z', { state: state(), emptySegment: 'root' }).path).toEqual(['/', 'x'])
  })
})

describe('typeArgument', () => {
  it.each<[Representation, string]>([
    [{ type: 'A' }, 'A'],
    [{ type: 'E', form: 'C' }, 'E C'],
    [{ type: 'I' }, 'I'],
    [{ type: 'L', byteSize: 8 }, 'L 8'],
  ])('of %j', (representation, argument) => {
    expect(typeArgument(representation)).toBe(argument)
  })
})
