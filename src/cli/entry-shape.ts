/** An entry of a listing as JSON, and its time as text. */
import type { Entry } from '../index.ts'

/** What is known of the entry, and nothing else. */
export function jsonOfEntry(entry: Entry, path = entry.name): object {
  const { name, type, size, sizeText, modified, modifiedPrecision, modifiedZoneKnown } = entry
  const { permissions, owner, group, linkTarget, safe } = entry
  return {
    ...(path === name ? {} : { path }),
    name,
    type,
    size: size ?? sizeText,
    modified: modified?.toISOString(),
    modifiedPrecision,
    ...(modified === undefined ? {} : { modifiedZoneKnown }),
    permissions,
    owner,
    group,
    linkTarget,
    ...(safe ? {} : { safe }),
  }
}

/**
 * `2026-11-30 14:05`, as `ls --time-style=long-iso` has it, in this machine's zone. Where the server's zone is
 * unknown its clock is shown as it is, and where it told only the day there is no time.
 */
export function timeOfEntry({ modified, modifiedPrecision, modifiedZoneKnown }: Entry): string {
  if (modified === undefined) return ''
  const offset = modifiedZoneKnown && modifiedPrecision !== 'day' ? modified.getTimezoneOffset() : 0
  const local = new Date(modified.getTime() - offset * 60_000)
  if (Number.isNaN(local.getTime())) return ''
  const text = local.toISOString()
  return modifiedPrecision === 'day' ? text.slice(0, -14) : text.slice(0, -8).replace('T', ' ')
}
