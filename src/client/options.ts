/**
 * The options of every verb, session and client, in one place, and their one normal form.
 */
import type { LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { FtpError } from '../errors.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type Limits, type Timeouts } from '../protocol/limits.ts'
import type { EmptySegment } from '../protocol/plan.ts'
import type { Reply } from '../protocol/reply.ts'
import type { AllowAddress, ConnectHook, TlsMode } from '../transport/settings.ts'
import { isPrivateAddress } from '../transport/private-address.ts'
import { RateLimiter } from '../transport/rate-limiter.ts'

/** A secret, or something that gets it when the server asks. */
export type Prompt = (reply: Reply) => string | Promise<string>

/** How the server is reached. */
export interface ReachOptions {
  /** `'explicit'`: `AUTH TLS` (RFC 4217); `'implicit'`: TLS at once, as with `ftps://`. Required once asked for. Default `'off'`. */
  readonly tls?: TlsMode
  /** Passed on to `tls.connect`: `ca`, `cert`, `key`, `minVersion` (default TLS 1.2), `rejectUnauthorized` … */
  readonly tlsOptions?: ConnectionOptions
  /** Whether data go through TLS too (`PROT P`) or in the clear (`PROT C`). Default `'private'`. */
  readonly dataProtection?: 'private' | 'clear'
  /** Gives the connection itself, for example through a proxy; called for control and data. */
  readonly connect?: ConnectHook
  /** Resolves names, as for `net.connect`. Called once a session: data go where control went. */
  readonly lookup?: LookupFunction
  /** 4 or 6 to use only that. Default 0: whichever answers first. */
  readonly family?: 0 | 4 | 6
  /** The local address to connect from. */
  readonly localAddress?: string
  /**
   * `'auto'`: a session's data go through zlib where the server offers `MODE Z`. For text over slow links; a
   * `get` by URL asks for no features and stays as it is, and so do data under TLS. Default `'off'`.
   */
  readonly compression?: 'off' | 'auto'
  /** Bytes per second over all data connections of a client or session, both ways together. Default: no limit. */
  readonly maxBytesPerSecond?: number
  /** Name the host before the login (`HOST`, RFC 7151), for servers that serve several. Default false. */
  readonly sendHost?: boolean
  /** What to call this client after the login (`CLNT`). Default: nothing is said. */
  readonly clientName?: string
  /** First TCP keep-alive probe on the control connection, in milliseconds; 0 for none. Default 60,000. */
  readonly keepAliveMs?: number
  /** `NOOP` on the control connection every so many milliseconds during a transfer; 0 for none. Default 0. */
  readonly noopMs?: number
  /** Says whether an address may be connected to; called after name resolution, for control and data. */
  readonly allowAddress?: AllowAddress
  /** Refuses loopback, private, link-local and other addresses that are not public. Default false. */
  readonly blockPrivate?: boolean
  /** Ports that a URL may name although they belong to other protocols. Default none. */
  readonly allowPorts?: readonly number[]
}

/** How data connections are made. */
export interface DataOptions {
  /** Who dials: this end (`'passive'`) or the server (`'active'`). Default `'passive'`. */
  readonly dataMode?: 'passive' | 'active'
  /** Default `'auto'`: on IPv4 `PASV`, then `EPSV` if it is refused; on IPv6 `EPSV`. */
  readonly passive?: 'auto' | 'pasv' | 'epsv'
  /** Whom to dial: the server itself, or whatever address its 227 names. Default `'peer'`. */
  readonly pasvAddress?: 'peer' | 'reply'
  /** `'safe'`: 1024 to 65535 less the ports of other protocols. Default `'safe'`. */
  readonly dataPorts?: 'safe' | 'any'
  /** The address to tell the server in active mode, behind a NAT. Default: that of the control connection. */
  readonly activeAddress?: string
  /** The ports to listen on in active mode. By default the system chooses. */
  readonly activePorts?: readonly [lowest: number, highest: number]
}

/** Who logs in. */
export interface LoginOptions {
  /** The password of anonymous FTP. Default `anonymous@`. */
  readonly email?: string
  /** The user's password; a URL's own goes first. */
  readonly password?: string
  /** Called for a password that is not given, and only if the server asks for one. */
  readonly onPassword?: Prompt
  /** The account that some servers ask for (332). */
  readonly account?: string
  /** Called for an account that is not given, and only if the server asks for one. */
  readonly onAccount?: Prompt
}

/** How things are said and read. */
export interface DialogueOptions {
  /** How much may be sent before the replies to what precedes it: see the guide. Default `'auto'`. */
  readonly pipelining?: 'auto' | 'full' | 'off'
  /** The encoding of names, a label that `TextDecoder` knows. Default UTF-8, other bytes kept. */
  readonly encoding?: string
  /** What an empty path segment of a URL means. Default `'null'`, as RFC 1738 says. */
  readonly emptySegment?: EmptySegment
  /** The type of a file whose URL names none: `true` takes it from the suffix. Default `false`: image. */
  readonly inferType?: boolean | ((name: string) => 'A' | 'I')
  /** The line end of text from `TYPE A`: that of this system, one of these, or as it came. Default `'local'`. */
  readonly lineEnd?: 'local' | 'lf' | 'crlf' | 'keep'
  /** Sees every command, secrets as `***`. */
  readonly onCommand?: (command: string) => void
  /** Sees every reply. */
  readonly onReply?: (reply: Reply) => void
  /** Caps; see {@link Limits}. */
  readonly limits?: Partial<Limits>
  /** Deadlines in milliseconds; see {@link Timeouts}. */
  readonly timeouts?: Partial<Timeouts>
}

/** How sessions are kept. */
export interface PoolOptions {
  /** Sessions to one server at the same time. Default 4. */
  readonly maxSessions?: number
  /** How long a session is kept without work, in milliseconds. Default 10,000. */
  readonly idleMs?: number
}

/** Everything that can be set once for a client. */
export interface FtpOptions extends ReachOptions, DataOptions, LoginOptions, DialogueOptions, PoolOptions {}

/** What every operation takes. */
export interface OperationOptions {
  /** Ends the operation. */
  readonly signal?: AbortSignal
  /** Ends the operation after so many milliseconds; waiting for its turn counts. Default: never. */
  readonly timeoutMs?: number
}

/** The options with every default filled in. */
export interface Settings
  extends
    Required<Omit<FtpOptions, OptionalKey | 'limits' | 'timeouts' | 'blockPrivate'>>,
    Pick<FtpOptions, OptionalKey> {
  readonly limits: Limits
  readonly timeouts: Timeouts
  /** Made of `maxBytesPerSecond`, once for all sessions. */
  readonly limiter: RateLimiter | undefined
}

type OptionalKey =
  | 'maxBytesPerSecond'
  | 'clientName'
  | 'connect'
  | 'lookup'
  | 'localAddress'
  | 'allowAddress'
  | 'activeAddress'
  | 'activePorts'
  | 'password'
  | 'onPassword'
  | 'account'
  | 'onAccount'
  | 'encoding'
  | 'onCommand'
  | 'onReply'

type Check = (value: unknown) => boolean

const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value)
const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const callback: Check = (value) => typeof value === 'function'
const count: Check = (value) => typeof value === 'number' && value >= 0
const portRange: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(count)
const numbers =
  (names: readonly string[]): Check =>
  (value) =>
    isRecord(value) &&
    Object.entries(value as Record<string, unknown>).every(
      ([name, number]) => names.includes(name) && (number === undefined || count(number)),
    )

