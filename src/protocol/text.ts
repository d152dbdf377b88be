/**
 * Names between bytes and text. Every sequence of bytes survives the way to text and back: a byte that
 * the encoding has no character for becomes the lone surrogate U+DC80–U+DCFF (the byte plus U+DC00), so
 * the two names `f\x80` and `f\x81` stay two names, and `RETR` sends the bytes that the listing gave.
 */
import { Buffer, isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { FtpError } from '../errors.ts'
import { legacyCodec, type TextCodec } from './legacy-encoding.ts'

// With the `u` flag this matches lone surrogates only, never half of a pair.
const LONE_SURROGATE = /\p{Surrogate}/u

const utf8: TextCodec = { decode: decodeUtf8, encode: encodeUtf8 }
const codecs = new Map<string, TextCodec>([
  ['utf-8', utf8],
  ['utf8', utf8],
])

/**
 * Decodes bytes as UTF-8, or by any label that `TextDecoder` knows. Bytes that cannot be decoded become
 * U+DC80–U+DCFF. A byte order mark is kept: it may belong to a name.
 *
 * @throws FtpError `FTP_INVALID_OPTION` for a label that is unknown or that names no superset of ASCII.
 */
export function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  const codec = codecOf(encoding)
  return isAscii(bytes) ? asBuffer(bytes).toString('latin1') : codec.decode(bytes)
}

/**
 * The inverse of {@link decodeText}: U+DC80–U+DCFF become their byte again.
 *
 * @throws FtpError `FTP_INVALID_ARGUMENT` for any other lone surrogate, and for a character that the
 *   encoding lacks; never a replacement, never a truncated code (U+010A must not turn into a line feed).
 */
export function encodeText(text: string, encoding = 'utf-8'): Uint8Array {
  return codecOf(encoding).encode(text)
}

/**
 * Refuses an encoding that cannot carry FTP.
 *
 * @throws FtpError `FTP_INVALID_OPTION`
 */
export function checkEncoding(encoding: string): void {
  codecOf(encoding)
}

function codecOf(encoding: string): TextCodec {
  const known = codecs.get(encoding)
  if (known !== undefined) return known
  const codec = createCodec(encoding)
  codecs.set(encoding, codec)
  return codec
}

function createCodec(label: string): TextCodec {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label, { ignoreBOM: true })
  } catch (cause) {
    throw new FtpError('FTP_INVALID_OPTION', `Unknown encoding: ${JSON.stringify(label)}`, {
      phase: 'arguments',
      cause,
    })
  }
  if (decoder.encoding === 'utf-8') return utf8
  // Lines are framed before they are decoded, and commands are written as bytes: both need an encoding
  // in which the bytes of CR, LF, space and slash mean nothing else, without states.
  if (/^(?:utf-16|iso-2022|replacement)/.test(decoder.encoding)) {
    throw new FtpError(
      'FTP_INVALID_OPTION',
      `${decoder.encoding} is not a superset of ASCII: FTP cannot use it`,
      {
        phase: 'arguments',
      },
    )
  }
  return legacyCodec(decoder)
}

function decodeUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes)
  const text = buffer.toString('utf8')
  // U+FFFD stands for a fault, or for itself: only then is each byte looked at.
  return text.includes('\ufffd') ? decodeFaultyUtf8(buffer) : text
}

function decodeFaultyUtf8(buffer: Buffer): string {
  let text = ''
  let start = 0
  let at = 0
  while (at < buffer.length) {
    const length = sequenceLength(buffer, at)
    if (length > 0) {
      at += length
      continue
    }
    text += buffer.toString('utf8', start, at) + String.fromCharCode(0xdc00 + (buffer[at] ?? 0))
    at++
    start = at
  }
  return text + buffer.toString('utf8', start, at)
}

/** Bytes of the well-formed sequence at `at` (Unicode, table 3-7), or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const second = bytes[at + 1] ?? 0
  if (lead >= 0xc2 && lead <= 0xdf) return isTail(second) ? 2 : 0
  if (!isTail(bytes[at + 2] ?? 0)) return 0
  if (lead >= 0xe0 && lead <= 0xef) {
    const low = lead === 0xe0 ? 0xa0 : 0x80
    const high = lead === 0xed ? 0x9f : 0xbf
    return second >= low && second <= high ? 3 : 0
  }
  if (lead < 0xf0 || lead > 0xf4 || !isTail(bytes[at + 3] ?? 0)) return 0
  const low = lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xf4 ? 0x8f : 0xbf
  return second >= low && second <= high ? 4 : 0
}

function isTail(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf
}

function encodeUtf8(text: string): Uint8Array {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xd800 || unit > 0xdfff) continue
    if (unit < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      at++
      continue
    }
    if (unit < 0xdc80 || unit > 0xdcff) {
      throw new FtpError('FTP_INVALID_ARGUMENT', 'The text holds a lone surrogate', { phase: 'arguments' })
    }
    parts.push(Buffer.from(text.slice(start, at), 'utf8'), Buffer.of(unit - 0xdc00))
    start = at + 1
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'))
  return Buffer.concat(parts)
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
