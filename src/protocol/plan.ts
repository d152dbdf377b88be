/**
 * What an ftp URL names → what is to be done on a session, less what is already true of it. No socket is
 * touched: a plan can be shown before anything is sent.
 */
import { escapeText } from './escape.ts'
import { inferType } from './infer-type.ts'
import { returnPath } from './return-path.ts'
import type { FtpTarget, Representation } from './url.ts'

/** How empty segments of the path are read: as RFC 1738 has it, as most people mean it, or not at all. */
export type EmptySegment = 'null' | 'root' | 'skip'

/** What is already true of a session that was kept. */
export interface SessionState {
  /** What `PWD` gave right after login; `undefined` where it gave nothing. */
  readonly loginDirectory?: string | undefined
  /** Arguments of every `CWD` since login or since the login directory; `undefined` where that is unknown. */
  readonly walked?: readonly string[] | undefined
  /** What `TYPE` last said; `undefined` where that is unknown. */
  readonly type?: Representation | undefined
}

/** What {@link planFor} may be told. */
export interface PlanOptions {
  /**
   * `'null'`: an empty segment is `CWD` with a null argument (RFC 1738). `'root'`: empty segments at the
   * beginning are `CWD /`, so that `//etc/motd` is `/etc/motd`; others are left out. `'skip'`: all are left
   * out. Default `'null'`.
   */
  readonly emptySegment?: EmptySegment | undefined
  /**
   * The type of a file whose URL has no `;type=`: `false` is image, `true` is deduced from the suffix of its
   * name, a function decides. Default `false`.
   */
  readonly inferType?: boolean | ((name: string) => 'A' | 'I') | undefined
  /** The password of anonymous FTP (RFC 1738 §3.2.1). Default `anonymous@`. */
  readonly email?: string | undefined
  /** Given for a session that is logged in already. */
  readonly state?: SessionState | undefined
}

/** Where the password comes from, if the server asks for one. A plan holds no secret. */
export type PasswordSource =
  /** The URL gave it: `target.password`, which may be empty. */
  | { readonly source: 'url' }
  /** Anonymous FTP: the caller's e-mail address. */
  | { readonly source: 'email'; readonly email: string }
  /** A user without password: to be asked for, and only once the server wants it. */
  | { readonly source: 'ask' }

/** What is done once the session stands where it should. */
export type PlanAction =
  | { readonly kind: 'retrieve'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string | undefined }

/** What a URL asks of a session. */
export interface FetchPlan {
  /** `login`: a fresh connection. `continue`: the session as it is. `reconnect`: a fresh one in its place. */
  readonly start: 'login' | 'continue' | 'reconnect'
  /** Who logs in, where a login is needed (`start` is not `continue`). */
  readonly login: { readonly user: string; readonly password: PasswordSource }
  /** The argument of each `CWD` that is left to send; `''` is a null argument, the bytes `CWD \r\n`. */
  readonly directories: readonly string[]
  /** The whole way from the login directory: what a session has walked when the plan is done. */
  readonly path: readonly string[]
  /** The argument of `TYPE`. */
  readonly representation: Representation
  /** False where the session has this type already. */
  readonly setType: boolean
  /** The command by which the data connection is opened first. */
  readonly passive: 'PASV' | 'EPSV'
  /** The transfer. */
  readonly action: PlanAction
}

/** The password of anonymous FTP where the caller gives no e-mail address: nothing about the caller. */
export const DEFAULT_EMAIL = 'anonymous@'

// NLST is a listing for programs, in ASCII or EBCDIC (RFC 959 §4.1.3).
const LISTING: Representation = { type: 'A' }

/**
 * What `target` asks of a fresh session, or of one of which `options.state` is true.
 *
 * @example
 * commandsOf(planFor(parseFtpUrl('ftp://example.com/pub/a.txt')))
 * // ['USER anonymous', 'PASS ***', 'CWD pub', 'TYPE I', 'PASV', 'RETR a.txt']
 */
