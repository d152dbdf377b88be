/**
 * Options of one call: a misspelt one must not be taken for an absent one. `dryrun` for `dryRun` deletes files.
 */
import { FtpError } from '../errors.ts'

/** @throws FtpError `FTP_INVALID_OPTION` for a name that is not among `names`. */
export function checkNames(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const meant = names.find((known) => known.toLowerCase() === name.toLowerCase())
    const hint = meant === undefined ? `There are: ${names.join(', ')}.` : `Is ${meant} meant?`
    throw new FtpError('FTP_INVALID_OPTION', `There is no option ${JSON.stringify(name)} here. ${hint}`, {
      phase: 'arguments',
    })
  }
}

/** What every operation takes. */
export const OPERATION_NAMES = ['signal', 'timeoutMs'] as const
