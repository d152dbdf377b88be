import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { type FtpTarget, parseFtpUrl } from '../../src/protocol/url.ts'

const CANARY = 'Zq9canary'
const CONTROL = /\p{Cc}/u
// eslint-disable-next-line no-control-regex
const CONTROL_OCTET = /[\u0000-\u001f\u007f]/

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
            expect(error.message).not.toMatch(CONTROL)
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
        for (const part of [...target.segments, target.name]) expect(part).not.toMatch(CONTROL_OCTET)
      }),
    )
  })
})
