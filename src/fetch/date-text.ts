/**
 * The time of an entry, as far as the server told it.
 */
import type { Entry } from '../index.ts'

/** ISO 8601: no more digits than are known, and no zone where none is. */
export function dateText({ modified, modifiedPrecision, modifiedZoneKnown }: Entry): string | undefined {
  if (modified === undefined) return undefined
  const text = modified.toISOString()
  if (modifiedPrecision === 'day') return text.slice(0, 10)
  const shown = modifiedPrecision === 'millisecond' ? text.slice(0, -1) : text.slice(0, -5)
  return modifiedZoneKnown ? `${shown}Z` : shown
}
