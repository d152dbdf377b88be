import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { parseFtpUrl, type ParseFtpUrlOptions } from '../../src/protocol/url.ts'

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

describe('parseFtpUrl refuses', () => {
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

  it('takes little time over a host of any length and script', () => {
    const host = Array.from({ length: 60_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + (index % 20_000)),
    ).join('')
    const started = performance.now()
    expect(refusal(`ftp://${host}/`).message).toContain('253')
    expect(performance.now() - started).toBeLessThan(200)
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
