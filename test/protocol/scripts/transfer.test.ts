import { describe, expect, test } from 'vitest'
import { active } from '../../../src/protocol/scripts/active.ts'
import {
  passive,
  passiveOrder,
  type PassiveCommand,
  type PassivePreferences,
} from '../../../src/protocol/scripts/passive.ts'
import { nameList, retrieve } from '../../../src/protocol/scripts/retrieve.ts'
import { authenticateTls, protectData } from '../../../src/protocol/scripts/secure.ts'
import { openTransfer, type TransferRequest } from '../../../src/protocol/scripts/transfer.ts'
import { represent, sizeOf, walk } from '../../../src/protocol/scripts/walk.ts'
import { flight } from '../../../src/protocol/script.ts'
import { Reply } from '../../../src/protocol/reply.ts'
import { play, type Answers, type Surroundings } from './by-hand.ts'

const PASV = '227 (127,0,0,1,200,10)'
const EPSV = '229 (|||6446|)'
const BOTH: PassivePreferences = { order: ['PASV', 'EPSV'], address: 'peer', ports: 'safe' }
const EPSV_FIRST: PassivePreferences = { ...BOTH, order: ['EPSV', 'PASV'] }

describe('the way to a directory (RFC 1738 §3.2.2)', () => {
  test('a CWD for each segment, an empty one among them', () => {
    expect(
      play(flight(...walk(['', 'etc', '..', '/x']), represent({ type: 'E', form: 'T' })), {}).log,
    ).toEqual(['CWD  + CWD etc + CWD .. + CWD /x + TYPE E T'])
  })

  test('a refused null CWD names %2F', () => {
    const { error } = play(flight(...walk(['', 'etc'])), { 'CWD ': '501 no' })
    expect(error).toMatchObject({ code: 'FTP_REFUSED', kind: 'permanent', command: 'CWD ' })
    expect(error?.message).toMatch(/%2F.*emptySegment/)
  })

  test('SIZE may be refused, TYPE may not (B23)', () => {
    expect(play(flight(sizeOf('f')), { SIZE: '500 what?' }).error).toBeUndefined()
    expect(play(flight(represent({ type: 'I' })), { TYPE: '504 no' }).error?.code).toBe('FTP_REFUSED')
    expect(play(flight(represent({ type: 'I' })), { TYPE: '226 ok' }).error).toBeUndefined()
  })

  test.each(['550 no', '551 no'])('RETR and NLST: %s is a missing file', (reply) => {
    for (const step of [retrieve('f'), nameList('d')])
      expect(play(flight(step), { RETR: reply, NLST: reply }).error?.code).toBe('FTP_NOT_FOUND')
    expect(play(flight(retrieve('f')), { RETR: '450 busy' }).error).toMatchObject({
      code: 'FTP_REFUSED',
      kind: 'transient',
    })
  })
})

describe('passive mode', () => {
  test.each<['auto' | 'pasv' | 'epsv', 4 | 6, PassiveCommand | undefined, string]>([
    ['auto', 4, undefined, 'PASV EPSV'],
    ['auto', 4, 'PASV', 'PASV EPSV'],
    ['auto', 4, 'EPSV', 'EPSV PASV'],
    // C16: a 227 cannot name an IPv6 address.
    ['auto', 6, undefined, 'EPSV'],
    ['auto', 6, 'PASV', 'EPSV'],
    ['pasv', 4, 'EPSV', 'PASV'],
    ['epsv', 4, undefined, 'EPSV'],
  ])('%s on IPv%i, %s learned: %s', (wish, family, learned, order) => {
    expect(passiveOrder(wish, family, learned).join(' ')).toBe(order)
  })

  interface Row {
    readonly what: string
    readonly preferences?: PassivePreferences
    readonly answers: Answers
    readonly around?: Surroundings
    readonly log: readonly string[]
    readonly by?: PassiveCommand
    readonly code?: string
  }
  const ROWS: readonly Row[] = [
    { what: 'PASV works', answers: { PASV }, log: ['PASV', 'dial 51210'], by: 'PASV' },
    {
      what: 'PASV is refused',
      answers: { PASV: '502 no', EPSV },
      log: ['PASV', 'EPSV', 'dial 6446'],
      by: 'EPSV',
    },
    {
      what: 'both are refused',
      answers: { PASV: '502 no', EPSV: '500 no' },
      log: ['PASV', 'EPSV'],
      code: 'FTP_REFUSED',
    },
    {
      what: 'the port cannot be reached (B11)',
      preferences: EPSV_FIRST,
      answers: { EPSV, PASV },
      around: { unreachable: [6446] },
      log: ['EPSV', 'dial 6446', 'PASV', 'dial 51210'],
      by: 'PASV',
    },
    {
      what: 'neither port can be reached: no third attempt (C15)',
      answers: { EPSV, PASV },
      around: { unreachable: [6446, 51_210] },
      log: ['PASV', 'dial 51210', 'EPSV', 'dial 6446'],
      code: 'FTP_DATA_CONNECTION_FAILED',
    },
    {
      what: 'EPSV names port 1 (B11, curl 1233)',
      preferences: EPSV_FIRST,
      answers: { EPSV: '229 (|||1|)', PASV },
      log: ['EPSV', 'PASV', 'dial 51210'],
      by: 'PASV',
    },
    {
      what: 'a forbidden port in a 227 is no reason to try on',
      answers: { PASV: '227 (127,0,0,1,0,22)', EPSV },
      log: ['PASV'],
      code: 'FTP_DATA_PORT_FORBIDDEN',
    },
    {
      what: 'a forbidden port that a server may draw by chance: asked again, not for ever',
      answers: { PASV: '227 (127,0,0,1,23,112)', EPSV },
      log: ['PASV', 'PASV', 'PASV'],
      code: 'FTP_DATA_PORT_FORBIDDEN',
    },
    { what: 'nonsense', answers: { PASV: '227 on', EPSV }, log: ['PASV'], code: 'FTP_BAD_PASV' },
    { what: 'a 229 to PASV (C14)', answers: { PASV: EPSV }, log: ['PASV', 'dial 6446'], by: 'PASV' },
    {
      what: 'another address is not dialled (C01)',
      answers: { PASV: '227 (10,0,0,5,200,10)' },
      log: ['PASV', 'dial 51210'],
      by: 'PASV',
    },
    {
      what: 'it is where the caller trusts it',
      preferences: { ...BOTH, address: 'reply' },
      answers: { PASV: '227 (10,0,0,5,200,10)' },
      log: ['PASV', 'dial 51210 at 10.0.0.5'],
      by: 'PASV',
    },
  ]
  test.each(ROWS)('$what', ({ preferences = BOTH, answers, around, log, by, code }) => {
    const played = play(passive(preferences), answers, around)
    expect(played.log).toEqual(log)
    expect(played.value?.by).toBe(by)
    expect(played.error?.code).toBe(code)
  })
})

