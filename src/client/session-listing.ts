/**
 * Listings of a session: MLSD where the server has it, LIST where not, STAT or NLST where asked for.
 */
import { FtpError } from '../errors.ts'
import type { ListingFormat, ListingOptions } from '../listing/index.ts'
import { factsOfFeature } from '../protocol/features.ts'
import type { Reply } from '../protocol/reply.ts'
import { query, send, type Step } from '../protocol/script.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { notFound } from '../protocol/scripts/refusals.ts'
import { guardedCall } from '../transport/call-back.ts'
import { represent } from '../protocol/scripts/walk.ts'
import { encodeText } from '../protocol/text.ts'
import { Download } from './download.ts'
import type { Incoming, OpenDownload } from './incoming.ts'
import { Listing, type OpenedListing } from './listing.ts'
import type { Link } from './link.ts'
import type { OperationOptions } from './options.ts'
import type { SessionLink } from './session-link.ts'

/** A way to ask for a listing. */
export type ListCommand = 'mlsd' | 'list' | 'stat' | 'nlst'

/** What `list` may be told. */
export interface SessionListOptions extends OperationOptions {
  /** Default `'auto'`: `MLSD` where the server offers it, else `LIST`. */
  readonly command?: ListCommand | 'auto'
  /** Keep the entries for the directory itself and its parent. Default false. */
  readonly all?: boolean
  /** The format of `LIST`, where it is known. Default: found out line by line. */
  readonly listingFormat?: ListingFormat
  /** The time that dates without a year are close to. Default: now. */
  readonly now?: Date
  /** The zone of the server's clock in minutes east of UTC, or `'detect'`: one file is asked for its `MDTM`. */
  readonly serverTimeZone?: number | 'detect'
  /** Sees each line that no format could read. */
  readonly onUnparsedLine?: (line: string) => void
}

const LF = 0x0a

type DataCommand = Exclude<ListCommand, 'stat'>
type Receive = Parameters<OpenDownload>[0]

/** The facts that an {@link Entry} has a place for. */
const WANTED_FACTS = ['type', 'size', 'sizd', 'modify', 'perm', 'unix.mode', 'unix.owner', 'unix.group', 'unix.ownername', 'unix.groupname'] // prettier-ignore

/** A name that a server may take for a pattern or for options of `ls`, or cut at a blank. */
const RISKY = /[*?[\]{}~\s]|(?:^|\/)-/

/** Makes the listing; it is asked for when it is read. */
export function openSessionListing(
  session: SessionLink,
  path: Path | undefined,
  options: SessionListOptions,
  before?: () => Promise<void>,
): Listing {
  const open = async (): Promise<OpenedListing> => {
    await before?.()
    const { command = 'auto', serverTimeZone: zone, signal, timeoutMs } = options
    const parse = parseOptions(session, options, typeof zone === 'number' ? zone : session.serverTimeZone)
    if (command === 'stat') return { chunks: overControl(session, path, options), parse }
    const opener: OpenDownload = (receive, stop) => start(session, path, command, receive, stop)
    const chunks = new Download(opener, { signal, timeoutMs, lineEnd: 'keep' })
    const { result } = chunks
    return command === 'nlst'
      ? { chunks: asEntries(chunks), parse: { ...parse, format: 'mlsd' }, result }
      : { chunks, parse, result }
  }
  return new Listing(open, session.settings.limits.listingEntries)
}

function parseOptions(
  session: SessionLink,
  options: SessionListOptions,
  serverTimeZone: number | undefined,
): ListingOptions {
  const { all, listingFormat, now = new Date(), onUnparsedLine } = options
  const { encoding, limits } = session.settings
  return {
    all,
    format: listingFormat,
    now,
    onUnparsedLine: guardedCall('onUnparsedLine', onUnparsedLine),
    encoding,
    serverTimeZone,
    lineBytes: limits.listingLineBytes,
  }
}

async function start(
  session: SessionLink,
  path: Path | undefined,
  command: DataCommand | 'auto',
  receive: Receive,
  signal: AbortSignal,
): Promise<Incoming> {
  const leave = await session.enter(signal)
  const walked = session.current.state.walked
  let back: string | undefined
  try {
    const link = session.current
    const chosen = command === 'auto' ? (session.listsByMlsd ? 'mlsd' : 'list') : command
    const direct = path === undefined || path.length === 0 || (chosen === 'mlsd' && !isRisky(path))
    if (!direct) back = await enterDirectory(session, link, path, signal)
    const argument = direct || back === undefined ? path : undefined
    const incoming = await ask(session, chosen, argument, receive, signal, command === 'auto')
    const done = afterwards(incoming.done, () => comeBack(session, { back, walked }, leave))
    done.catch(() => undefined)
    return { ...incoming, done }
  } catch (error) {
    await comeBack(session, { back, walked }, leave)
    throw error
  }
}

