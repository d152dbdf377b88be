/** The facts of an MLSD line: `type=file;size=11;` (RFC 3659 §7.2). */

/** Fact names in lower case (they are case-insensitive) with their values as sent. */
export type Facts = Readonly<Record<string, string>>

/**
 * Reads the facts before the name. The first of two equal facts counts. The record has no prototype: a
 * fact called `__proto__` or `constructor` is a fact like any other.
 */
export function readFacts(text: string): Facts {
  const facts = Object.create(null) as Record<string, string>
  for (const fact of text.split(';')) {
    const equals = fact.indexOf('=')
    if (equals <= 0) continue
    const name = fact.slice(0, equals).toLowerCase()
    facts[name] ??= fact.slice(equals + 1)
  }
  return facts
}

const SPECIAL = [
  { bit: 0o4000, at: 2, set: 's', alone: 'S' },
  { bit: 0o2000, at: 5, set: 's', alone: 'S' },
  { bit: 0o1000, at: 8, set: 't', alone: 'T' },
]

/** `0644` → `rw-r--r--`; `undefined` where the text is no Unix mode. */
export function permissionsOfMode(text: string): string | undefined {
  if (!/^[0-7]{3,7}$/.test(text)) return undefined
  const mode = Number.parseInt(text, 8)
  const letters = Array.from('rwxrwxrwx', (letter, index) => ((mode & (0o400 >> index)) === 0 ? '-' : letter))
  for (const { bit, at, set, alone } of SPECIAL) {
    if ((mode & bit) !== 0) letters[at] = letters[at] === 'x' ? set : alone
  }
  return letters.join('')
}
