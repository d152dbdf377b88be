/** MLSD and MLST (RFC 3659 §7): `type=file;size=11;modify=20181025120459; name`, as servers deviate. */
import { timeValAt } from '../protocol/time.ts'
import type { LineReader, ListingContext } from './context.ts'
import type { EntryType, ListedEntry } from './entry.ts'
import { permissionsOfMode } from './facts.ts'
import { isDigit } from './scan.ts'

const BLANK = 0x20
const SEMICOLON = 0x3b
const EQUALS = 0x3d

// A mode is one of a few hundred texts; each is turned into letters once.
const permissionsCache = new Map<string, string | undefined>()

/** Reads one line of MLSD, or of MLST without the blank that RFC 3659 §7.2 puts before it. */
export const readMlsdLine: LineReader = (line, listing) => {
  // A blank first means that there are no facts; only a listing known to be MLSD may have such lines.
  if (line.charCodeAt(0) === BLANK) {
    return listing.fitted === 'mlsd' && line.length > 1 ? nameOnly(line, listing) : undefined
  }
  if (!beginsWithFact(line)) return undefined
  // The facts end at the first `; `: a fact's value may have blanks (`UNIX.groupname=domain users`).
  const end = line.indexOf('; ')
  const entry = end < 0 ? deviant(line, listing) : readEntry(line, end + 1, end + 2, listing)
  return entry
}

function nameOnly(line: string, listing: ListingContext): ListedEntry {
  return listing.entry(line.slice(1), 'other', line)
}

/** A fact's name is letters, digits, and few marks, before an equals sign (RFC 3659 §7.2). */
function beginsWithFact(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === EQUALS) return at > 0
    const lower = code | 0x20
    const isLetter = lower >= 0x61 && lower <= 0x7a
    if (!isLetter && !isDigit(code) && code !== 0x2e && code !== 0x2d && code !== 0x5f) return false
  }
  return false
}

/** Without `; `: an old draft had no `;` before the blank, and some servers leave the blank out. */
function deviant(line: string, listing: ListingContext): ListedEntry | undefined {
  const semicolon = line.lastIndexOf(';')
  const blank = line.indexOf(' ')
  if (
    semicolon < 0 ||
    (blank > semicolon && line.indexOf('=', semicolon) > 0 && line.indexOf('=', semicolon) < blank)
  ) {
    // Nothing but a fact that everyone knows makes such a line MLSD, unless it is known to be.
    if (blank < 0 || blank === line.length - 1) return undefined
    if (listing.fitted !== 'mlsd' && !isKnownFact(line)) return undefined
    return readEntry(line, blank, blank + 1, listing)
  }
  if (semicolon === line.length - 1 || line.includes('=', semicolon)) return undefined
  return readEntry(line, semicolon + 1, semicolon + 1, listing)
}

function isKnownFact(line: string): boolean {
  return /^(?:type|size|sizd|modify|create|perm|unique|unix\.\w+)=/i.test(line)
}

function readEntry(
  line: string,
  factsEnd: number,
  nameStart: number,
  listing: ListingContext,
): ListedEntry | undefined {
  const name = line.slice(nameStart)
  if (name.length === 0) return undefined
  const entry = listing.entry(name, 'other', line)
  entry.setFactsEnd(factsEnd)
  const seen = new SeenFacts()
  for (let start = 0; start < factsEnd;) {
    let equals = -1
    let end = start
    for (; end < factsEnd; end++) {
      const code = line.charCodeAt(end)
      if (code === SEMICOLON) break
      if (code === EQUALS && equals < 0) equals = end
    }
    if (equals > start) readFact(entry, seen, line, start, equals, end)
    start = end + 1
  }
  if (!seen.type) entry.type = guessType(seen)
  entry.owner = seen.ownerName ?? seen.owner ?? seen.uid
  entry.group = seen.groupName ?? seen.group ?? seen.gid
  return entry
}

/** What has been read of one line: of two equal facts the first counts. */
class SeenFacts {
  type = false
  size = false
  sizd = false
  modify = false
  perm = ''
  ownerName: string | undefined = undefined
  owner: string | undefined = undefined
  uid: string | undefined = undefined
  groupName: string | undefined = undefined
  group: string | undefined = undefined
  gid: string | undefined = undefined
}

