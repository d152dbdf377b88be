/**
 * The path in a 257 (RFC 959 §5.4 and appendix II): quoted, with quotes inside it doubled.
 */
import { FtpError } from '../errors.ts'
import type { Reply } from './reply.ts'

/**
 * The path between the first quote and the first single one after it. Servers that quote nothing get their
 * first word taken where it can be a path; `""` is the root.
 * @throws FtpError `FTP_BAD_REPLY` where there is no path, or one with control characters in it.
 */
export function pathOfReply(reply: Reply): string {
  const text = reply.lines[0] ?? ''
  const path = text.includes('"') ? quoted(text) : /^\s*(\/\S*)/.exec(text)?.[1]
  // A path from a server goes into later commands: a control character in it would be an injection.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (path === undefined || /[\u0000-\u001f\u007f]/.test(path)) {
    throw new FtpError('FTP_BAD_REPLY', `The server's answer names no usable path: ${reply.toString()}`, {
      phase: 'reply',
      reply: reply.toJSON(),
    })
  }
  return path === '' ? '/' : path
}

function quoted(text: string): string | undefined {
  // From the start: a path that is never closed must not be looked for again behind its first quote.
  const match = /^[^"]*"((?:[^"]|"")*)"(?!")/.exec(text)
  return match?.[1]?.replaceAll('""', '"')
}
