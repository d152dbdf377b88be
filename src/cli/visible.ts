/**
 * Names and replies come from strangers: shown as they are, they could move the cursor, set the title or turn
 * the text around (CVE-2019-6109).
 */

// Controls, formatting characters, surrogates that stand alone, line and paragraph separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text with everything that does more than show itself written as `\n`, `\xNN` or `\u{…}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0
    // An octet that is no text in the server's encoding stands as U+DC80 to U+DCFF.
    if (code >= 0xdc80 && code <= 0xdcff) return hexadecimal(code - 0xdc00)
    return SHORT[character] ?? (code < 0x100 ? hexadecimal(code) : `\\u{${code.toString(16)}}`)
  })
}

/** JSON in which the same characters are escaped as JSON has it, so that it can be shown as well. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function hexadecimal(octet: number): string {
  return `\\x${octet.toString(16).padStart(2, '0')}`
}
