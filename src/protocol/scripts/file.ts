/**
 * Files: DELE, RNFR and RNTO, SIZE, MDTM and its ways to set a time, SITE CHMOD.
 */
import { FtpError } from '../../errors.ts'
import { beforePath, type Command } from '../commands.ts'
import type { Features } from '../features.ts'
import type { Reply } from '../reply.ts'
import { flight, query, refusal, send, type Script, type Step } from '../script.ts'
import { formatTimeVal, parseTimeVal } from '../time.ts'
import type { Path } from './directory.ts'
import { notFound, notSupported, saysUnknown } from './refusals.ts'
import { sizeOfReply } from './retrieve.ts'

/** Removes a file. */
export function* deleteFile(path: Path): Script<void> {
  yield* send('DELE', path, notFound)
}

/** Renames or moves. RNTO goes out only when RNFR was accepted, and right after it. */
export function* rename(from: Path, to: Path): Script<void> {
  yield* send('RNFR', from, notFound)
  yield* flight({ verb: 'RNTO', argument: to })
}

/** The size in bytes; the type must be image (RFC 3659 §4). */
export function* fileSize(path: Path): Script<number | undefined> {
  const reply = yield* send('SIZE', path, unknownOrMissing)
  return sizeOfReply(reply)
}

/** The time of the last change; undefined where the server gives none that can be. */
export function* modificationTime(path: Path): Script<Date | undefined> {
  const reply = yield* send('MDTM', path, unknownOrMissing)
  return parseTimeVal(reply.lines[0] ?? '')?.date
}

/** The ways to set a time that the features allow, best first; each is tried until one is known. */
function settersOf(path: Path, time: string, features: Features): Command[] {
  const mfmt = { verb: 'MFMT', argument: beforePath(time, path) }
  // Serv-U and Pure-FTPd take a time before the name as an order to set it.
  const mdtm = { verb: 'MDTM', argument: beforePath(time, path) }
  const utime = { verb: 'SITE', argument: beforePath(`UTIME ${time}`, path) }
  return [
    ...(features.has('MFMT') || features.size === 0 ? [mfmt] : []),
    ...(features.has('MDTM') ? [mdtm] : []),
    utime,
  ]
}

/** Sets the time of the last change, in whole seconds, by MFMT or what came before it. */
export function* setModificationTime(path: Path, date: Date, features: Features): Script<void> {
  let last = 'none of them was offered'
  for (const command of settersOf(path, formatTimeVal(date), features)) {
    const reply = yield* query(command.verb, command.argument)
    if (reply.kind === 'completion') return
    // MFMT is one command with one meaning: its refusal is about the file. The others may mean anything.
    if (command.verb === 'MFMT' && !saysUnknown(reply))
      throw refusal({ ...command, refused: notFound }, reply)
    last = reply.toString()
  }
  throw new FtpError('FTP_NOT_SUPPORTED', `The server sets no times (MFMT, MDTM, SITE UTIME): ${last}`, {
    phase: 'reply',
  })
}

/** Sets the permission bits of a Unix server (`SITE CHMOD`). */
export function* changeMode(path: Path, mode: number): Script<void> {
  yield* send('SITE', beforePath(`CHMOD ${mode.toString(8).padStart(3, '0')}`, path), unknownOrMissing)
}

function unknownOrMissing(reply: Reply): ReturnType<NonNullable<Step['refused']>> {
  return { ...notFound(reply), ...notSupported(reply) }
}
