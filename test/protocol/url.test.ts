import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { type FtpTarget, parseFtpUrl, type ParseFtpUrlOptions } from '../../src/protocol/url.ts'

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

  it('decodes names in the encoding of the server', () => {
    expect(parseFtpUrl('ftp://h/caf%E9', { encoding: 'latin1' }).name).toBe('caf\u00e9')
    expect(parseFtpUrl('ftp://h/caf%E9').name).toBe('caf\udce9')
    expect(parseFtpUrl('ftp://h/%95%5c.txt', { encoding: 'shift_jis' }).name).toBe('\u8868.txt')
    expect(refusal('ftp://h/\u{1f600}', { encoding: 'latin1' }).code).toBe('FTP_INVALID_URL')
    expect(refusal('ftp://h/x', { encoding: 'utf-99' }).code).toBe('FTP_INVALID_OPTION')
  })
})
