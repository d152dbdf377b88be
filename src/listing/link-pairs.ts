/** Links whose target ProFTPD lists as an entry of its own, with the same `unique` fact. */
import type { ListedEntry } from './entry.ts'

/**
 * Gives links of MLSD (`type=OS.unix=symlink`) the target that another line of the listing tells. The whole
 * listing must be there: the target may stand before or after the link.
 */
export function pairLinks(entries: readonly ListedEntry[]): void {
  // `facts` is read when asked for: only the links are asked before it is known that there are any.
  const links = entries.filter(
    (entry) =>
      entry.type === 'link' && entry.linkTarget === undefined && entry.facts?.['unique'] !== undefined,
  )
  if (links.length === 0) return
  const targets = new Map<string, string>()
  for (const { type, facts, name } of entries) {
    const unique = facts?.['unique']
    if (type !== 'link' && unique !== undefined && !targets.has(unique)) targets.set(unique, name)
  }
  for (const link of links) link.linkTarget = targets.get(link.facts?.['unique'] ?? '')
}