describe('opening a transfer', () => {
  const RETR: TransferRequest = { command: retrieve('f'), data: { mode: 'passive', ...BOTH } }
  const opened = (request: TransferRequest, answers: Answers): string[] =>
    play(openTransfer(request), { PASV, EPSV, REST: '350 ok', ...answers }).log

  test('the command follows the connection that was begun', () => {
    expect(opened(RETR, { RETR: '150 ok' })).toEqual(['PASV', 'dial 51210', 'RETR f'])
  })

  test('REST comes between the passive reply and the command, and no other command behind it (B28)', () => {
    const log = opened({ ...RETR, restart: 100 }, { RETR: '150 ok' })
    expect(log.filter((line) => !line.startsWith('dial'))).toEqual(['PASV', 'REST 100', 'RETR f'])
    expect(opened({ ...RETR, restart: 0 }, { RETR: '150 ok' })).toContain('REST 0')
  })

  test('REST is sent again where the second passive command is needed', () => {
    const log = opened({ ...RETR, restart: 100 }, { PASV: '502 no', RETR: '150 ok' })
    expect(log.filter((line) => !line.startsWith('dial'))).toEqual(['PASV', 'EPSV', 'REST 100', 'RETR f'])
  })

  test.each(['502 no', '500 no', '501 Resuming transfers not allowed in ASCII mode'])(
    'REST refused (%s): nothing is transferred (D06)',
    (reply) => {
      const { log, error } = play(openTransfer({ ...RETR, restart: 100 }), { PASV, REST: reply })
      expect(log).not.toContain('RETR f')
      expect(error).toMatchObject({ code: 'FTP_REFUSED', command: 'REST 100' })
    },
  )

  test('a passive reply that came before is used, not asked for again', () => {
    const passiveReply = { reply: new Reply(227, ['(127,0,0,1,200,10)']), by: 'PASV' as const }
    expect(opened({ ...RETR, passiveReply }, { RETR: '150 ok' })).toEqual(['dial 51210', 'RETR f'])
  })

  test('PRET announces the command', () => {
    const log = opened({ ...RETR, announce: true }, { RETR: '150 ok' })
    expect(log).toEqual(['PRET RETR f', 'PASV', 'dial 51210', 'RETR f'])
    expect(opened({ ...RETR, command: nameList(), announce: true }, { NLST: '150 ok' })[0]).toBe('PRET NLST')
  })

  test('active mode listens first, then tells the server where', () => {
    expect(opened({ ...RETR, data: { mode: 'active' } }, { RETR: '150 ok' })).toEqual([
      'listen',
      'PORT 192,0,2,1,19,136',
      'RETR f',
    ])
    expect(play(active(), { PORT: '500 no' }).error?.message).toContain("dataMode: 'passive'")
  })
})

describe('TLS', () => {
  test('AUTH TLS, then the handshake', () => {
    expect(play(authenticateTls(), { AUTH: '234 go' }).log).toEqual(['AUTH TLS', 'secure'])
  })

  test.each([
    '500 no',
    '502 no',
    '504 no',
    '530 no',
    '534 no',
    '431 no',
    '200 ok',
    '220 ok',
    '331 ok',
    '334 ok',
  ])('%s to AUTH: nothing else is sent (E04, E05)', (reply) => {
    const { log, error } = play(authenticateTls(), { AUTH: reply })
    expect(log).toEqual(['AUTH TLS'])
    expect(error).toMatchObject({
      code: 'FTP_TLS_REQUIRED',
      kind: reply.startsWith('4') ? 'transient' : 'permanent',
    })
  })

  test.each(['PBSZ', 'PROT'])('%s refused (E12)', (verb) => {
    for (const reply of ['500 no', '533 no', '534 no', '536 no', '431 no'])
      expect(play(flight(...protectData('P')), { [verb]: reply }).error?.code).toBe('FTP_TLS_REQUIRED')
  })

  test('PBSZ 0 precedes PROT', () => {
    expect(play(flight(...protectData('P')), {}).log).toEqual(['PBSZ 0 + PROT P'])
    expect(play(flight(...protectData('C')), {}).log).toEqual(['PBSZ 0 + PROT C'])
  })
})
