/** URLs whose last part is a pattern, as a shell would have it: `ftp://host/pub/*.txt`. */
import type { Entry } from '../index.ts'
import { operationOptions } from './connection-options.ts'
import { EXIT } from './exit-code.ts'
import { Failure } from './failure.ts'
import type { Invocation } from './invocation.ts'
import type { Site, Sites } from './sites.ts'

/** One thing that a URL or its pattern names. */
export interface Match {
  readonly site: Site
  /** What the listing told; undefined where the URL was no pattern. */
  readonly entry: Entry | undefined
}

/**
 * The pattern in a URL's last part: undefined where it has no `*` and no `[`. In a pattern `?` is one
 * character; without one it is itself, as everywhere in an ftp URL. An encoded character is always itself.
 */
export function patternOf(url: string): string | undefined {
  const [path = ''] = url.split('#', 1)
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/;type=.*$/i, '')
  if (!/[*[]/.test(last) || !/^ftps?:\/\/[^/]*\//i.test(url)) return undefined
  try {
    return last.replace(/(?:%[\da-f]{2})+/gi, (encoded) =>
      decodeURIComponent(encoded).replace(/[*?[\]\\]/g, '\\$&'),
    )
  } catch {
    // Octets that are not UTF-8: nobody can write such a pattern.
    return undefined
  }
}

/** What a URL names: itself, or what its pattern matches, in the order of names. */
export async function matchesOf(
  url: string,
  sites: Sites,
  { values, signal, terminal }: Pick<Invocation, 'values' | 'signal' | 'terminal'>,
): Promise<Match[]> {
  const site = sites.at(url)
  const pattern = values.has('no-glob') ? undefined : patternOf(url)
  if (pattern === undefined) return [{ site, entry: undefined }]
  const matches: Match[] = []
  await site.client.use(
    sites.folder(site).url,
    async (session) => {
      for await (const { entry, safe } of session.walk('', { depth: 0, include: pattern, signal })) {
        if (safe) matches.push({ site: sites.beside(site, { name: entry.name }), entry })
        else terminal.warn(`left out, because the name is not safe: ${entry.name}`)
      }
    },
    operationOptions(values, signal),
  )
  if (matches.length === 0) throw new Failure(EXIT.refused, `nothing matches ${pattern}`)
  return matches
}
