/**
 * The commands: one table of verbs, one writer. Nothing else turns text into bytes of the control connection.
 */
import { FtpError } from '../errors.ts'
import { escapeText } from './escape.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ExchangeKind } from './machine.ts'
import { encodeText } from './text.ts'

/** How a verb is used. */
export interface Verb {
  /** Whether an argument must stand, may stand or must not; `nullable`: must, and may be empty. */
  readonly argument: 'none' | 'optional' | 'required' | 'nullable'
  /** The diagram its replies follow. */
  readonly exchange: ExchangeKind
  /** Replies that carry data have one code each; another 2yz means that the server is out of step. */
  readonly codes?: readonly number[]
  /** The argument is shown as `***`. */
  readonly secret?: true
}

const simple = (argument: Verb['argument'], ...codes: number[]): Verb =>
  codes.length === 0 ? { argument, exchange: 'simple' } : { argument, exchange: 'simple', codes }
const transfer = (argument: Verb['argument']): Verb => ({ argument, exchange: 'transfer' })

/** Every verb that ftpwire sends by itself, with the RFC that defines it. */
export const VERBS = {
  // RFC 959 §4.1
  USER: { argument: 'required', exchange: 'login' },
  PASS: { argument: 'nullable', exchange: 'login', secret: true },
  ACCT: { argument: 'required', exchange: 'login', secret: true },
  CWD: simple('nullable'),
  CDUP: simple('none'),
  QUIT: simple('none'),
  REIN: simple('none'),
  PORT: simple('required'),
  PASV: simple('none', 227, 229),
  TYPE: simple('required'),
  MODE: simple('required'),
  STRU: simple('required'),
  RETR: transfer('required'),
  STOR: transfer('required'),
  STOU: transfer('optional'),
  APPE: transfer('required'),
  ALLO: simple('required'),
  REST: { argument: 'required', exchange: 'restart' },
  RNFR: { argument: 'required', exchange: 'sequence' },
  RNTO: simple('required'),
  ABOR: simple('none'),
  DELE: simple('required'),
  RMD: simple('required'),
  MKD: simple('required'),
  PWD: simple('none', 257),
  LIST: transfer('optional'),
  NLST: transfer('optional'),
  SITE: simple('required'),
  SYST: simple('none'),
  STAT: simple('optional'),
  HELP: simple('optional'),
  NOOP: simple('none'),
  // RFC 2228 and RFC 4217
  AUTH: simple('required'),
  PBSZ: simple('required'),
  PROT: simple('required'),
  CCC: simple('none'),
  // RFC 2389
  FEAT: simple('none'),
  OPTS: simple('required'),
  // RFC 2428
  EPSV: simple('optional', 229),
  EPRT: simple('required'),
  // RFC 3659
  SIZE: simple('required', 213),
  MDTM: simple('required', 213, 253),
  MLST: simple('optional', 250),
  MLSD: transfer('optional'),
  // draft-somers-ftp-mfxx
  MFMT: simple('required', 213, 200, 250, 253),
  // RFC 7151
  HOST: simple('required'),
  // draft-bryan-ftpext-hash, and the older commands for the same
  HASH: simple('required'),
  XSHA256: simple('required'),
  XSHA1: simple('required'),
  XMD5: simple('required'),
  XCRC: simple('required'),
  // Widely offered without an RFC
  CLNT: simple('required'),
  AVBL: simple('optional', 213),
  PRET: simple('required'),
} as const satisfies Record<string, Verb>

/** A verb of the table. */
export type VerbName = keyof typeof VERBS

/** One command: a verb, and its argument as text or as the exact bytes. */
export interface Command {
  readonly verb: string
  readonly argument?: string | Uint8Array | undefined
}

const LATER: Verb = { argument: 'optional', exchange: 'simple' }

/** The table's row for a verb; a verb that it lacks is taken for a simple one. */
export function verbOf(command: Command): Verb {
  return Object.hasOwn(VERBS, command.verb) ? VERBS[command.verb as VerbName] : LATER
}