const CHECKS: Readonly<Record<keyof FtpOptions, Check>> = {
  tls: oneOf('off', 'explicit', 'implicit'),
  tlsOptions: isRecord,
  dataProtection: oneOf('private', 'clear'),
  connect: callback,
  lookup: callback,
  family: oneOf(0, 4, 6),
  localAddress: text,
  maxBytesPerSecond: (value) => count(value) && Number(value) > 0,
  compression: oneOf('off', 'auto'),
  sendHost: flag,
  clientName: text,
  keepAliveMs: count,
  noopMs: count,
  allowAddress: callback,
  blockPrivate: flag,
  allowPorts: (value) => Array.isArray(value) && value.every(count),
  dataMode: oneOf('passive', 'active'),
  passive: oneOf('auto', 'pasv', 'epsv'),
  pasvAddress: oneOf('peer', 'reply'),
  dataPorts: oneOf('safe', 'any'),
  activeAddress: text,
  activePorts: portRange,
  email: text,
  password: text,
  onPassword: callback,
  account: text,
  onAccount: callback,
  pipelining: oneOf('auto', 'full', 'off'),
  encoding: isEncoding,
  emptySegment: oneOf('null', 'root', 'skip'),
  inferType: (value) => flag(value) || callback(value),
  lineEnd: oneOf('local', 'lf', 'crlf', 'keep'),
  onCommand: callback,
  onReply: callback,
  limits: numbers(Object.keys(DEFAULT_LIMITS)),
  timeouts: numbers(Object.keys(DEFAULT_TIMEOUTS)),
  maxSessions: (value) => count(value) && Number(value) >= 1,
  idleMs: count,
}

