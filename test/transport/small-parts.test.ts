import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { FtpError } from '../../src/errors.ts'
import { Reply } from '../../src/protocol/reply.ts'
import { inContext, redactedReply, withoutSecrets } from '../../src/transport/control-errors.ts'
import { Deadline } from '../../src/transport/deadline.ts'
import { Drain } from '../../src/transport/drain.ts'
import { Exchange } from '../../src/transport/exchange.ts'
import { isLoginRefused, isRefused } from '../../src/transport/flight.ts'
import { familyOf, isSameAddress, plain } from '../../src/transport/peer-address.ts'

const reply = (code: number, text = 'x'): Reply => new Reply(code, [text])

describe('addresses', () => {
  test.each([
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::FFFF:10.0.0.1', '10.0.0.1', true],
    ['fe80::1%eth0', 'fe80::1%eth1', false],
    ['FE80::1%eth0', 'fe80::1%eth0', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['::1', '127.0.0.1', false],
  ])('%s and %s (C17)', (one, other, same) => expect(isSameAddress(one, other)).toBe(same))

  test('what is unknown is the same as nothing', () => {
    expect(isSameAddress(undefined, undefined)).toBe(false)
    expect(isSameAddress('::1', undefined)).toBe(false)
  })

  test('families', () => {
    expect(familyOf('::ffff:10.0.0.1')).toBe(4)
    expect(familyOf('fe80::1%eth0')).toBe(6)
    expect(plain('fe80::1%eth0')).toBe('fe80::1%eth0')
  })
})

describe('a deadline', () => {
  test.each([0, Infinity, 2 ** 31, Number.NaN, -1])('%f means never', async (ms) => {
    let expired = false
    const deadline = new Deadline(() => (expired = true))
    deadline.set(ms)
    await turn()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(expired).toBe(false)
    deadline.clear()
  })

  test('expires once, and not when it was cleared', async () => {
    let expired = 0
    const deadline = new Deadline(() => expired++)
    deadline.set(1)
    deadline.clear()
    deadline.set(1)
    deadline.set(1)
    await expect.poll(() => expired).toBe(1)
  })
})

describe('an exchange', () => {
  test('a greeting has no first reply before its 220', async () => {
    const exchange = new Exchange('the connection', 'greeting')
    exchange.settle(reply(120), exchange.judge(reply(120)))
    exchange.settle(reply(220), exchange.judge(reply(220)))
    expect((await exchange.first).code).toBe(220)
  })

  test('a transfer has a first and a last one', async () => {
    const exchange = new Exchange('RETR f', 'transfer')
    for (const code of [150, 226]) exchange.settle(reply(code), exchange.judge(reply(code)))
    expect([(await exchange.first).code, (await exchange.final).code]).toEqual([150, 226])
    expect(exchange.judge(reply(226))).toBe('out-of-step')
  })

  test('replies that carry data have their own codes', () => {
    const exchange = new Exchange('PASV', 'simple', [227, 229])
    expect(exchange.judge(reply(250))).toBe('out-of-step')
    expect(exchange.judge(reply(500))).toBe('over')
  })
})

describe('a drain', () => {
  test('counts what comes before the mark, a 257 among it', async () => {
    const drain = new Drain(false)
    expect([257, 426, 226].map((code) => drain.take(reply(code)))).toEqual(['mark', 'wait', 'wait'])
    expect(drain.take(reply(257))).toBe('over')
    drain.settle()
    expect(await drain.done).toBe(3)
  })
})

describe('when a flight need not be waited for', () => {
  const flight = [
    { verb: 'USER', argument: 'u' },
    { verb: 'PASS', argument: 'p' },
    { verb: 'CWD', argument: 'd' },
  ]

  test.each([
    [[530], true],
    [[331], false],
    [[331, 530], true],
    // PASS behind a USER that needed none.
    [[230, 503], false],
    [[331, 230, 550], false],
  ])('%o: the login is refused: %s', (codes, refused) => {
    const replies = codes.map((code) => reply(code))
    expect(isLoginRefused(flight.slice(0, codes.length), replies)).toBe(refused)
  })

  test('a step that may be refused does not count', () => {
    expect(isRefused([{ verb: 'SIZE', argument: 'f', optional: true }], [reply(550)])).toBe(false)
    expect(isRefused(flight, [reply(331), reply(230), reply(550)])).toBe(true)
  })
})

describe('errors without secrets', () => {
  const secrets = new Set(['s3cret'])

  test('message and reply', () => {
    const error = new FtpError('FTP_BAD_REPLY', 'got s3cret', {
      reply: { code: 500, text: 's3cret' },
      bytes: 4,
    })
    expect(withoutSecrets(error, secrets)).toMatchObject({
      code: 'FTP_BAD_REPLY',
      message: 'got ***',
      reply: { code: 500, text: '***' },
      bytes: 4,
    })
    expect(inContext(error, { phase: 'login', command: 'PASS ***', secrets })).toMatchObject({
      phase: 'login',
      command: 'PASS ***',
      message: 'got ***',
    })
  })

  test('an error that shows none stays itself', () => {
    const error = new FtpError('FTP_REFUSED', 'no')
    expect(withoutSecrets(error, secrets)).toBe(error)
    const foreign = new TypeError('s3cret')
    expect(withoutSecrets(foreign, secrets)).toBe(foreign)
  })

  test('a reply', () => {
    expect(redactedReply(reply(530, 'bad s3cret'), secrets).text).toBe('bad ***')
  })
})