function readFact(
  entry: ListedEntry,
  seen: SeenFacts,
  line: string,
  start: number,
  equals: number,
  end: number,
): void {
  const from = equals + 1
  switch (equals - start) {
    case 4:
      if (is(line, start, 'type')) {
        if (!seen.type && from < end) {
          seen.type = true
          readType(entry, line, from, end)
        }
      } else if (is(line, start, 'size')) {
        // A folder may carry both: `size` is the fact of RFC 3659, `sizd` Pure-FTPd's and ProFTPD's.
        if (!seen.size) readSize(entry, line, from, end)
        seen.size = true
      } else if (is(line, start, 'sizd')) {
        if (!seen.size && !seen.sizd) readSize(entry, line, from, end)
        seen.sizd = true
      } else if (is(line, start, 'perm')) seen.perm ||= line.slice(from, end)
      return
    case 6:
      if (is(line, start, 'modify') && !seen.modify) {
        seen.modify = true
        const precision = end - from > 15 && line.charCodeAt(from + 14) === 0x2e ? 'millisecond' : 'second'
        entry.setModified(timeValAt(line, from, end), precision, true)
      }
      return
    default:
      if (from < end && is(line, start, 'unix.'))
        readUnixFact(entry, seen, line, start, equals, line.slice(from, end))
  }
}

function readUnixFact(
  entry: ListedEntry,
  seen: SeenFacts,
  line: string,
  start: number,
  equals: number,
  value: string,
): void {
  switch (equals - start) {
    case 8:
      if (is(line, start, 'unix.uid')) seen.uid ??= value
      else if (is(line, start, 'unix.gid')) seen.gid ??= value
      return
    case 9:
      if (is(line, start, 'unix.mode')) entry.permissions ??= cachedPermissions(value)
      return
    case 10:
      if (is(line, start, 'unix.owner')) seen.owner ??= value
      else if (is(line, start, 'unix.group')) seen.group ??= value
      return
    case 14:
      if (is(line, start, 'unix.ownername')) seen.ownerName ??= value
      else if (is(line, start, 'unix.groupname')) seen.groupName ??= value
      return
    default:
  }
}

/** True where `word`, in lower case, stands at `at` in any case. */
function is(line: string, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if ((line.charCodeAt(at + index) | 0x20) !== word.charCodeAt(index)) return false
  }
  return true
}

function readSize(entry: ListedEntry, line: string, from: number, end: number): void {
  // Fifteen digits are always exact; a sign, a point or an `x` is no number of bytes.
  let size = 0
  let at = from
  while (at < end && at < from + 15 && isDigit(line.charCodeAt(at)))
    size = size * 10 + line.charCodeAt(at++) - 0x30
  if (at === end && end > from) entry.size = size
  else entry.setSize(line.slice(from, end))
}

function readType(entry: ListedEntry, line: string, from: number, end: number): void {
  const length = end - from
  if (length === 4 && is(line, from, 'file')) entry.type = 'file'
  else if (length === 3 && is(line, from, 'dir')) entry.type = 'dir'
  else if (length === 4 && (is(line, from, 'cdir') || is(line, from, 'pdir'))) {
    entry.type = 'dir'
    entry.markSelf()
  } else entry.type = readOsType(entry, line.slice(from, end))
}

/** `OS.unix=slink:/target` (RFC 3659 §7.7.4), `OS.unix=symlink`; devices and all else are `other`. */
function readOsType(entry: ListedEntry, value: string): EntryType {
  const match = /^os\.unix=s(?:ym)?link(?::(.*))?$/is.exec(value)
  if (match === null) return 'other'
  if (match[1] !== undefined && match[1].length > 0) entry.linkTarget = match[1]
  return 'link'
}

/** Without a type: what the other facts let no doubt about (RFC 3659 §7.5.5). */
function guessType(seen: SeenFacts): EntryType {
  if (seen.sizd || /[elcmp]/i.test(seen.perm)) return 'dir'
  return seen.size || /[awr]/i.test(seen.perm) ? 'file' : 'other'
}

function cachedPermissions(mode: string): string | undefined {
  if (permissionsCache.has(mode)) return permissionsCache.get(mode)
  const permissions = permissionsOfMode(mode)
  if (permissionsCache.size < 5000) permissionsCache.set(mode, permissions)
  return permissions
}
