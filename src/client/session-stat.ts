/**
 * What one path is: MLST where the server has it, else what CWD, SIZE and MDTM tell.
 */
import { FtpError } from '../errors.ts'
import { baseName, parseListing, type Entry } from '../listing/index.ts'
import { query, refusal, send } from '../protocol/script.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { notFound, saysUnknown } from '../protocol/scripts/refusals.ts'
import { sizeOfReply } from '../protocol/scripts/retrieve.ts'
import type { Reply } from '../protocol/reply.ts'
import { decodeText } from '../protocol/text.ts'
import { formatTimeVal, parseTimeVal } from '../protocol/time.ts'
import type { Link } from './link.ts'

/**
 * The entry for a path.
 * @throws FtpError `FTP_NOT_FOUND`
 */
export async function statOver(link: Link, path: Path, signal: AbortSignal): Promise<Entry> {
  const reply = await link.command(query('MLST', path), signal)
  if (reply.kind === 'completion') {
    const entry = entryOfMlst(reply, path)
    if (entry !== undefined) return entry
  } else if (!saysUnknown(reply)) {
    throw refusal({ verb: 'MLST', argument: path, refused: notFound }, reply)
  }
  return withoutMlst(link, path, signal)
}

/** RFC 3659 §7.2: the facts stand on a line of their own behind one blank, which some servers leave out. */
function entryOfMlst(reply: Reply, path: Path): Entry | undefined {
  for (const line of reply.lines) {
    const [, facts] = /^\s*((?:[^\s;=]+=[^;]*;)+)/.exec(line) ?? []
    if (facts !== undefined) return entryOf(facts, path)
  }
  return undefined
}

/** The name is taken from the path asked for: servers answer with names of every kind. */
function entryOf(facts: string, path: Path): Entry | undefined {
  const text = typeof path === 'string' ? path : decodeText(path)
  const name = baseName(text.replace(/(?<=.)\/+$/, '')) || text
  return parseListing(`${facts} ${name}`, { format: 'mlsd', all: true }).entries[0]
}

async function withoutMlst(link: Link, path: Path, signal: AbortSignal): Promise<Entry> {
  const facts = (await isDirectory(link, path, signal)) ? 'type=dir;' : await factsOfFile(link, path, signal)
  const modified = await link.command(query('MDTM', path), signal)
  const time = modified.kind === 'completion' ? parseTimeVal(modified.lines[0] ?? '') : undefined
  const entry = entryOf(time === undefined ? facts : `${facts}modify=${formatTimeVal(time.date)};`, path)
  if (entry === undefined) throw new FtpError('FTP_BAD_REPLY', 'The path makes no entry.', { phase: 'reply' })
  return entry
}

/** A directory is what can be entered; the session comes back at once. */
export async function isDirectory(link: Link, path: Path, signal: AbortSignal): Promise<boolean> {
  const back = link.pathOf(await link.command(query('PWD'), signal))
  if (back === undefined) return false
  const entered = await link.command(query('CWD', path), signal)
  if (entered.kind !== 'completion') return false
  await goBack(link, back, signal)
  return true
}

async function factsOfFile(link: Link, path: Path, signal: AbortSignal): Promise<string> {
  await link.prepare(link.typeSteps({ type: 'I' }), signal)
  link.noteType({ type: 'I' })
  const reply = await link.command(query('SIZE', path), signal)
  if (reply.kind === 'completion') {
    const size = sizeOfReply(reply)
    return size === undefined ? 'type=file;' : `type=file;size=${size};`
  }
  throw refusal({ verb: 'SIZE', argument: path, refused: notFound }, reply)
}

/** The name that the server gives a directory: equal names mean that a link has led back. */
export async function identityOver(link: Link, path: Path, signal: AbortSignal): Promise<string | undefined> {
  const back = link.pathOf(await link.command(query('PWD'), signal))
  if (back === undefined) return undefined
  if (path.length === 0) return back
  const entered = await link.command(query('CWD', path), signal)
  if (entered.kind !== 'completion') return undefined
  const name = link.pathOf(await link.command(query('PWD'), signal))
  await goBack(link, back, signal)
  return name
}

/** A session that cannot come back would go on in the wrong place. */
async function goBack(link: Link, back: string, signal: AbortSignal): Promise<void> {
  try {
    await link.command(send('CWD', back), signal)
  } catch (error) {
    link.destroy()
    throw error
  }
}
