/**
 * The `Range` header (RFC 9110 §14.2), of which FTP can serve one range.
 */

/** A part of a file, both ends included. */
export interface BytePart {
  readonly first: number
  readonly last: number
}

/**
 * The part of a file of `size` bytes that `header` asks for. `undefined`: answer with the whole file, as
 * RFC 9110 has it for several ranges, other units and what is no range at all. `'unsatisfiable'`: 416.
 */
export function bytePart(header: string, size: number): BytePart | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header) ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
