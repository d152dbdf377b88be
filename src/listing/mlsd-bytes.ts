/**
 * The plain line of MLSD, read from its bytes. It says the same as `mlsd.ts`, faster; whatever is not plain
 * is left to that.
 */
import { civilTime } from '../protocol/time.ts'
import type { ListingContext } from './context.ts'
import type { ListedEntry } from './entry.ts'
import { permissionsOfMode } from './facts.ts'

const BLANK = 0x20
const EQUALS = 0x3d
const SEMICOLON = 0x3b

// What a fact's name is made of (RFC 3659 §7.2), letters in either case.
const IS_NAME = new Uint8Array(256)
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789.-_') {
  IS_NAME[letter.charCodeAt(0)] = 1
  IS_NAME[letter.toUpperCase().charCodeAt(0)] = 1
}

const PERMISSIONS = new Map<number, string | undefined>()

const FILE = codesOf('file')
const DIR = codesOf('dir')
const TYPE = codesOf('type=')
const SIZE = codesOf('size=')
const SIZD = codesOf('sizd=')
const MODIFY = codesOf('modify=')
const UNIX = codesOf('unix.')
const MODE = codesOf('mode=')
const UID = codesOf('uid=')
const GID = codesOf('gid=')
const OWNER = codesOf('owner=')
const GROUP = codesOf('group=')

/** Reads the plain lines of one listing. */
export class MlsdBytesReader {
  #owner: string | undefined = ''
  #group: string | undefined = ''

  /** The line that fills `bytes`, and `text` alike, from `start` to `end`, ASCII; `undefined` if not plain. */
  read(
    bytes: Uint8Array,
    start: number,
    end: number,
    text: string,
    listing: ListingContext,
  ): ListedEntry | undefined {
    let type: 'file' | 'dir' | undefined
    let size = -1
    let time = Number.NaN
    let permissions: string | undefined
    let owner: string | undefined
    let group: string | undefined
    let seen = 0
    let at = start
    do {
      const fact = at
      while (IS_NAME[bytes[at] ?? 0] === 1) at++
      if (bytes[at] !== EQUALS || at === fact) return undefined
      const value = ++at
      while (at < end && bytes[at] !== SEMICOLON) at++
      if (at >= end) return undefined
      const bit = factAt(bytes, fact, value)
      if ((seen & bit) !== 0) return undefined
      seen |= bit
      switch (bit) {
        case 0:
          break
        case 1:
          type = typeAt(bytes, value, at)
          if (type === undefined) return undefined
          break
        case 2:
        case 4:
          // Whichever comes first counts in the thorough reader; two of them are left to it.
          if (size >= 0) return undefined
          size = numberAt(bytes, value, at, 15)
          if (size < 0) return undefined
          break
        case 8:
          time = timeAt(bytes, value, at)
          if (Number.isNaN(time)) return undefined
          break
        case 16:
          permissions = permissionsAt(bytes, value, at, text)
          break
        case 32:
          owner = this.#owner = same(bytes, value, at, text, this.#owner)
          break
        case 64:
          group = this.#group = same(bytes, value, at, text, this.#group)
          break
        default:
          return undefined
      }
      at++
    } while (at < end && bytes[at] !== BLANK)
    const name = at + 1
    if (type === undefined || name >= end) return undefined
    const entry = listing.entry(text.slice(name, end), type, text.slice(start, end))
    entry.setFactsEnd(at - start)
    if (size >= 0) entry.size = size
    entry.setModified(time, 'second', true)
    entry.permissions = permissions
    entry.owner = owner
    entry.group = group
    return entry
  }
}

/** One bit for each fact that is read; 0 for those that are not, 128 for those not read here. */
function factAt(bytes: Uint8Array, at: number, value: number): number {
  switch (value - at) {
    case 5:
      if (is(bytes, at, TYPE)) return 1
      if (is(bytes, at, SIZE)) return 2
      if (is(bytes, at, SIZD)) return 4
      return 0
    case 7:
      return is(bytes, at, MODIFY) ? 8 : 0
    default:
      return value - at > 8 && is(bytes, at, UNIX) ? unixFactAt(bytes, at + 5, value) : 0
  }
}

function unixFactAt(bytes: Uint8Array, at: number, value: number): number {
  switch (value - at) {
    case 4:
      return is(bytes, at, UID) || is(bytes, at, GID) ? 128 : 0
    case 5:
      return is(bytes, at, MODE) ? 16 : 0
    case 6:
      if (is(bytes, at, OWNER)) return 32
      return is(bytes, at, GROUP) ? 64 : 0
    case 10:
      // Names count before numbers: the thorough reader weighs them.
      return 128
    default:
      return 0
  }
}

function typeAt(bytes: Uint8Array, at: number, end: number): 'file' | 'dir' | undefined {
  if (end - at === 4 && is(bytes, at, FILE)) return 'file'
  return end - at === 3 && is(bytes, at, DIR) ? 'dir' : undefined
}

/** `YYYYMMDDHHMMSS`; `NaN` for all else, which the thorough reader judges. */
function timeAt(bytes: Uint8Array, at: number, end: number): number {
  if (end - at !== 14) return Number.NaN
  const day = numberAt(bytes, at, at + 8, 8)
  const time = numberAt(bytes, at + 8, end, 6)
  if (day < 0 || time < 0) return Number.NaN
  const year = Math.floor(day / 10_000)
  const month = Math.floor(day / 100) % 100
  return civilTime(
    year,
    month,
    day % 100,
    Math.floor(time / 10_000),
    Math.floor(time / 100) % 100,
    time % 100,
  )
}

/** The number of at most `longest` digits from `at` to `end`, or -1. */
function numberAt(bytes: Uint8Array, at: number, end: number, longest: number): number {
  if (at === end || end - at > longest) return -1
  let value = 0
  for (let index = at; index < end; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x30 || byte > 0x39) return -1
    value = value * 10 + byte - 0x30
  }
  return value
}

function permissionsAt(bytes: Uint8Array, at: number, end: number, text: string): string | undefined {
  // The digits, read as a decimal number with their count, stand for the text.
  const number = numberAt(bytes, at, end, 5)
  if (number < 0) return permissionsOfMode(text.slice(at, end))
  const key = number * 8 + end - at
  let permissions = PERMISSIONS.get(key)
  if (permissions === undefined && !PERMISSIONS.has(key)) {
    permissions = permissionsOfMode(text.slice(at, end))
    if (PERMISSIONS.size < 10_000) PERMISSIONS.set(key, permissions)
  }
  return permissions
}

/** The text from `at` to `end`, or `before` where it is equal: neighbours mostly have the same owner. */
function same(
  bytes: Uint8Array,
  at: number,
  end: number,
  text: string,
  before: string | undefined,
): string | undefined {
  const length = end - at
  if (length === 0) return undefined
  if (before !== undefined && length === before.length) {
    let index = 0
    while (index < length && before.charCodeAt(index) === bytes[at + index]) index++
    if (index === length) return before
  }
  return text.slice(at, end)
}

/** True where `word`, in lower case, stands at `at` in any case. */
function is(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index++) {
    if (((bytes[at + index] ?? 0) | 0x20) !== word[index]) return false
  }
  return true
}

function codesOf(word: string): Uint8Array {
  return Uint8Array.from(word, (letter) => letter.charCodeAt(0) | 0x20)
}