/** Asks, and where a server that offers MLSD does not know it, asks again by LIST and remembers. */
async function ask(
  session: SessionLink,
  command: DataCommand,
  path: Path | undefined,
  receive: Receive,
  signal: AbortSignal,
  mayFallBack: boolean,
): Promise<Incoming> {
  const link = session.current
  if (command === 'mlsd') await askForFacts(session, link, signal)
  else await setAscii(link, signal)
  try {
    const { done } = await link.transfer(
      {
        command: stepFor(command, path),
        direction: 'receive',
        onData: (data) => receive(data, false),
        mayBeEmpty: true,
      },
      signal,
    )
    return { size: undefined, done, secure: link.pi.dataProtected }
  } catch (error) {
    const unknown =
      error instanceof FtpError &&
      error.reply !== undefined &&
      [500, 501, 502, 504].includes(error.reply.code)
    if (command !== 'mlsd' || !mayFallBack || !unknown || !link.alive) throw error
    session.listsByMlsd = false
    return ask(session, 'list', path, receive, signal, false)
  }
}

function stepFor(command: DataCommand, path: Path | undefined): Step {
  const verb = command.toUpperCase()
  return path === undefined || path.length === 0
    ? { verb, refused: notFound }
    : { verb, argument: path, refused: notFound }
}

/** Names are text, and one server (IBM) sends EBCDIC in TYPE I. */
async function setAscii(link: Link, signal: AbortSignal): Promise<void> {
  const steps = link.typeSteps({ type: 'A' })
  link.noteType(undefined)
  await link.prepare(steps.length === 0 ? [] : [represent({ type: 'A' })], signal)
  link.noteType({ type: 'A' })
}

/** Facts that the server has and does not send by itself are switched on once (RFC 3659 §7.9). */
async function askForFacts(session: SessionLink, link: Link, signal: AbortSignal): Promise<void> {
  if (session.factsAsked) return
  session.factsAsked = true
  const offered = session.features?.get('MLST') ?? ''
  const asleep = factsOfFeature(offered).filter(
    (fact) => WANTED_FACTS.includes(fact) && !offered.toLowerCase().includes(`${fact}*`),
  )
  if (asleep.length === 0) return
  const wanted = factsOfFeature(offered).filter((fact) => WANTED_FACTS.includes(fact))
  await link.prepare([{ verb: 'OPTS', argument: `MLST ${wanted.join(';')};`, optional: true }], signal)
}

/** Goes into the directory; gives the way back, or undefined where there is none and the path must be named. */
async function enterDirectory(
  session: SessionLink,
  link: Link,
  path: Path,
  signal: AbortSignal,
): Promise<string | undefined> {
  const back = session.directory ?? link.pathOf(await link.command(query('PWD'), signal))
  if (back === undefined) return undefined
  await link.command(send('CWD', path, notFound), signal)
  link.forgetDirectory()
  return back
}

async function afterwards<T>(work: Promise<T>, what: () => Promise<void>): Promise<T> {
  try {
    return await work
  } finally {
    await what()
  }
}

/** Makes name lines of an NLST look like MLSD lines without facts: a blank, then the name. */
async function* asEntries(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const blank = Buffer.from(' ')
  let atStart = true
  for await (const chunk of chunks) {
    const bytes = chunk as Uint8Array
    const parts: Uint8Array[] = atStart ? [blank] : []
    let start = 0
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, start)) {
      parts.push(bytes.subarray(start, at + 1))
      start = at + 1
      if (start < bytes.length) parts.push(blank)
    }
    parts.push(bytes.subarray(start))
    atStart = bytes.at(-1) === LF
    yield Buffer.concat(parts)
  }
}

interface WayBack {
  readonly back: string | undefined
  readonly walked: readonly string[] | undefined
}

async function comeBack(session: SessionLink, { back, walked }: WayBack, leave: () => void): Promise<void> {
  try {
    const link = session.current
    if (back !== undefined && link.alive) {
      await link.command(send('CWD', back), new AbortController().signal)
      link.noteWalked(walked)
    }
  } catch {
    // Nobody knows where the session stands: it must not go on as if nothing had happened.
    session.current.destroy()
  } finally {
    leave()
  }
}

/** `STAT path` lists over the control connection (RFC 959 §4.1.3): no data connection is needed. */
async function* overControl(
  session: SessionLink,
  path: Path | undefined,
  options: OperationOptions,
): AsyncGenerator<Uint8Array> {
  const reply = await session.turn((link, signal) => statFrom(session, link, path, signal), options)
  const text = reply.lines.slice(1, -1).join('\n')
  yield encodeText(text, session.settings.encoding)
}

/** Without a path STAT tells of the server; one that is risky is entered first, as for the other commands. */
async function statFrom(
  session: SessionLink,
  link: Link,
  path: Path = '',
  signal: AbortSignal,
): Promise<Reply> {
  const here = path.length === 0 ? '.' : path
  const { walked } = link.state
  const back = isRisky(here) ? await enterDirectory(session, link, here, signal) : undefined
  if (back === undefined) return link.command(send('STAT', withoutDash(here), notFound), signal)
  try {
    return await link.command(send('STAT', '.', notFound), signal)
  } finally {
    await comeBack(session, { back, walked }, () => undefined)
  }
}

/** With a dash in front, a path is an option of `ls`. */
function withoutDash(path: Path): Path {
  const dash = typeof path === 'string' ? path.startsWith('-') : path[0] === 0x2d
  if (!dash) return path
  return typeof path === 'string' ? `./${path}` : Buffer.concat([Buffer.from('./'), path])
}

function isRisky(path: Path): boolean {
  return RISKY.test(typeof path === 'string' ? path : Buffer.from(path).toString('latin1'))
}
