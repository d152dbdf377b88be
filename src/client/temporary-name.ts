/**
 * Names for files that are not whole yet.
 */
import { basename, dirname, join } from 'node:path'

/** Longer ones would not fit with what is put around them. */
const LONGEST_KEPT = 200

/** Asking for chance costs more than a small file: once is enough, because whoever opens the file demands a new one. */
let ours: string | undefined
let count = 0

/** A new hidden name in the folder of `path`, which nobody can have prepared. */
export function temporaryName(path: string): string {
  ours ??= Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex')
  count++
  return join(dirname(path), `.${basename(path).slice(0, LONGEST_KEPT)}.${ours}${count.toString(36)}.part`)
}
