/** A parser of a stream must give the same whatever the cuts: this gives the cuts. */

/** The bytes whole, byte by byte, and cut in two at every place. */
export function cutsOf(bytes: Uint8Array): Uint8Array[][] {
  const single = [...bytes.keys()].map((at) => bytes.subarray(at, at + 1))
  const halves = [...bytes.keys()].slice(1).map((at) => [bytes.subarray(0, at), bytes.subarray(at)])
  return [[bytes], single, ...halves]
}

/** Bytes of a text in which each character stands for one octet. */
export function octets(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
