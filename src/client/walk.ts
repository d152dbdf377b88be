/**
 * Everything below a directory.
 */
import type { Entry } from '../listing/index.ts'
import { isSafeThere } from './safe-name.ts'
import { anyGlob } from './glob.ts'

/** What a walk may be told. */
export interface WalkOptions {
  /** How many levels to go down; 0 is the directory alone. Default: the limit `depth`. */
  readonly depth?: number
  /** Only entries whose path below the start matches one of these patterns are given; folders are entered all the same. */
  readonly include?: string | readonly string[]
  /** Entries whose path matches are neither given nor entered. */
  readonly exclude?: string | readonly string[]
  /** Enter links to directories; cycles end. Default false. */
  readonly followLinks?: boolean
  /** Listings that are asked for ahead, where there are several sessions. Default 1. */
  readonly concurrency?: number
  /** Ends the walk before the next directory. */
  readonly signal?: AbortSignal
}

/** An entry with where it was found. */
export interface WalkEntry extends Pick<
  Entry,
  'name' | 'type' | 'size' | 'modified' | 'linkTarget' | 'safe'
> {
  /** The path below the start of the walk, with `/` between segments. */
  readonly path: string
  /** 0 for what lies in the start itself. */
  readonly depth: number
  /** The entry of the listing, with everything that the server told. */
  readonly entry: Entry
}

/** How a walk sees the tree. */
export interface WalkSource {
  /** The entries of a directory; `path` is below the start, and empty for it. */
  list(path: string): Promise<readonly Entry[]>
  /** Something that is equal for two paths only if they are the same directory; undefined where nobody can say. */
  identity(path: string): Promise<string | undefined>
  readonly mostDepth: number
}

interface Visit {
  readonly path: string
  readonly depth: number
  /** Directories on the way here, for links that lead back up. */
  readonly ancestors: readonly string[]
}

/** Walks in depth, each directory in the order of its names; what it holds follows right behind it. */
export async function* walkTree(
  source: WalkSource,
  options: WalkOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  const matches = { included: anyGlob(options.include, true), excluded: anyGlob(options.exclude, false) }
  const ahead = new Map<string, Promise<readonly Entry[]>>()
  const concurrency = Math.max(1, options.concurrency ?? 1)
  const list = (path: string): Promise<readonly Entry[]> => {
    const begun = ahead.get(path)
    ahead.delete(path)
    return begun ?? source.list(path)
  }
  const visit = async function* ({
    path,
    depth,
    ancestors,
  }: Visit): AsyncGenerator<WalkEntry, void, undefined> {
    options.signal?.throwIfAborted()
    const entries = [...(await list(path))]
      .sort(byName)
      .filter((entry) => !matches.excluded(below(path, entry)))
    prefetch(entries, path, depth)
    for (const entry of entries) {
      const place = below(path, entry)
      if (matches.included(place)) yield asWalkEntry(entry, place, depth)
      const next = await descend(entry, { path: place, depth: depth + 1, ancestors })
      if (next !== undefined) yield* visit(next)
    }
  }
  const mostDepth = Math.min(options.depth ?? source.mostDepth, source.mostDepth)
  const prefetch = (entries: readonly Entry[], path: string, depth: number): void => {
    if (concurrency === 1 || depth >= mostDepth) return
    for (const entry of entries) {
      if (ahead.size >= concurrency - 1) return
      if (entry.type !== 'dir' || !isSafeThere(entry.name) || ahead.has(below(path, entry))) continue
      const begun = source.list(below(path, entry))
      begun.catch(() => undefined)
      ahead.set(below(path, entry), begun)
    }
  }
  const descend = async (entry: Entry, next: Visit): Promise<Visit | undefined> => {
    const follow = entry.type === 'dir' || (entry.type === 'link' && options.followLinks === true)
    // A name such as `..` or `a/b` would lead out of the tree (CVE-2018-10916): it is given, never entered.
    if (!follow || !isSafeThere(entry.name) || next.depth > mostDepth) return undefined
    if (options.followLinks !== true) return next
    const identity = await source.identity(next.path)
    if (identity === undefined) return entry.type === 'link' ? undefined : next
    return next.ancestors.includes(identity)
      ? undefined
      : { ...next, ancestors: [...next.ancestors, identity] }
  }
  const start = options.followLinks === true ? await source.identity('') : undefined
  yield* visit({ path: '', depth: 0, ancestors: start === undefined ? [] : [start] })
}

function asWalkEntry(entry: Entry, path: string, depth: number): WalkEntry {
  const { name, type, size, modified, linkTarget, safe } = entry
  return { name, type, size, modified, linkTarget, safe, path, depth, entry }
}

function below(path: string, { name }: Entry): string {
  return path === '' ? name : `${path}/${name}`
}

function byName(one: Entry, other: Entry): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}
