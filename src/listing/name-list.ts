/** NLST (RFC 959 §4.1.3): names and nothing else, a line each. */
import { Buffer } from 'node:buffer'
import { decodeText } from '../protocol/text.ts'

/** How a list of names is read. */
export interface NameListOptions {
  /** The encoding of the names. Default `'utf-8'`. */
  readonly encoding?: string | undefined
  /**
   * `'base'` cuts everything up to the last slash: with an argument, vsftpd, ProFTPD and others put it
   * before each name. `.` and `..` are then dropped. Default `'as-sent'`.
   */
  readonly names?: 'as-sent' | 'base' | undefined
}

/** The names in the answer to `NLST`: lines end in CR LF or LF, empty ones are dropped, blanks are kept. */
export function parseNameList(input: Uint8Array, options: NameListOptions = {}): string[] {
  const { encoding = 'utf-8', names: form = 'as-sent' } = options
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  const names: string[] = []
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start)
    const next = found < 0 ? bytes.length : found
    let end = next
    while (end > start && bytes[end - 1] === 0x0d) end--
    const name = decodeText(bytes.subarray(start, end), encoding)
    start = next + 1
    if (form === 'as-sent') {
      if (name !== '') names.push(name)
      continue
    }
    const base = baseName(name)
    if (base !== '' && base !== '.' && base !== '..') names.push(base)
  }
  return names
}

/** What stands behind the last slash that is not the name's end. */
export function baseName(path: string): string {
  let end = path.length
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}
