import { describe, expect, test } from 'vitest'
import { login, type Credentials, type Pipelining } from '../../../src/protocol/scripts/login.ts'
import { represent, walk } from '../../../src/protocol/scripts/walk.ts'
import { play, type Answers } from './by-hand.ts'

const ANONYMOUS: Credentials = { user: 'anonymous', password: 'anonymous@', anonymous: true }
const NAMED: Credentials = { user: 'u', password: 'p', anonymous: false }
const UNKNOWN: Credentials = { user: 'u', anonymous: false }
const REST = [...walk(['pub']), represent({ type: 'I' })]

interface Form {
  readonly who: Credentials
  readonly answers: Answers
  /** What the caller answers when it is asked. */
  readonly secret?: string
  readonly auto: readonly string[]
  /** Where it differs. */
  readonly full?: readonly string[]
  readonly off: readonly string[]
  readonly code?: string
}

const asks = { USER: '331 password', PASS: '230 in' }

const FORMS: Readonly<Record<string, Form>> = {
  'anonymous, asked': {
    who: ANONYMOUS,
    answers: asks,
    auto: ['USER anonymous + PASS anonymous@ + CWD pub + TYPE I'],
    off: ['USER anonymous', 'PASS anonymous@', 'CWD pub', 'TYPE I'],
  },
  'anonymous, 230 at once: what the e-mail address gets is let pass': {
    who: ANONYMOUS,
    answers: { USER: '230 in', PASS: '503 Login with USER first' },
    auto: ['USER anonymous + PASS anonymous@ + CWD pub + TYPE I'],
    off: ['USER anonymous', 'CWD pub', 'TYPE I'],
  },
  'anonymous, 202 to PASS': {
    who: ANONYMOUS,
    answers: { USER: '230 in', PASS: '202 superfluous' },
    auto: ['USER anonymous + PASS anonymous@ + CWD pub + TYPE I'],
    off: ['USER anonymous', 'CWD pub', 'TYPE I'],
  },
  'a named user: the password waits for the 331': {
    who: NAMED,
    answers: asks,
    auto: ['USER u', 'PASS p + CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'PASS p', 'CWD pub', 'TYPE I'],
  },
  'a named user, 230 at once: no PASS (B16)': {
    who: NAMED,
    answers: { USER: '230 in', PASS: '230 in' },
    auto: ['USER u', 'CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'CWD pub', 'TYPE I'],
  },
  '200 to USER is as good as 230': {
    who: NAMED,
    answers: { USER: '200 fine' },
    auto: ['USER u', 'CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'CWD pub', 'TYPE I'],
  },
  'no password: asked for, and only once the server wants it': {
    who: UNKNOWN,
    answers: asks,
    secret: 'q',
    auto: ['USER u', 'ask password', 'PASS q + CWD pub + TYPE I'],
    off: ['USER u', 'ask password', 'PASS q', 'CWD pub', 'TYPE I'],
  },
  'no password, 230 at once: nobody is asked': {
    who: UNKNOWN,
    answers: { USER: '230 in' },
    auto: ['USER u', 'CWD pub + TYPE I'],
    off: ['USER u', 'CWD pub', 'TYPE I'],
  },
  'no password and nobody to ask: never an empty one': {
    who: UNKNOWN,
    answers: asks,
    auto: ['USER u', 'ask password'],
    off: ['USER u', 'ask password'],
    code: 'FTP_PASSWORD_REQUIRED',
  },
  'an empty password is a password': {
    who: { ...NAMED, password: '' },
    answers: asks,
    auto: ['USER u', 'PASS  + CWD pub + TYPE I'],
    full: ['USER u + PASS  + CWD pub + TYPE I'],
    off: ['USER u', 'PASS ', 'CWD pub', 'TYPE I'],
  },
  '332 to USER': {
    who: { ...NAMED, account: 'a' },
    answers: { USER: '332 account', ACCT: '230 in' },
    auto: ['USER u', 'ACCT a', 'CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I', 'ACCT a', 'CWD pub + TYPE I'],
    off: ['USER u', 'ACCT a', 'CWD pub', 'TYPE I'],
  },
  '332 to PASS: what rode along is sent again': {
    who: { ...NAMED, account: 'a' },
    answers: { USER: '331 pw', PASS: '332 account', ACCT: '230 in', CWD: ['530 log in', '250 ok'] },
    auto: ['USER u', 'PASS p + CWD pub + TYPE I', 'ACCT a', 'CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I', 'ACCT a', 'CWD pub + TYPE I'],
    // Nothing rode along, so its first CWD is the one that is refused in this table.
    off: ['USER u', 'PASS p', 'ACCT a', 'CWD pub'],
  },
  '332 and nobody to ask': {
    who: NAMED,
    answers: { USER: '331 pw', PASS: '332 account' },
    auto: ['USER u', 'PASS p + CWD pub + TYPE I', 'ask account'],
    full: ['USER u + PASS p + CWD pub + TYPE I', 'ask account'],
    off: ['USER u', 'PASS p', 'ask account'],
    // The driver has one error for both questions; the transport has one for each.
    code: 'FTP_PASSWORD_REQUIRED',
  },
  'USER refused': {
    who: NAMED,
    answers: { USER: '530 no' },
    auto: ['USER u'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u'],
    code: 'FTP_LOGIN_REFUSED',
  },
  'PASS refused': {
    who: NAMED,
    answers: { USER: '331 pw', PASS: '530 no' },
    auto: ['USER u', 'PASS p + CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'PASS p'],
    code: 'FTP_LOGIN_REFUSED',
  },
  'ACCT refused': {
    who: { ...NAMED, account: 'a' },
    answers: { USER: '332 account', ACCT: '532 no' },
    auto: ['USER u', 'ACCT a'],
    full: ['USER u + PASS p + CWD pub + TYPE I', 'ACCT a'],
    off: ['USER u', 'ACCT a'],
    code: 'FTP_LOGIN_REFUSED',
  },
  '331 to PASS: never a second password': {
    who: NAMED,
    answers: { USER: '331 pw', PASS: '331 again' },
    auto: ['USER u', 'PASS p + CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'PASS p'],
    code: 'FTP_UNEXPECTED_REPLY',
  },
  'what rode along is refused': {
    who: NAMED,
    answers: { ...asks, CWD: '550 no' },
    auto: ['USER u', 'PASS p + CWD pub + TYPE I'],
    full: ['USER u + PASS p + CWD pub + TYPE I'],
    off: ['USER u', 'PASS p', 'CWD pub'],
    code: 'FTP_NOT_FOUND',
  },
}

const CASES = Object.entries(FORMS).flatMap(([name, form]) =>
  (['auto', 'full', 'off'] as const).map((pipelining) => [name, pipelining, form] as const),
)

describe('login, command by command', () => {
  test.each<readonly [string, Pipelining, Form]>(CASES)('%s (%s)', (name, pipelining, form) => {
    const { who, answers, secret, code, auto, full = auto } = form
    const around = { pipelining: pipelining !== 'off', ...(secret === undefined ? {} : { secret }) }
    const { log, error, value } = play(login(who, pipelining, REST), answers, around)
    expect(log).toEqual({ auto, full, off: form.off }[pipelining])
    const refusedLate = name.startsWith('332 to PASS') && pipelining === 'off'
    expect(error?.code).toBe(refusedLate ? 'FTP_NOT_FOUND' : code)
    if (error === undefined) expect(value?.map((reply) => reply.code)).toEqual([250, 250])
    expect([undefined, 'USER u', 'PASS ***', 'ACCT ***', 'CWD pub']).toContain(error?.command)
  })

  test('nothing rides where nothing is to be done', () => {
    expect(play(login(NAMED, 'auto'), asks).log).toEqual(['USER u', 'PASS p'])
    expect(play(login(ANONYMOUS, 'auto'), asks).log).toEqual(['USER anonymous + PASS anonymous@'])
  })
})
