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

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Replaces the password by `***` in everything in `text` that looks like a URL, whether it can be parsed
 * or not. What stands for a port but is no number is taken for a password too, for the `@host` behind it
 * may have been forgotten.
 *
 * @example
 * redactUrl('cannot fetch ftp://joe:s3cret@example.com/x') // 'cannot fetch ftp://joe:***@example.com/x'
 */
export function redactUrl(text: string): string {
  const lastAt = text.lastIndexOf('@')
  let redacted = ''
  let done = 0
  for (const word of text.matchAll(/\S+/g)) {
    const end = word.index + word[0].length
    const at = word.index + word[0].lastIndexOf('@')
    let start = nextStart(word, done)
    while (start !== undefined) {
      const secret = findSecret(text, start, { end, at }, lastAt)
      if (secret !== undefined) {
        redacted += `${text.slice(done, secret.start)}***`
        done = secret.end
      }
      start = nextStart(word, Math.max(start, done))
    }
  }
  return redacted + text.slice(done)
}

/** One refused URL as a message shows it: without its password, controls escaped, not too long. */
export function showUrl(url: string): string {
  const start = /^ftps?:\/\//i.exec(url)?.[0].length ?? 0
  const colon = url.indexOf(':', start)
  const at = url.lastIndexOf('@')
  // It need not mean what its grammar says: whatever could be the password is hidden.
  const redacted =
    colon !== -1 && colon < at ? `${url.slice(0, colon + 1)}***${url.slice(at)}` : redactUrl(url)
  const shown = escapeText(redacted)
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown
}

/** Where in `word` user information may begin, not before `from`; both count from the start of the text. */
function nextStart({ 0: word, index }: RegExpExecArray, from: number): number | undefined {
  START.lastIndex = Math.max(0, from - index)
  return START.test(word) ? index + START.lastIndex : undefined
}

/** `word`: where the word ends in which the URL begins, and its last `@`; `lastAt`: that of the whole text. */
function findSecret(
  text: string,
  start: number,
  word: { readonly end: number; readonly at: number },
  lastAt: number,
): Span | undefined {
  AUTHORITY.lastIndex = start
  const [authority, password, port] = AUTHORITY.exec(text) ?? []
  const end = start + (authority?.length ?? 0)
  if (authority !== undefined && !(end === word.end && lastAt >= end)) {
    if (password === undefined && port === undefined) return undefined
    const colon = start + authority.indexOf(password ?? port ?? '') + 1
    // An @ further on may be the end of a password that holds an unencoded slash.
    if (word.at >= end) return { start: colon, end: word.at }
    return password === undefined ? undefined : { start: colon, end: colon + password.length - 1 }
  }
  // Not well-formed, or ended by a space that may belong to the password.
  const colon = text.indexOf(':', start)
  if (colon === -1) return undefined
  if (lastAt >= start) return colon < lastAt ? { start: colon + 1, end: lastAt } : undefined
  return colon < word.end ? { start: colon + 1, end: word.end } : undefined
}
