import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { formatFtpUrl, redactUrl } from '../../src/protocol/format-url.ts'
import { decodeText } from '../../src/protocol/text.ts'
import { type FtpTarget, parseFtpUrl, type TypeCode } from '../../src/protocol/url.ts'

const TARGET: FtpTarget = {
  protocol: 'ftp',
  host: 'h',
  port: 21,
  user: undefined,
  password: undefined,
  segments: [],
  name: '',
  type: undefined,
}

const octets = fc
  .uint8Array({ maxLength: 8 })
  .map((bytes) => bytes.map((octet) => (octet < 0x20 || octet === 0x7f ? 0x2f : octet)))
const part = fc.oneof(
  octets.map((bytes) => decodeText(bytes)),
  fc.constantFrom('', '.', '..', '/', ';type=a', '%41', 'a b', '?#@:', '-R', '\\'),
)
const type = fc.oneof(
  fc.constant<TypeCode | undefined>(undefined),
  fc.constant<TypeCode>({ kind: 'directory' }),
  fc.constant<TypeCode>({ kind: 'representation', type: 'I' }),
  fc
    .constantFrom('A' as const, 'E' as const)
    .chain((type) =>
      fc.constantFrom<TypeCode>(
        { kind: 'representation', type },
        { kind: 'representation', type, form: 'N' },
        { kind: 'representation', type, form: 'T' },
        { kind: 'representation', type, form: 'C' },
      ),
    ),
  fc
    .integer({ min: 1, max: 255 })
    .map((byteSize): TypeCode => ({ kind: 'representation', type: 'L', byteSize })),
)
const credentials = fc.oneof(
  fc.constant({ user: undefined, password: undefined }),
  fc.record({
    user: part.filter((user) => user !== ''),
    password: fc.option(part, { nil: undefined }),
  }),
)
const target = fc
  .record({
    protocol: fc.constantFrom('ftp' as const, 'ftps' as const),
    host: fc.constantFrom('example.com', '127.0.0.1', '::1', '2001:db8::1', 'xn--bcher-kva.example', 'a.'),
    port: fc.constantFrom(21, 990, 2121, 65_535, 1024),
    credentials,
    segments: fc.array(part, { maxLength: 5 }),
    name: part,
    type,
  })
  .map(({ credentials, ...rest }): FtpTarget => ({ ...rest, ...credentials }))

describe('formatFtpUrl', () => {
  it('is the inverse of parseFtpUrl', () => {
    fc.assert(
      fc.property(target, (target) => {
        expect(parseFtpUrl(formatFtpUrl(target))).toEqual(target)
      }),
      { numRuns: 2000 },
    )
  })

  it('writes only what every reader of URLs takes as it stands', () => {
    fc.assert(
      fc.property(target, (target) => {
        const url = formatFtpUrl(target)
        expect(url).toMatch(/^ftps?:\/\/[A-Za-z0-9\-._~%:@[\]]+\/[A-Za-z0-9\-._~%/]*(;type=[a-z0-9]+)?$/)
        expect(new URL(url).hostname.replaceAll(/[[\]]/g, '')).toBe(target.host)
      }),
    )
  })

  it.each([
    ['ftp://h', 'ftp://h/'],
    ['FTP://H:0021/x', 'ftp://h/x'],
    ['ftps://h:990/x', 'ftps://h/x'],
    ['ftp://h:990/x', 'ftp://h:990/x'],
    ['ftp://u:@h/', 'ftp://u:@h/'],
    [
      'ftp://us%40er:p%3Aw@[0:0::1]:2121/%2fetc//m%3fo?td;TYPE=AN#x',
      'ftp://us%40er:p%3Aw@[::1]:2121/%2Fetc//m%3Fo%3Ftd;type=an',
    ],
    ['ftp://h/%ff/../\u00e9', 'ftp://h/%FF/../%C3%A9'],
  ])('writes %s as %s', (url, formatted) => {
    expect(formatFtpUrl(parseFtpUrl(url))).toBe(formatted)
  })

  it('uses the encoding it is given', () => {
    expect(formatFtpUrl({ ...TARGET, name: 'caf\u00e9' }, 'latin1')).toBe('ftp://h/caf%E9')
  })

  it('takes any port and any length: neither was its to judge', () => {
    expect(formatFtpUrl({ ...TARGET, port: 22 })).toBe('ftp://h:22/')
    expect(formatFtpUrl({ ...TARGET, name: 'a'.repeat(70_000) })).toHaveLength(70_008)
  })

  it.each<[what: string, target: Partial<FtpTarget>]>([
    ['a host that would end early', { host: 'h/x' }],
    ['a host that would be user information', { host: 'u@h' }],
    ['an empty host', { host: '' }],
    ['a password without user', { password: 's3cret' }],
    ['an empty user', { user: '', password: 's3cret' }],
    ['a line feed', { name: 'a\nb' }],
    ['a NUL', { segments: ['\u0000'] }],
    ['a port that is none', { port: 65_536 }],
    ['no number', { port: Number.NaN }],
    ['a type that is none', { type: { kind: 'representation', type: 'L' } }],
  ])('refuses %s', (_, part) => {
    expect(() => formatFtpUrl({ ...TARGET, ...part })).toThrow(FtpError)
    expect(() => formatFtpUrl({ ...TARGET, ...part })).not.toThrow(/s3cret/)
  })
})

