/**
 * A listing as a JSON array, entry by entry.
 */
import type { Entry } from '../index.ts'
import { dateText } from './date-text.ts'

/** One element of the array; what the server did not tell is not there. */
export interface DirectoryEntry {
  /** The name, as the server sent it. */
  readonly name: string
  /** `file`, `dir`, `link` or `other`. */
  readonly type: Entry['type']
  /** Bytes, of files only. */
  readonly size?: number
  /** ISO 8601, as precise as the server's word; without zone where the server's clock is in an unknown one. */
  readonly modified?: string
  /** Where a link points. */
  readonly target?: string
}

/** The text of the array, in parts. */
export async function* jsonArray(entries: AsyncIterable<Entry>): AsyncGenerator<string, void> {
  let separator = '['
  for await (const entry of entries) {
    yield `${separator}${JSON.stringify(plain(entry))}`
    separator = ',\n'
  }
  yield separator === '[' ? '[]\n' : ']\n'
}

function plain(entry: Entry): DirectoryEntry {
  const { name, type, size, linkTarget } = entry
  const modified = dateText(entry)
  return {
    name,
    type,
    ...(type !== 'file' || size === undefined ? {} : { size }),
    ...(modified === undefined ? {} : { modified }),
    ...(linkTarget === undefined ? {} : { target: linkTarget }),
  }
}
