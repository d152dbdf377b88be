/**
 * The encodings from before Unicode, both ways. Node decodes them but does not encode, so the reverse
 * table is read off `TextDecoder` once, when an encoding is first used.
 */
import { Buffer } from 'node:buffer'
import type { TextDecoder } from 'node:util'
import { FtpError } from '../errors.ts'

/** One encoding, both ways. Neither direction loses anything. */
export interface TextCodec {
  readonly decode: (bytes: Uint8Array) => string
  readonly encode: (text: string) => Uint8Array
}

interface Tables {
  /** Bytes, packed into one number with the length on top, → character. */
  readonly toText: Map<number, string>
  /** Character → bytes, packed the same way. */
  readonly toBytes: Map<string, number>
}

// The longest sequence of each family; all others are single-byte.
const LONGEST: Readonly<Record<string, number>> = {
  gbk: 2,
  gb18030: 4,
  shift_jis: 2,
  big5: 2,
  'euc-kr': 2,
  'euc-jp': 3,
}

/** Builds the codec for an encoding that is a superset of ASCII and keeps no state. */
export function legacyCodec(decoder: TextDecoder): TextCodec {
  const longest = LONGEST[decoder.encoding] ?? 1
  let tables: Tables | undefined
  const load = (): Tables => (tables ??= buildTables(decoder, longest))
  return {
    decode: (bytes) => decodeLegacy(bytes, load(), longest),
    encode: (text) => encodeLegacy(text, load(), decoder.encoding),
  }
}

function decodeLegacy(bytes: Uint8Array, { toText }: Tables, longest: number): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    let packed = 0
    let character: string | undefined
    let length = 0
    while (character === undefined && length < longest && at + length < bytes.length) {
      packed = packed * 256 + (bytes[at + length] ?? 0)
      length++
      character = toText.get(keyOf(packed, length))
    }
    if (character === undefined) {
      text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
      at++
    } else {
      text += character
      at += length
    }
  }
  return text
}

function encodeLegacy(text: string, { toBytes }: Tables, encoding: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const unit = character.charCodeAt(0)
    if (character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff) {
      bytes.push(unit - 0xdc00)
      continue
    }
    const key = toBytes.get(character)
    if (key === undefined) {
      const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
      throw new FtpError('FTP_INVALID_ARGUMENT', `${name} has no bytes in ${encoding}`, {
        phase: 'arguments',
      })
    }
    const length = lengthOf(key)
    const packed = key % 2 ** 32
    for (let shift = length - 1; shift >= 0; shift--) bytes.push(Math.floor(packed / 256 ** shift) % 256)
  }
  return Buffer.from(bytes)
}

function keyOf(packed: number, length: number): number {
  return length * 2 ** 32 + packed
}

function lengthOf(key: number): number {
  return Math.floor(key / 2 ** 32)
}

function buildTables(decoder: TextDecoder, longest: number): Tables {
  const tables: Tables = { toText: new Map(), toBytes: new Map() }
  // ASCII is fixed by hand: ICU's shift_jis and ibm866 exchange three control characters.
  for (let byte = 0; byte < 0x80; byte++) add(tables, [byte], String.fromCharCode(byte))
  const leads: number[] = []
  for (let byte = 0x80; byte <= 0xff; byte++) {
    if (!addDecoded(tables, decoder, [byte])) leads.push(byte)
  }
  if (longest < 2) return tables
  for (const lead of inOrderOfPreference(leads, decoder.encoding)) {
    for (let trail = 0x40; trail <= 0xfe; trail++) addDecoded(tables, decoder, [lead, trail])
  }
  // JIS X 0212 follows the byte 0x8F.
  if (longest === 3) {
    for (let row = 0xa1; row <= 0xfe; row++) {
      for (let cell = 0xa1; cell <= 0xfe; cell++) addDecoded(tables, decoder, [0x8f, row, cell])
    }
  }
  if (longest === 4) addFourBytes(tables, decoder)
  return tables
}

/**
 * Some characters have two codes. The one that Windows and the WHATWG encoders write comes first and
 * keeps the character; the other code stays bytes, or it could not be told from the first on the way back.
 */
function inOrderOfPreference(leads: readonly number[], encoding: string): number[] {
  const isLate = (lead: number): boolean =>
    (encoding === 'shift_jis' && (lead === 0xed || lead === 0xee)) || (encoding === 'big5' && lead < 0xa1)
  return [...leads.filter((lead) => !isLate(lead)), ...leads.filter(isLate)]
}

// GB 18030's four-byte part of the Basic Multilingual Plane ends at 84 31 A4 39; the other planes are
// 90 30 81 30 and up, a million codes, and no file name of record uses them.
function addFourBytes(tables: Tables, decoder: TextDecoder): void {
  for (let first = 0x81; first <= 0x84; first++) {
    for (let second = 0x30; second <= 0x39; second++) {
      for (let third = 0x81; third <= 0xfe; third++) {
        for (let fourth = 0x30; fourth <= 0x39; fourth++) {
          addDecoded(tables, decoder, [first, second, third, fourth])
        }
      }
    }
  }
}

function addDecoded(tables: Tables, decoder: TextDecoder, bytes: readonly number[]): boolean {
  const text = decoder.decode(Uint8Array.from(bytes))
  const first = text.codePointAt(0) ?? 0xfffd
  // A fault, a fault before an ASCII letter, or two characters (Big5 has four such codes): left as bytes.
  if (text.includes('\ufffd') || text.length !== (first > 0xffff ? 2 : 1)) return false
  add(tables, bytes, text)
  return true
}

function add({ toText, toBytes }: Tables, bytes: readonly number[], text: string): void {
  if (toBytes.has(text)) return
  const packed = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const key = keyOf(packed, bytes.length)
  toText.set(key, text)
  toBytes.set(text, key)
}
