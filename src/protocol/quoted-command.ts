/**
 * A command that the caller writes out.
 */
import { FtpError } from '../errors.ts'
import { verbOf, type Command } from './commands.ts'

/** They open data connections, change who is logged in, protect or end the session, or need a second command. */
const OUT_OF_STEP = new Set(['USER', 'PASS', 'ACCT', 'REIN', 'QUIT', 'ABOR', 'PORT', 'PASV', 'EPRT', 'EPSV', 'LPRT', 'LPSV', 'AUTH', 'ADAT', 'PBSZ', 'PROT', 'CCC', 'MODE', 'STRU', 'TYPE', 'CWD', 'XCWD', 'CDUP', 'XCUP', 'SMNT']) // prettier-ignore

/**
 * Splits `VERB argument`.
 * @throws FtpError `FTP_INVALID_ARGUMENT` for what is no command, or one that would bring the session out of step.
 */
export function quotedCommand(text: string): Command {
  const [, word, argument] =
    /^([A-Za-z][A-Za-z0-9]{2,7})(?: (.*))?$/s.exec(typeof text === 'string' ? text : '') ?? []
  if (word === undefined) throw refused('is not one command: a verb, a space, an argument')
  const verb = word.toUpperCase()
  const command: Command = argument === undefined ? { verb } : { verb, argument }
  if (OUT_OF_STEP.has(verb) || verbOf(command).exchange !== 'simple') {
    throw refused(`${verb} would bring the session out of step; use the method or option for it`)
  }
  return command
}

function refused(why: string): FtpError {
  return new FtpError('FTP_INVALID_ARGUMENT', `The quoted command ${why}; nothing was sent.`, {
    phase: 'arguments',
  })
}
