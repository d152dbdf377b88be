/** Names for another program: one on a line, as they are on the server. */

// An octet that is no text in the server's encoding stands as one of these.
const OCTET = /^[\udc80-\udcff]$/

/** The bytes of the names, each with a line feed behind it. */
export function nameBytes(names: readonly string[]): Uint8Array {
  const text = names.map((name) => `${name}\n`).join('')
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text)
  return Buffer.concat(names.flatMap((name) => [...partsOf(name), Buffer.from('\n')]))
}

function partsOf(name: string): Uint8Array[] {
  const parts: Uint8Array[] = []
  let text = ''
  // By code points, so that the second half of a pair is not taken for an octet.
  for (const character of name) {
    if (!OCTET.test(character)) text += character
    else {
      parts.push(Buffer.from(text), Uint8Array.of(character.charCodeAt(0) - 0xdc00))
      text = ''
    }
  }
  parts.push(Buffer.from(text))
  return parts
}
