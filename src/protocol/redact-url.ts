/**
 * URLs stand in messages and logs; the passwords in them must not. Where a text can be read in two ways,
 * too much is hidden rather than too little.
 */
import { escapeText } from './escape.ts'

// Where a URL may begin, also a mistyped one: `ftp:u:p@h`, `http:\\u:p@h`.
const START = /ftps?:(?=\S)[\\/]*|:[\\/]{2,}/gi

// user, :password and :port as the generic syntax has them; a zone identifier may stand in the brackets.
const AUTHORITY =
  /(?:[^\s/?#\\@:[\]]*(:[^\s/?#\\@]*)?@)?(?:\[[^\]\s@/]*\]|[^\s/?#@:\\[\]]*)(:\d*)?(?=[\s/?#]|$)/y

const SHOWN_CHARACTERS = 300

/**
 * Replaces the password by `***` in everything in `text` that looks like a URL, whether it can be parsed
 * or not. What stands for a port but is no number is taken for a password too, for the `@host` behind it
 * may have been forgotten.
 *
 * @example
 * redactUrl('cannot fetch ftp://joe:s3cret@example.com/x') // 'cannot fetch ftp://joe:***@example.com/x'
 */
export function redactUrl(text: string): string {
  return redact(text, undefined)
}

/** One URL as a message shows it: without its password, controls escaped, not too long. */
export function showUrl(url: string): string {
  const start = /^\s*(?:[a-z][a-z0-9+.-]{0,40}:[\\/]{2,}|ftps?:[\\/]*|[\\/]+)?/i.exec(url)?.[0].length ?? 0
  const shown = escapeText(redact(url, start))
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown
}

/** `only`: the whole text is one URL, whose user information would begin there. */
function redact(text: string, only: number | undefined): string {
  const lastAt = text.lastIndexOf('@')
  let redacted = ''
  let done = 0
  let start = only ?? nextStart(text, 0)
  while (start !== undefined) {
    const secret = findSecret(text, start, lastAt, only !== undefined)
    if (secret !== undefined) {
      redacted += `${text.slice(done, secret.start)}***`
      done = secret.end
    }
    start = nextStart(text, Math.max(start, done))
  }
  return redacted + text.slice(done)
}

function nextStart(text: string, from: number): number | undefined {
  START.lastIndex = from
  return START.test(text) ? START.lastIndex : undefined
}

function findSecret(
  text: string,
  start: number,
  lastAt: number,
  isWhole: boolean,
): { readonly start: number; readonly end: number } | undefined {
  AUTHORITY.lastIndex = start
  const authority = AUTHORITY.exec(text)
  const end = start + (authority?.[0].length ?? 0)
  const isEndedBySpace = /\s/.test(text.charAt(end))
  if (authority !== null && !(isEndedBySpace && lastAt >= end)) {
    const [, password, port] = authority
    if (password === undefined && port === undefined) return undefined
    // An @ further on may be the end of a password that holds an unencoded slash.
    const token = isWhole ? text.length : endOfToken(text, end)
    const at = text.lastIndexOf('@', token - 1)
    if (at >= end) return { start: text.indexOf(':', start) + 1, end: at }
    if (password === undefined) return undefined
    const colon = text.indexOf(':', start)
    return { start: colon + 1, end: colon + password.length }
  }
  const colon = text.indexOf(':', start)
  if (colon === -1) return undefined
  if (lastAt >= start) return colon < lastAt ? { start: colon + 1, end: lastAt } : undefined
  const token = endOfToken(text, start)
  return colon < token ? { start: colon + 1, end: token } : undefined
}

function endOfToken(text: string, from: number): number {
  const space = /\s/g
  space.lastIndex = from
  return space.exec(text)?.index ?? text.length
}
