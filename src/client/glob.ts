/**
 * Patterns for paths: `*` and `?` within a segment, `[abc]`, `[a-z]`, `[!x]`, and `**` for any number of
 * segments. A pattern without a slash is matched against the last segment alone.
 */

type Token =
  | { readonly kind: 'one' }
  | { readonly kind: 'star' }
  | { readonly kind: 'set'; readonly has: (character: string) => boolean }

/** Compiles a pattern. Matching takes time in the product of both lengths, whatever the pattern. */
export function compileGlob(pattern: string): (path: string) => boolean {
  const segments = pattern.split('/').filter((segment, at) => segment !== '' || at > 0)
  const compiled = segments.map((segment) => (segment === '**' ? undefined : tokensOf(segment)))
  if (!pattern.includes('/')) {
    const [last] = compiled
    return (path) => last === undefined || matchesSegment(last, path.slice(path.lastIndexOf('/') + 1))
  }
  return (path) =>
    matchesPath(
      compiled,
      path.split('/').filter((segment) => segment !== ''),
    )
}

/** True where any of the patterns matches; without patterns, `otherwise`. */
export function anyGlob(
  patterns: string | readonly string[] | undefined,
  otherwise: boolean,
): (path: string) => boolean {
  if (patterns === undefined) return () => otherwise
  const matchers = (typeof patterns === 'string' ? [patterns] : patterns).map(compileGlob)
  return (path) => matchers.some((matches) => matches(path))
}

/** `reach[at]` says that the pattern so far can have taken the first `at` segments. */
function matchesPath(pattern: ReadonlyArray<readonly Token[] | undefined>, path: readonly string[]): boolean {
  let reach: boolean[] = [true, ...path.map(() => false)]
  for (const segment of pattern) {
    if (segment === undefined) {
      const first = reach.indexOf(true)
      reach = reach.map((_, at) => first !== -1 && at >= first)
    } else {
      reach = reach.map(
        (_, at) => at > 0 && reach[at - 1] === true && matchesSegment(segment, path[at - 1] ?? ''),
      )
    }
  }
  return reach.at(-1) === true
}

/** Goes back only to the last star, so that no pattern costs more than the product of the lengths. */
function matchesSegment(tokens: readonly Token[], text: string): boolean {
  const characters = Array.from(text)
  let token = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      star = token++
      starAt = at
    } else if (current !== undefined && (current.kind === 'one' || current.has(characters[at] ?? ''))) {
      token++
      at++
    } else if (star !== -1) {
      token = star + 1
      at = ++starAt
    } else return false
  }
  while (tokens[token]?.kind === 'star') token++
  return token === tokens.length
}

function tokensOf(segment: string): Token[] {
  const tokens: Token[] = []
  const characters = Array.from(segment)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    const close = character === '[' ? characters.indexOf(']', at + 2) : -1
    if (character === '*') tokens.push({ kind: 'star' })
    else if (character === '?') tokens.push({ kind: 'one' })
    else if (close !== -1) {
      tokens.push({ kind: 'set', has: setOf(characters.slice(at + 1, close)) })
      at = close
    } else {
      const literal = character === '\\' ? (characters[++at] ?? '\\') : character
      tokens.push({ kind: 'set', has: (other) => other === literal })
    }
  }
  return tokens
}

function setOf(members: readonly string[]): (character: string) => boolean {
  const negated = members[0] === '!' || members[0] === '^'
  const list = negated ? members.slice(1) : members
  const ranges: Array<readonly [low: string, high: string]> = []
  for (let at = 0; at < list.length; at++) {
    const low = list[at] ?? ''
    const high = list[at + 1] === '-' ? list[at + 2] : undefined
    ranges.push([low, high ?? low])
    if (high !== undefined) at += 2
  }
  return (character) => ranges.some(([low, high]) => character >= low && character <= high) !== negated
}