describe('redactUrl', () => {
  it.each([
    ['ftp://u:p@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:p%40q@h:2121/x', 'ftp://u:***@h:2121/x'],
    ['ftp://u:p@[::1]:2121/x', 'ftp://u:***@[::1]:2121/x'],
    ['ftp://u:@h/x', 'ftp://u:***@h/x'],
    ['ftp://:p@h/x', 'ftp://:***@h/x'],
    ['ftp://u@h/x:y@z', 'ftp://u@h/x:y@z'],
    ['ftp://h:2121/x', 'ftp://h:2121/x'],
    ['ftp://[::1]:2121', 'ftp://[::1]:2121'],
    ['ftp://h/a:b', 'ftp://h/a:b'],
    ['https://u:p@h/?q=1', 'https://u:***@h/?q=1'],
    ['', ''],
    ['no URL here: joe@example.com', 'no URL here: joe@example.com'],
    ['of ftp://u:p@h/x and ftp://v:q@i/y.', 'of ftp://u:***@h/x and ftp://v:***@i/y.'],
    ['ftp://h/a, then ftp://v:q@i/y', 'ftp://h/a, then ftp://v:***@i/y'],
    // Not to be parsed, or to be read in two ways: too much is hidden rather than too little.
    ['ftp:u:p@h/x', 'ftp:u:***@h/x'],
    ['ftp:\\\\u:p@h\\x', 'ftp:\\\\u:***@h\\x'],
    ['ftp://u:p/q@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:1/q@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:p#q@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:p q@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:p@q@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:p\n@h/x', 'ftp://u:***@h/x'],
    ['ftp://u:secret', 'ftp://u:***'],
    ['ftp://u:secret/x y', 'ftp://u:*** y'],
  ])('makes %j into %j', (text, redacted) => {
    expect(redactUrl(text)).toBe(redacted)
  })

  it('hides the password of every URL that can be parsed, in whatever text', () => {
    fc.assert(
      fc.property(target, fc.string(), fc.string(), (target, before, after) => {
        const url = formatFtpUrl({
          ...target,
          user: target.user ?? 'u',
          password: `${target.password}Zq9canary`,
        })
        expect(redactUrl(`${before} ${url} ${after}`)).not.toContain('Zq9canary')
      }),
    )
  })

  it('takes time that grows with the length only', () => {
    for (const piece of [
      'ftp:',
      '://',
      'ftp://a:',
      'ftp://a:b@',
      'a',
      'a ',
      ':',
      '@',
      '[',
      'ftp://h/ ',
      'ftp://h:1 ',
      'ftp://h:1/@',
      '://h:/',
    ]) {
      const started = performance.now()
      redactUrl(piece.repeat(50_000))
      expect(performance.now() - started).toBeLessThan(1000)
    }
  })
})
