/** How many columns of a terminal a text takes, so that lines fit and columns align. */

// Marks that join the character before them.
const NONE = /\p{Mn}|\p{Me}/u
// East Asian wide and full-width characters, and pictures.
const DOUBLE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** Columns that the text, which is visible already, takes. */
export function displayWidth(text: string): number {
  // Most names are plain, and a listing has many.
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text in no more columns than `most`; what is left out in the middle becomes `…`. */
export function fitted(text: string, most: number): string {
  if (displayWidth(text) <= most) return text
  if (most < 1) return ''
  const characters = Array.from(text)
  const room = most - 1
  const head = taken(characters, Math.ceil(room / 2))
  const tail = taken(characters.toReversed(), Math.floor(room / 2)).toReversed()
  return `${head.join('')}…${tail.join('')}`
}

/** The text with spaces behind it, up to `columns`. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

function taken(characters: readonly string[], room: number): string[] {
  let used = 0
  const fits = characters.findIndex((character) => (used += widthOf(character)) > room)
  return characters.slice(0, fits === -1 ? undefined : fits)
}

function widthOf(character: string): number {
  if (NONE.test(character)) return 0
  return DOUBLE.test(character) ? 2 : 1
}