/** What the writer has to know of a connection. */
export interface CommandEncoding {
  /** A label of `TextDecoder`; UTF-8 where absent. */
  readonly encoding?: string | undefined
  /** The longest command in bytes. */
  readonly commandBytes?: number | undefined
}

const IAC = 0xff

/**
 * The exact bytes of a command, CRLF included.
 * @throws FtpError `FTP_INVALID_ARGUMENT` for an argument that is missing, too long, not expressible in the
 * encoding, or that holds a control character: a CR or LF would start a second command (CVE-2026-39983).
 */
export function encodeCommand(
  command: Command,
  { encoding, commandBytes }: CommandEncoding = {},
): Uint8Array {
  if (!/^[A-Z][A-Z0-9]{2,7}$/.test(command.verb)) throw invalid(command, 'has a verb that FTP does not know')
  const { argument } = command
  checkPresence(command)
  if (argument === undefined) return Buffer.from(`${command.verb}\r\n`, 'latin1')
  const bytes = typeof argument === 'string' ? encodeText(argument, encoding) : argument
  // The bytes are checked, not the text: an encoding may make a CR of a harmless character (CVE-2018-12116).
  if (bytes.some((byte) => byte < 0x20 || byte === 0x7f)) throw invalid(command, 'holds a control character')
  const escaped = bytes.includes(IAC) ? Uint8Array.from(doubleIac(bytes)) : bytes
  const line = Buffer.concat([
    Buffer.from(`${command.verb} `, 'latin1'),
    escaped,
    Buffer.from('\r\n', 'latin1'),
  ])
  const longest = commandBytes ?? DEFAULT_LIMITS.commandBytes
  if (line.length > longest) throw invalid(command, `is longer than ${longest} bytes`)
  return line
}

function checkPresence(command: Command): void {
  const { argument } = verbOf(command)
  const given = command.argument
  if (given !== undefined && typeof given !== 'string' && !(given instanceof Uint8Array))
    throw invalid(command, 'is neither a string nor a Uint8Array')
  if (given === undefined && (argument === 'required' || argument === 'nullable'))
    throw invalid(command, 'is missing')
  if (given !== undefined && argument === 'none') throw invalid(command, 'has no place in this command')
  if (given?.length === 0 && argument !== 'nullable') throw invalid(command, 'is empty')
}

/** RFC 959 runs over Telnet, where the octet 255 starts a control sequence unless it is doubled. */
function* doubleIac(bytes: Uint8Array): Generator<number> {
  for (const byte of bytes) {
    yield byte
    if (byte === IAC) yield byte
  }
}

/** A path behind other words of an argument, whether it is text or bytes. */
export function beforePath(words: string, path: string | Uint8Array): string | Uint8Array {
  return typeof path === 'string'
    ? `${words} ${path}`
    : Buffer.concat([Buffer.from(`${words} `, 'latin1'), path])
}

/** The command as it may be shown: escaped, a secret argument as `***`. */
export function describeCommand(command: Command): string {
  const { verb, argument } = command
  if (argument === undefined) return escapeText(verb)
  if (isSecret(command)) return `${escapeText(verb)} ***`
  return `${escapeText(verb)} ${escapeText(typeof argument === 'string' ? argument : Buffer.from(argument).toString())}`
}

/** Also as a caller may write it who is about to be refused (`pass …`). `SITE PSWD old new` and its like carry passwords. */
function isSecret({ verb, argument }: Command): boolean {
  const name = verb.trim().toUpperCase()
  if (verbOf({ verb: name }).secret === true) return true
  if (name !== 'SITE' || argument === undefined) return false
  const text = typeof argument === 'string' ? argument : Buffer.from(argument).toString('latin1')
  return /^\s*(?:pswd|cpwd|adduser|\w*pass\w*)\b/i.test(text)
}

function invalid(command: Command, why: string): FtpError {
  const verb = /^[A-Z0-9]{1,8}$/.test(command.verb) ? command.verb : 'a command'
  // The argument is not quoted: it may be a password.
  return new FtpError('FTP_INVALID_ARGUMENT', `The argument of ${verb} ${why}; nothing was sent.`, {
    phase: 'arguments',
  })
}