export function planFor(target: FtpTarget, options: PlanOptions = {}): FetchPlan {
  const { state } = options
  const action = actionOf(target)
  const segments = mapEmptySegments(target.segments, options.emptySegment ?? 'null')
  const path = action.kind === 'list' && isLikeOption(target.name) ? [...segments, target.name] : segments
  const way = state === undefined ? undefined : returnPath(state.loginDirectory, state.walked, path)
  const isContinued = way !== undefined && way.kind !== 'reconnect'
  const representation =
    action.kind === 'list' ? LISTING : representationOf(target, options.inferType ?? false)
  return {
    start: isContinued ? 'continue' : way === undefined ? 'login' : 'reconnect',
    login: loginOf(target, options.email ?? DEFAULT_EMAIL),
    directories: isContinued ? way.directories : path,
    path,
    representation,
    setType: !(isContinued && isSameType(state?.type, representation)),
    passive: target.host.includes(':') ? 'EPSV' : 'PASV',
    action,
  }
}

/**
 * The commands of a plan in their order, for display: passwords are `***`, and what is not plainly visible
 * is escaped. What a session adds by itself (TLS, `SIZE`, a fallback) does not stand there, and `PASS` goes
 * out only where the server asks for it.
 */
export function commandsOf(plan: FetchPlan): string[] {
  const { action, login } = plan
  const argument = action.name === undefined ? '' : ` ${action.name}`
  const commands = [
    ...(plan.start === 'continue' ? [] : [`USER ${login.user}`, 'PASS ***']),
    ...plan.directories.map((directory) => `CWD ${directory}`),
    ...(plan.setType ? [`TYPE ${typeArgument(plan.representation)}`] : []),
    plan.passive,
    `${action.kind === 'retrieve' ? 'RETR' : 'NLST'}${argument}`,
  ]
  return commands.map(escapeText)
}

/** The argument of `TYPE` (RFC 959 §5.3.2): `A`, `E T`, `I`, `L 8`. */
export function typeArgument({ type, form, byteSize }: Representation): string {
  return [type, form, byteSize].filter((part) => part !== undefined).join(' ')
}

function loginOf(target: FtpTarget, email: string): FetchPlan['login'] {
  const { user = 'anonymous', password } = target
  if (password !== undefined) return { user, password: { source: 'url' } }
  // `ftp://anonymous@host/` names the convention outright; there is no secret to ask anyone for.
  const isAnonymous = user.toLowerCase() === 'anonymous'
  return { user, password: isAnonymous ? { source: 'email', email } : { source: 'ask' } }
}

function actionOf({ name, type }: FtpTarget): PlanAction {
  if (name === '') return { kind: 'list', name: undefined }
  if (type?.kind !== 'directory') return { kind: 'retrieve', name }
  return { kind: 'list', name: isLikeOption(name) ? undefined : name }
}

/** Servers hand the argument of NLST to `ls`: `-R` would be an option there, and is walked into instead. */
function isLikeOption(name: string): boolean {
  return name.startsWith('-')
}

function mapEmptySegments(segments: readonly string[], emptySegment: EmptySegment): readonly string[] {
  if (emptySegment === 'null') return segments
  const named = segments.filter((segment) => segment !== '')
  return emptySegment === 'root' && segments[0] === '' ? ['/', ...named] : named
}

function representationOf(
  { name, type }: FtpTarget,
  infer: NonNullable<PlanOptions['inferType']>,
): Representation {
  if (type?.kind === 'representation') {
    const { kind: _, ...representation } = type
    return representation
  }
  if (infer === false) return { type: 'I' }
  return { type: infer === true ? inferType(name) : infer(name) }
}

/** Whether a session in the known type need not be told the wanted one. */
export function isSameType(known: Representation | undefined, wanted: Representation): boolean {
  // Non-print is the default form (RFC 959 §3.1.1.5.1): `A N` is `A`.
  return (
    known !== undefined &&
    known.type === wanted.type &&
    (known.form ?? 'N') === (wanted.form ?? 'N') &&
    known.byteSize === wanted.byteSize
  )
}
