/**
 * From one directory to another: a CWD for each path segment (RFC 1738 §3.2.2), and the representation type.
 */
import { typeArgument } from '../plan.ts'
import type { Step } from '../script.ts'
import type { Representation } from '../url.ts'

/** A `CWD` for each directory, in order; an empty string is the null argument. */
export function walk(directories: readonly string[]): Step[] {
  return directories.map((argument): Step => ({ verb: 'CWD', argument, refused: () => adviceFor(argument) }))
}

function adviceFor(argument: string): { code: 'FTP_NOT_FOUND' | 'FTP_REFUSED'; advice: string } {
  if (argument !== '')
    return { code: 'FTP_NOT_FOUND', advice: 'is the directory there, and may this user enter it?' }
  return {
    code: 'FTP_REFUSED',
    advice:
      "an empty path segment is a CWD without an argument (RFC 1738); for an absolute path write %2F, as in ftp://host/%2Fetc/motd, or set emptySegment: 'root'",
  }
}

/** The step that sets the representation type. */
export function represent(type: Representation): Step {
  return {
    verb: 'TYPE',
    argument: typeArgument(type),
    refused: () => ({ advice: 'the server cannot transfer in this type' }),
  }
}

/** Asks for a file's size on the way (RFC 3659 §4); a server that does not know it may say so. */
export function sizeOf(name: string | Uint8Array): Step {
  return { verb: 'SIZE', argument: name, optional: true }
}
