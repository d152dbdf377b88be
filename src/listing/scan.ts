/** Scanning by hand: the hot lines are read without regular expressions. */

const BLANK = 0x20
const TAB = 0x09

/** The first position from `at` on that holds no blank, or the length. */
export function skipBlanks(line: string, at: number): number {
  let next = at
  while (next < line.length && isBlank(line.charCodeAt(next))) next++
  return next
}

/** The end of the word that begins at `at`: the next blank, or the length. */
export function endOfWord(line: string, at: number): number {
  let end = at
  while (end < line.length && !isBlank(line.charCodeAt(end))) end++
  return end
}

/** True for a blank or a tab. */
export function isBlank(code: number): boolean {
  return code === BLANK || code === TAB
}

/** True for `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The number that fills `line` from `start` to `end`, at most nine digits; else -1. */
export function digitsAt(line: string, start: number, end: number): number {
  if (end <= start || end - start > 9) return -1
  let value = 0
  for (let at = start; at < end; at++) {
    const code = line.charCodeAt(at)
    if (!isDigit(code)) return -1
    value = value * 10 + code - 0x30
  }
  return value
}

/** True where only digits stand from `start` to `end`, and at least one. */
export function areDigits(line: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(line.charCodeAt(at))) return false
  return end > start
}

/** The words of a line with the position where each begins, for the families that are never hot. */
export function wordsOf(line: string): { text: string; at: number }[] {
  const words: { text: string; at: number }[] = []
  for (let at = skipBlanks(line, 0); at < line.length;) {
    const end = endOfWord(line, at)
    words.push({ text: line.slice(at, end), at })
    at = skipBlanks(line, end)
  }
  return words
}
