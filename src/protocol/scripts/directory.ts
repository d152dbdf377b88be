/**
 * Directories: PWD, CWD, CDUP, MKD, RMD (RFC 959 §4.1).
 */
import { FtpError } from '../../errors.ts'
import { pathOfReply } from '../path-reply.ts'
import type { Reply } from '../reply.ts'
import { attempt, judge, query, send, type Script, type Step } from '../script.ts'
import { notFound } from './refusals.ts'

/** A path: text, or the exact bytes. */
export type Path = string | Uint8Array

/** The working directory. */
export function* printDirectory(): Script<string> {
  return pathOfReply(yield* send('PWD'))
}

/** Changes the working directory; gives its full name where PWD, sent along, tells it. */
export function* changeDirectory(path: Path): Script<string | undefined> {
  return yield* andWhere({ verb: 'CWD', argument: path, refused: notFound })
}

/** To the parent directory. */
export function* changeToParent(): Script<string | undefined> {
  return yield* andWhere({ verb: 'CDUP', refused: notFound })
}

/** Makes a directory; gives the name that the server gave it, or the one asked for. */
export function* makeDirectory(path: Path): Script<string | undefined> {
  const reply = yield* send('MKD', path)
  return readPath(reply)
}

/** Makes a directory where there is none: what counts is that it can be entered afterwards. */
export function* ensureDirectory(path: Path, back: string): Script<void> {
  const made = yield* query('MKD', path)
  if (made.kind === 'completion') return
  const entered = yield* query('CWD', path)
  if (entered.kind !== 'completion') judge([{ verb: 'MKD', argument: path }], [made])
  yield* send('CWD', back)
}

/** Removes an empty directory. */
export function* removeDirectory(path: Path): Script<void> {
  yield* send('RMD', path, notFound)
}

function* andWhere(step: Step): Script<string | undefined> {
  const steps = [step, { verb: 'PWD', optional: true }]
  const [, where] = judge(steps, yield* attempt(...steps))
  return where?.kind === 'completion' ? readPath(where) : undefined
}

function readPath(reply: Reply): string | undefined {
  try {
    return reply.code === 257 ? pathOfReply(reply) : undefined
  } catch (error) {
    if (error instanceof FtpError) return undefined
    throw error
  }
}
