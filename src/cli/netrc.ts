/**
 * The file in which Unix keeps users and passwords by machine. Its grammar is that of ftp(1), with quoted words
 * as curl has them.
 */
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EXIT } from './exit-code.ts'
import { Failure } from './failure.ts'

/** What the file says of one machine. */
export interface NetrcEntry {
  /** `undefined`: the entry `default`, for every machine that has none before it. */
  readonly machine: string | undefined
  readonly login?: string
  readonly password?: string
  readonly account?: string
}

/** A file, and whether others than its owner can read it. */
export interface Netrc {
  readonly path: string
  readonly entries: readonly NetrcEntry[]
  readonly exposed: boolean
}

/** Reads the file that `NETRC` names, or the one in the home directory. */
export async function readNetrc(environment: NodeJS.ProcessEnv): Promise<Netrc> {
  const named = environment['NETRC'] ?? ''
  const path = named === '' ? join(homedir(), process.platform === 'win32' ? '_netrc' : '.netrc') : named
  try {
    const text = await readFile(path, 'utf8')
    const { mode } = await stat(path)
    return { path, entries: parseNetrc(text), exposed: process.platform !== 'win32' && (mode & 0o077) !== 0 }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(EXIT.local, `cannot read ${path}: ${why}`)
  }
}

/** The first entry that fits: the machine by its exact name, and the user where one is named already. */
export function findEntry(
  entries: readonly NetrcEntry[],
  host: string,
  user: string | undefined,
): NetrcEntry | undefined {
  return entries.find(
    ({ machine, login }) =>
      (machine === undefined || machine.toLowerCase() === host) && (user === undefined || login === user),
  )
}

// Comments may stand wherever a keyword may; a value that begins with # is a value.
const KEYWORD = /(?:\s|#[^\n]*(?:\n|$))*([^\s#]\S*)/y
const VALUE = /\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))/sy
/** A macro, which ftp(1) would run, reaches to the next empty line. */
const MACRO = /[^]*?(?:\n[ \t]*\r?\n|$)/y

/** Entries in their order; macros, and words that mean nothing, are left out. */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: { -readonly [K in keyof NetrcEntry]: NetrcEntry[K] }[] = []
  let at = 0
  const next = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [all, quoted, plain] = pattern.exec(text) ?? []
    if (all === undefined) return undefined
    at = pattern.lastIndex
    return plain ?? (pattern === VALUE ? quoted?.replace(/\\(.)/gs, '$1') : quoted)
  }
  for (let word = next(KEYWORD); word !== undefined; word = next(KEYWORD)) {
    if (word === 'default') entries.push({ machine: undefined })
    else if (word === 'macdef') next(MACRO)
    else if (word === 'machine') {
      const machine = next(VALUE)
      if (machine !== undefined) entries.push({ machine })
    } else if (word === 'login' || word === 'password' || word === 'account') {
      const value = next(VALUE)
      const entry = entries.at(-1)
      if (entry !== undefined && value !== undefined) entry[word] = value
    }
  }
  return entries
}
