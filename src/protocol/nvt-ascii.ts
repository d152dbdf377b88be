/**
 * Text on the data connection is NVT-ASCII (RFC 959 §3.1.1.1): each line ends with CR LF, whatever the
 * systems at both ends keep in their files.
 */

const CR = 0x0d
const LF = 0x0a

/** Turns CR LF into `lineEnd`, at every cut; every other byte stays, also a CR or LF alone. */
export class NvtAsciiDecoder {
  readonly #lineEnd: Uint8Array
  #heldCr = false

  constructor(lineEnd: '\n' | '\r\n') {
    this.#lineEnd = Buffer.from(lineEnd, 'latin1')
  }

  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk
    const parts: Uint8Array[] = []
    let start = 0
    if (this.#heldCr) {
      this.#heldCr = false
      if (chunk[0] === LF) {
        parts.push(this.#lineEnd)
        start = 1
      } else parts.push(Uint8Array.of(CR))
    }
    for (let at = chunk.indexOf(CR, start); at !== -1; at = chunk.indexOf(CR, at + 1)) {
      if (at === chunk.length - 1) {
        this.#heldCr = true
        break
      }
      if (chunk[at + 1] !== LF) continue
      parts.push(chunk.subarray(start, at), this.#lineEnd)
      start = at + 2
      at++
    }
    parts.push(chunk.subarray(start, this.#heldCr ? chunk.length - 1 : chunk.length))
    return Buffer.concat(parts)
  }

  /** A CR that was the last byte. */
  end(): Uint8Array {
    const rest = this.#heldCr ? Uint8Array.of(CR) : new Uint8Array(0)
    this.#heldCr = false
    return rest
  }
}

/** Turns each line end of a local text, LF or CR LF, into CR LF. */
export class NvtAsciiEncoder {
  #lastWasCr = false

  push(chunk: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = []
    let start = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
      const precededByCr = at === 0 ? this.#lastWasCr : chunk[at - 1] === CR
      if (precededByCr) continue
      parts.push(chunk.subarray(start, at), Uint8Array.of(CR, LF))
      start = at + 1
    }
    if (chunk.length > 0) this.#lastWasCr = chunk.at(-1) === CR
    parts.push(chunk.subarray(start))
    return Buffer.concat(parts)
  }
}
