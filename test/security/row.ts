/** One attack as data: what the server does, and the one right result. */
import type { FtpOptions } from '../../src/client/options.ts'
import type { FtpErrorCode, FtpPhase } from '../../src/errors.ts'
import type { Script } from '../support/scripted-server.ts'
import type { Segment } from '../support/wire.ts'

/** A password that must be seen nowhere. */
export const CANARY = 'Zq9!canary'

/** Ports of listeners beside the scripted server, each as `p1,p2`. */
export interface Doors {
  /** Sends `data` to whoever comes, and ends. The same port at 127.0.0.2 is a decoy. */
  readonly door: string
}

export interface Failure {
  readonly code: FtpErrorCode
  /** Another code that is as right, where the system decides which one it becomes. */
  readonly or?: FtpErrorCode
  readonly phase?: FtpPhase
  readonly expected?: number
  readonly bytes?: number
}

export interface Success {
  /** What came, as latin1. */
  readonly data: string
  readonly verified?: boolean
}

export interface Row {
  /** The row of the catalogue. */
  readonly id: string
  readonly what: string
  /** One script for every connection, or one for each. */
  readonly server: Script | Script[] | ((doors: Doors) => Script)
  readonly want: FtpErrorCode | Failure | Success
  /** Default `/f`. */
  readonly path?: string
  readonly options?: FtpOptions
  /** Control connections that may be made. Default 1. */
  readonly connections?: number
  /** Whether any data connection may be dialled. Default true. */
  readonly dials?: boolean
  /** Default both. Only where a cut makes it another attack. */
  readonly segments?: readonly Segment[]
}

export const BOTH: readonly Segment[] = ['whole', 'bytes']

export const GREETING: Script = [{ send: '220 hi\r\n' }]

export const LOGIN: Script = [
  ...GREETING,
  { expect: 'USER u' },
  { send: '331 password\r\n' },
  { expect: `PASS ${CANARY}` },
  { send: '230 in\r\n' },
]

/** Logged in, TYPE and SIZE answered; the file is `f`. */
export function typed(size = '550 unknown'): Script {
  return [
    ...LOGIN,
    { expect: 'TYPE I' },
    { send: '200 ok\r\n' },
    { expect: 'SIZE f' },
    { send: `${size}\r\n` },
  ]
}

/** A door is open and told. */
export function passive(size?: string): Script {
  return [...typed(size), { openData: true }, { expect: 'PASV' }, { send: '227 ({{pasv}})\r\n' }]
}

/** The client is connected and has sent its RETR. */
export function retrieving(size?: string): Script {
  return [...passive(size), { acceptData: true }, { expect: 'RETR f' }]
}

/** `RETR` was answered by a 150. */
export function transferring(size?: string): Script {
  return [...retrieving(size), { send: '150 here it comes\r\n' }]
}

/** Some data and their end, then a last reply. */
export function delivered(reply: string, size?: string, data = 'data'): Script {
  return [...transferring(size), { dataSend: data }, { fin: 'data' }, { send: `${reply}\r\n` }]
}

/** A row, written short. */
export function row(
  id: string,
  what: string,
  server: Row['server'],
  want: Row['want'],
  rest: Omit<Row, 'id' | 'what' | 'server' | 'want'> = {},
): Row {
  return { id, what, server, want, ...rest }
}

/** Bytes of a text in which each character stands for one octet. */
export function octets(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** The session that goes as it should. */
export const FINE: Success = { data: 'data' }

/** A session that goes as it should but for its greeting. */
export function greeted(greeting: string): Script {
  return [{ send: octets(greeting) }, ...delivered('226 done').slice(GREETING.length)]
}

/** PASS gets this, and the session goes on as it should. */
export function welcomed(reply: string): Script {
  return [...LOGIN.slice(0, -1), { send: octets(reply) }, ...delivered('226 done').slice(LOGIN.length)]
}