/**
 * Checks the options and fills in the defaults.
 * @throws FtpError `FTP_INVALID_OPTION` for an unknown name or a value that the option cannot have.
 */
export function settingsOf(options: FtpOptions = {}): Settings {
  const given = checked(options)
  const { blockPrivate = false, limits, timeouts, ...rest } = given
  const { maxBytesPerSecond } = rest
  return {
    tls: 'off',
    tlsOptions: {},
    dataProtection: 'private',
    family: 0,
    compression: 'off',
    sendHost: false,
    keepAliveMs: 60_000,
    noopMs: 0,
    allowPorts: [],
    dataMode: 'passive',
    passive: 'auto',
    pasvAddress: 'peer',
    dataPorts: 'safe',
    email: 'anonymous@',
    pipelining: 'auto',
    emptySegment: 'null',
    inferType: false,
    lineEnd: 'local',
    maxSessions: 4,
    idleMs: 10_000,
    ...rest,
    ...(blockPrivate ? { allowAddress: publicOnly(rest.allowAddress) } : {}),
    limiter: maxBytesPerSecond === undefined ? undefined : new RateLimiter(maxBytesPerSecond),
    limits: { ...DEFAULT_LIMITS, ...limits },
    timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
  }
}

/** Separates what a verb takes for itself from the options of {@link FtpOptions}; unknown names are refused there. */
export function splitOptions<T extends object, K extends keyof T>(
  options: T,
  own: readonly K[],
): { own: Pick<T, K>; rest: Omit<T, K> } {
  const mine: Partial<T> = {}
  const rest: Partial<T> = { ...options }
  for (const key of own) {
    if (Object.hasOwn(options, key) && options[key] !== undefined) mine[key] = options[key]
    delete rest[key]
  }
  return { own: mine as Pick<T, K>, rest: rest as Omit<T, K> }
}

function checked(options: FtpOptions): FtpOptions {
  if (!isRecord(options))
    throw new FtpError('FTP_INVALID_OPTION', 'The options are not an object.', { phase: 'arguments' })
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof FtpOptions] : undefined
    if (check === undefined)
      throw new FtpError('FTP_INVALID_OPTION', `There is no option ${JSON.stringify(name)}.`, {
        phase: 'arguments',
      })
    if (!check(value))
      throw new FtpError('FTP_INVALID_OPTION', `The option ${name} cannot have this value.`, {
        phase: 'arguments',
      })
    given[name] = value
  }
  return given
}

function publicOnly(also: AllowAddress | undefined): AllowAddress {
  return (address, port, purpose) => !isPrivateAddress(address) && (also?.(address, port, purpose) ?? true)
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEncoding(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return new TextDecoder(value).encoding !== ''
  } catch {
    return false
  }
}
