import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { type FtpTarget, parseFtpUrl, type ParseFtpUrlOptions } from '../../src/protocol/url.ts'

const CANARY = 'Zq9canary'

function refusal(input: string | URL, options?: ParseFtpUrlOptions): FtpError {
  try {
    parseFtpUrl(input, options)
  } catch (error) {
    if (error instanceof FtpError) return error
    throw error
  }
  throw new Error(`not refused: ${JSON.stringify(input)}`)
}

const representation = (type: string, more: object = {}): object => ({
  kind: 'representation',
  type,
  ...more,
})

describe('parseFtpUrl', () => {
  it('gives the whole of a target', () => {
    expect(parseFtpUrl('ftps://joe:s3cret@Example.COM:2121/a/b/c.txt;type=i#top')).toEqual({
      protocol: 'ftps',
      host: 'example.com',
      port: 2121,
      user: 'joe',
      password: 's3cret',
      segments: ['a', 'b'],
      name: 'c.txt',
      type: { kind: 'representation', type: 'I' },
    } satisfies FtpTarget)
  })

  it.each<[url: string, segments: string[], name: string]>([
    // RFC 1738 §3.2.2
    ['ftp://myname@host.dom/%2Fetc/motd', ['/etc'], 'motd'],
    ['ftp://myname@host.dom/etc/motd', ['etc'], 'motd'],
    ['ftp://myname@host.dom//etc/motd', ['', 'etc'], 'motd'],
    ['ftp://ftp.funet.fi/pub/standards/RFC/rfc959.txt', ['pub', 'standards', 'RFC'], 'rfc959.txt'],
    // No path, a trailing slash: a directory (RFC 1630).
    ['ftp://h', [], ''],
    ['ftp://h/', [], ''],
    ['ftp://h//', [''], ''],
    ['ftp://h/pub/', ['pub'], ''],
    ['ftp://h/a//b', ['a', ''], 'b'],
    ['ftp://h/motd', [], 'motd'],
    ['ftp://h/%2Fetc%2Fmotd', [], '/etc/motd'],
    // Nothing is normalised.
    ['ftp://h/../../etc/passwd', ['..', '..', 'etc'], 'passwd'],
    ['ftp://h/%2e%2e/%2e%2e/etc', ['..', '..'], 'etc'],
    ['ftp://h/..%2f..%2fetc', [], '../../etc'],
    ['ftp://h/a/%2e%2e%2fb', ['a'], '../b'],
    ['ftp://h/./x/.', ['.', 'x'], '.'],
    ['ftp://h/~/x', ['~'], 'x'],
    // Decoded once.
    ['ftp://h/%252e%252e%252f', [], '%2e%2e%2f'],
    ['ftp://h/%250d%250a', [], '%0d%0a'],
    ['ftp://h/dir/%23name', ['dir'], '#name'],
    ['ftp://h/a%20b/100%25.txt', ['a b'], '100%.txt'],
    ['ftp://h/x;y/f;type=i', ['x;y'], 'f'],
    ['ftp://h/a%3Btype%3Da', [], 'a;type=a'],
    ['ftp://h/a%3Btype=b/c', ['a;type=b'], 'c'],
    // ? is an ordinary character, # begins what is never sent.
    ['ftp://h/x?q', [], 'x?q'],
    ['ftp://h/a?b/c?d=e&f', ['a?b'], 'c?d=e&f'],
    ['ftp://h/x#f', [], 'x'],
    ['ftp://h/x#f/y;type=a', [], 'x'],
    ['ftp://h#f', [], ''],
    // Characters that other readers would encode.
    ['ftp://h/My File.txt', [], 'My File.txt'],
    ['ftp://h/caf\u00e9/\u{1f600}', ['caf\u00e9'], '\u{1f600}'],
    ['ftp://h/caf%C3%A9', [], 'caf\u00e9'],
    ['ftp://h/u@x:1', [], 'u@x:1'],
    ['ftp://h/a%5Cb', [], 'a\\b'],
    // Octets that are not UTF-8 survive one by one.
    ['ftp://h/%ff%f4%ff%f2', [], '\udcff\udcf4\udcff\udcf2'],
    ['ftp://h/%C3%28', [], '\udcc3('],
    ['ftp://h/%c0%af', [], '\udcc0\udcaf'],
    ['ftp://h/%ED%A0%80', [], '\udced\udca0\udc80'],
    ['ftp://h/%EF%BB%BFx', [], '\ufeffx'],
  ])('reads the path of %s', (url, segments, name) => {
    expect(parseFtpUrl(url)).toMatchObject({ segments, name })
  })

  it.each<[code: string, type: object | undefined]>([
    ['', undefined],
    [';type=a', representation('A')],
    [';type=i', representation('I')],
    [';type=d', { kind: 'directory' }],
    [';TYPE=A', representation('A')],
    [';Type=D', { kind: 'directory' }],
    [';type=an', representation('A', { form: 'N' })],
    [';type=at', representation('A', { form: 'T' })],
    [';type=AC', representation('A', { form: 'C' })],
    [';type=e', representation('E')],
    [';type=en', representation('E', { form: 'N' })],
    [';type=et', representation('E', { form: 'T' })],
    [';type=ec', representation('E', { form: 'C' })],
    [';type=l8', representation('L', { byteSize: 8 })],
    [';type=L36', representation('L', { byteSize: 36 })],
    [';type=l255', representation('L', { byteSize: 255 })],
  ])('reads the type code %j', (code, type) => {
    expect(parseFtpUrl(`ftp://h/d/f${code}`)).toMatchObject({ segments: ['d'], name: 'f' })
    expect(parseFtpUrl(`ftp://h/d/f${code}`).type).toEqual(type)
    expect(parseFtpUrl(`ftp://h/d/f${code}#x`).type).toEqual(type)
  })

  it.each([
    'x',
    '',
    'a;type=i',
    'a%0d%0aDELE',
    '%61',
    'a%',
    'ad',
    'in',
    'l',
    'l0',
    'l08',
    'l256',
    'l8x',
    'a n',
    'a?x',
    'a;x',
    'a/',
    'd/x',
  ])('refuses the type code %j', (code) => {
    expect(refusal(`ftp://h/f;type=${code}`).code).toBe('FTP_INVALID_URL')
  })

  it.each<[userInfo: string, user: string | undefined, password: string | undefined]>([
    ['', undefined, undefined],
    ['u@', 'u', undefined],
    ['u:@', 'u', ''],
    ['u:p@', 'u', 'p'],
    ['u:p:q@', 'u', 'p:q'],
    ['us%40er:p%3Aw@', 'us@er', 'p:w'],
    ['a%2Fb:c%2Fd@', 'a/b', 'c/d'],
    ['u%3Ax:p@', 'u:x', 'p'],
    ['u;x=y:p@', 'u;x=y', 'p'],
    ['u;type=a@', 'u;type=a', undefined],
    ['u%3F%23:%20@', 'u?#', ' '],
    ['evil%2F@', 'evil/', undefined],
    ['j\u00fcrgen:%ff@', 'j\u00fcrgen', '\udcff'],
  ])('reads the user information %j', (userInfo, user, password) => {
    const target = parseFtpUrl(`ftp://${userInfo}h:2121/f`)
    expect(target).toMatchObject({ host: 'h', port: 2121, name: 'f' })
    expect([target.user, target.password]).toEqual([user, password])
  })

  it.each<[host: string, read: string]>([
    ['H', 'h'],
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com.'],
    ['b\u00fccher.example', 'xn--bcher-kva.example'],
    ['b%C3%BCcher.example', 'xn--bcher-kva.example'],
    ['ex\u00adample.com', 'example.com'],
    ['my_host', 'my_host'],
    ['192.0.2.1', '192.0.2.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['\u2460\u2461\u2466.0.0.1', '127.0.0.1'],
    ['127\u30020\u30020\u30021', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[2001:DB8:0:0:0:0:0:1]', '2001:db8::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ])('reads the host %s', (host, read) => {
    expect(parseFtpUrl(`ftp://${host}/`).host).toBe(read)
    expect(parseFtpUrl(`ftps://u:p@${host}:2121/x`)).toMatchObject({ host: read, port: 2121 })
  })

  it.each([
    '',
    '.',
    'a..b',
    '.a',
    '-h',
    '-oProxyCommand',
    'a b',
    'h%00.evil',
    'h%2Fevil',
    'h%3A80',
    'h%0d%0a',
    'h%zz',
    'h%',
    '%2561',
    'h\\@evil',
    'h?x',
    'h;type=d',
    'a*b',
    '256.1.1.1',
    'xn--a',
    '::1',
    'fe80::1',
    '[::1',
    '::1]',
    '[]',
    '[::1]x',
    '[1::2::3]',
    '[example.com]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    'x[::1]',
    'a@b@c',
    'a'.repeat(64),
    `${'a.'.repeat(127)}a`,
    '\u00ad',
    'a\ud800',
    'a\u3000b',
  ])('refuses the host %j', (host) => {
    for (const url of [`ftp://${host}/x`, `ftps://${host}`, `ftp://u:${CANARY}@${host}/x`]) {
      expect(refusal(url)).toMatchObject({ code: 'FTP_INVALID_URL', kind: 'caller', phase: 'arguments' })
      expect(refusal(url).message).not.toContain(CANARY)
    }
  })

  it('takes a host of 253 characters and parts of 63', () => {
    const part = 'a'.repeat(63)
    const host = `${part}.${part}.${part}.${'a'.repeat(61)}`
    expect(parseFtpUrl(`ftp://${host}/`).host).toBe(host)
    expect(refusal(`ftp://${host}a/`).message).toContain('253')
  })

  it.each<[port: string, read: number]>([
    ['', 21],
    [':', 21],
    [':21', 21],
    [':0021', 21],
    [':990', 990],
    [':2121', 2121],
    [':65535', 65_535],
  ])('reads the port %j', (port, read) => {
    expect(parseFtpUrl(`ftp://h${port}/`).port).toBe(read)
    expect(parseFtpUrl(`ftp://[::1]${port}/`).port).toBe(read)
  })

  it('knows the default port of ftps', () => {
    expect(parseFtpUrl('FTPS://h/')).toMatchObject({ protocol: 'ftps', port: 990 })
    expect(parseFtpUrl('FTP://H/')).toMatchObject({ protocol: 'ftp', port: 21 })
  })

  it.each([
    ':0',
    ':65536',
    ':99999999999',
    ':-1',
    ': 21',
    ':21abc',
    ':0x15',
    ':+21',
    ':2.1',
    ':21:21',
    ':\u0662',
  ])('refuses the port %j', (port) => expect(refusal(`ftp://h${port}/`).code).toBe('FTP_INVALID_URL'))

  it.each([22, 25, 80, 443, 5432, 6379, 11_211])('forbids port %i unless it is allowed', (port) => {
    expect(refusal(`ftp://h:${port}/`).code).toBe('FTP_PORT_FORBIDDEN')
    expect(refusal(`ftp://h:${port}/`, { allowPorts: [21] }).message).toContain('allowPorts')
    expect(parseFtpUrl(`ftp://h:${port}/`, { allowPorts: [port] }).port).toBe(port)
  })

  it.each([
    '',
    'h',
    'h:21/x',
    '//h/x',
    'ftp:',
    'ftp:h/x',
    'ftp:/h/x',
    'ftp://',
    'ftp:///h/x',
    'ftp:\\\\h\\x',
    'ftp:/\\h/x',
    'file:///x',
    'http://h/x',
    'sftp://h/x',
    'ftpx://h/x',
    'xftp://h/x',
    ' ftp://h/x',
    'ftp://h/x ',
    'ftp://h/x\n',
    'f\ttp://h/',
    'ftp://h\n.evil/x',
    'ftp://h/a\r\nDELE x',
    'ftp://h/a\u0000b',
    'ftp://h/a\u007fb',
    'ftp://h/x#a\nb',
    'ftp://h/a\\b',
    'ftp://h/x#a\\b',
    'ftp://h/\ud800',
    'ftp://h/\udcff',
    'ftp://u\udc80@h/',
    'ftp://@h/',
    'ftp://:@h/',
    'ftp://:p@h/',
    'ftp://u v@h/',
    'ftp://u:p w@h/',
    'ftp://u?v@h/',
    'ftp://u@v@h/',
    'ftp://u:p#w@h/',
  ])('refuses %j', (url) => {
    expect(refusal(url)).toMatchObject({ code: 'FTP_INVALID_URL', kind: 'caller', phase: 'arguments' })
  })

  it.each([
    '%',
    '%2',
    '%zz',
    '%2g',
    'x%',
    '%%41',
    '%u0041',
    '%0d',
    '%0A',
    '%00',
    '%0d%0aDELE%20x',
    '%09',
    '%1b',
    '%7F',
  ])('refuses %s wherever it stands', (escape) => {
    for (const url of [
      `ftp://h/${escape}`,
      `ftp://h/${escape}/x`,
      `ftp://h/a${escape};type=a`,
      `ftp://${escape}@h/`,
      `ftp://u:${escape}@h/`,
      `ftp://${escape}/`,
      `ftps://h${escape}/x`,
    ]) {
      expect(refusal(url).code).toBe('FTP_INVALID_URL')
    }
  })

  it('accepts a URL object, which has dropped dot segments by then', () => {
    expect(parseFtpUrl(new URL('ftp://u:p@H:2121/a/../b%2Fc/d;type=a#x'))).toEqual({
      protocol: 'ftp',
      host: 'h',
      port: 2121,
      user: 'u',
      password: 'p',
      segments: ['b/c'],
      name: 'd',
      type: { kind: 'representation', type: 'A' },
    })
    expect(parseFtpUrl(new URL('ftps://b\u00fccher.example/')).host).toBe('xn--bcher-kva.example')
    expect(refusal(new URL('ftps://h%0d%0a/x')).code).toBe('FTP_INVALID_URL')
    expect(refusal(new URL('http://h/x')).code).toBe('FTP_INVALID_URL')
  })

  it('reads an object once', () => {
    let reads = 0
    const url = new URL('ftp://h/x')
    Object.defineProperty(url, 'href', { get: () => (reads++ === 0 ? 'ftp://h/x' : 'ftp://evil/x') })
    expect(parseFtpUrl(url).host).toBe('h')
    expect(reads).toBe(1)
  })

  it.each([undefined, null, 42, {}, [], Symbol('x'), { href: 1 }, () => 'ftp://h/'])(
    'refuses what is no URL at all: %s',
    (input) => {
      expect(refusal(input as unknown as string).code).toBe('FTP_INVALID_URL')
    },
  )

  it('keeps to its limits, exactly', () => {
    const atLength = `ftp://h/${'a'.repeat(64 * 1024 - 8)}`
    expect(parseFtpUrl(atLength).name).toHaveLength(64 * 1024 - 8)
    expect(refusal(`${atLength}a`).message).toContain('urlLength')
    expect(parseFtpUrl(`ftp://h/${'a/'.repeat(1000)}`).segments).toHaveLength(1000)
    expect(refusal(`ftp://h/${'a/'.repeat(1001)}`).message).toContain('urlSegments')
    expect(refusal('ftp://h/a/b/c', { limits: { urlSegments: 1 } }).code).toBe('FTP_INVALID_URL')
    expect(refusal('ftp://h/', { limits: { urlLength: 7 } }).code).toBe('FTP_INVALID_URL')
  })

  it('decodes names in the encoding of the server', () => {
    expect(parseFtpUrl('ftp://h/caf%E9', { encoding: 'latin1' }).name).toBe('caf\u00e9')
    expect(parseFtpUrl('ftp://h/caf%E9').name).toBe('caf\udce9')
    expect(refusal('ftp://h/\u{1f600}%20', { encoding: 'latin1' }).code).toBe('FTP_INVALID_URL')
  })

  it('shows the URL in a refusal, without its password and with nothing that a terminal would obey', () => {
    expect(refusal(`ftp://u:${CANARY}@h/%zz`).message).toContain('(ftp://u:***@h/%zz)')
    expect(refusal(`ftp://h/\u001b[2J\u202e`).message).toContain('ftp://h/\\x1b[2J\\u{202e}')
    expect(refusal(`ftp://h:0/${'a'.repeat(5000)}`).message.length).toBeLessThan(500)
  })

  it.each([
    `ftp://u:${CANARY}@h/%zz`,
    `ftp://:${CANARY}@h/`,
    `ftp:u:${CANARY}@h/`,
    `ftp:/u:${CANARY}@h/`,
    `ftp//u:${CANARY}@h/`,
    `//u:${CANARY}@h/`,
    `u:${CANARY}@h/`,
    `http://u:${CANARY}@h/`,
    `http:\\\\u:${CANARY}@h/`,
    `ftp://u:${CANARY}`,
    `ftp://u:1/${CANARY}@h/%zz`,
    `ftp://u:a#${CANARY}@h/`,
    `ftp://u:a?${CANARY}@h/`,
    `ftp://u:a/${CANARY}@h/`,
    `ftp://u:a ${CANARY}@h/`,
    `ftp://u:12 ${CANARY}@h/`,
    `ftp://u:a@${CANARY}@h/`,
    `ftp://u:a\n${CANARY}@h/`,
    `ftp://u:a\\${CANARY}@h/`,
    `ftp://u:a://${CANARY}@h/`,
    `ftp://u:${CANARY}%0d%0a@h/`,
    `ftp://u:${CANARY}@h:0/`,
    `ftp://u:${CANARY}@h:22/`,
    `ftp://u:${CANARY}@[::1/`,
    `ftp://u:${CANARY}@/x`,
    `ftp://u:p@h/http://v:${CANARY}@x/%zz`,
    `ftp://u:${CANARY}@h/a@b/%zz`,
  ])('never shows the password of %j', (url) => {
    expect(refusal(url).message).not.toContain(CANARY)
  })
})

describe('parseFtpUrl, whatever it is given', () => {
  const shard = fc.oneof(
    fc.constantFrom(
      'ftp',
      '://',
      'ftps://',
      ':',
      '@',
      '/',
      '%',
      '%2F',
      '%0a',
      ';type=',
      'a',
      'l8',
      '#',
      '?',
      '[',
      ']',
    ),
    fc.constantFrom(
      '::1',
      '127.1',
      'example.com',
      '\\',
      ' ',
      '\n',
      '\udc80',
      '\u00e9',
      '%ff',
      '..',
      ':21',
      ':0',
      ':25',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const text = fc.array(shard, { maxLength: 16 }).map((shards) => shards.join(''))

  it('gives a target or one of two errors', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `ftp://${rest}`),
          fc.string({ unit: 'binary' }),
        ),
        (input) => {
          try {
            const { host, port, user } = parseFtpUrl(input)
            expect(host).toMatch(/^[a-z0-9._:-]+$/)
            expect(port).toBeGreaterThan(0)
            expect(user).not.toBe('')
          } catch (error) {
            if (!(error instanceof FtpError)) throw error
            expect(['FTP_INVALID_URL', 'FTP_PORT_FORBIDDEN']).toContain(error.code)
            // oxlint-disable-next-line no-control-regex -- they are what is looked for
            expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('never has the password in its message', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.constantFrom('ftp://', 'FTPS://', 'ftp:', '//', ''),
        (before, after, rest, scheme) => {
          const password = `${before.replaceAll('@', '')}${CANARY}${after}`
          try {
            parseFtpUrl(`${scheme}u:${password}@h/${rest}`)
          } catch (error) {
            if (!(error instanceof FtpError)) throw error
            expect(error.message).not.toContain(CANARY)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('sends no octet that ends a command', () => {
    fc.assert(
      fc.property(text, (rest) => {
        let target: FtpTarget
        try {
          target = parseFtpUrl(`ftp://h/${rest}`)
        } catch {
          return
        }
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        for (const part of [...target.segments, target.name])
          expect(part).not.toMatch(/[\u0000-\u001f\u007f]/)
      }),
    )
  })
})
