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

// A quoted word, a comment up to the end of its line, or a word.
const WORD = /"(?:[^"\\]|\\.)*"|#[^\n]*|\S+/gs

/** Entries in their order. Macros, which ftp(1) would run, are left out. */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: NetrcEntry[] = []
  // A macro reaches to the next empty line.
  const words = text
    .replace(/^\s*macdef\b.*(?:\r?\n(?!\r?\n).*)*/gm, '')
    .match(WORD)
    ?.filter((word) => !word.startsWith('#'))
    .map(unquoted)
  const rest = words ?? []
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]
    const value = rest[at + 1]
    const current = entries.pop()
    if (word === 'default') push(entries, current, { machine: undefined })
    else if (value === undefined) push(entries, current)
    else if (word === 'machine') push(entries, current, { machine: value })
    else if (word === 'login' || word === 'password' || word === 'account') {
      push(entries, current === undefined ? undefined : { ...current, [word]: value })
    } else {
      push(entries, current)
      continue
    }
    if (word !== 'default') at++
  }
  return entries
}

function push(entries: NetrcEntry[], ...some: (NetrcEntry | undefined)[]): void {
  for (const entry of some) if (entry !== undefined) entries.push(entry)
}

function unquoted(word: string): string {
  return word.startsWith('"') && word.endsWith('"') && word.length > 1
    ? word.slice(1, -1).replace(/\\(.)/gs, '$1')
    : word
}
