/** What every family of listings is turned into. */
import { Buffer } from 'node:buffer'
import { encodeText } from '../protocol/text.ts'
import type { TimePrecision } from '../protocol/time.ts'
import { readFacts, type Facts } from './facts.ts'
import { isSafeEverywhere } from './names.ts'

/** `link` is a symbolic link; `other` a device, socket or pipe, or a type that the server did not tell. */
export type EntryType = 'file' | 'dir' | 'link' | 'other'

/** One file, folder or link of a listing. What the server did not tell is `undefined`. */
export interface Entry {
  /** The name, decoded; bytes that the encoding lacks are U+DC80–U+DCFF. Never normalised. */
  readonly name: string
  /** The name's bytes as the server sent them. */
  readonly rawName: Uint8Array
  /** What it is. */
  readonly type: EntryType
  /** Bytes; `undefined` where unknown, or beyond 2^53-1 (then `sizeText` has it). */
  readonly size: number | undefined
  /** The size as written, where it is not a number of bytes that JavaScript can hold. */
  readonly sizeText: string | undefined
  /** The time of the last change. A date that no calendar has is `undefined`. */
  readonly modified: Date | undefined
  /** How much of `modified` the server gave: below it stand zeros. */
  readonly modifiedPrecision: TimePrecision | undefined
  /** False where the server's zone is unknown: `modified` then shows the server's clock as if it were UTC. */
  readonly modifiedZoneKnown: boolean
  /** Nine letters as of `ls`: `rw-r--r--`, with `sStT`. */
  readonly permissions: string | undefined
  /** The owner, a name or a number, as the server wrote it. */
  readonly owner: string | undefined
  /** The group, likewise. */
  readonly group: string | undefined
  /** Where a link points, as written. Never followed here. */
  readonly linkTarget: string | undefined
  /** The facts of an `MLSD` or `MLST` line (RFC 3659 §7), names in lower case; a record without prototype. */
  readonly facts: Facts | undefined
  /** The line, decoded, without its line end. */
  readonly raw: string
  /** Whether the name may be used as a local file name: see `isSafeName`. */
  readonly safe: boolean
}

/** An entry while it is being read. The order of the fields is fixed here, so that all have one shape. */
export class ListedEntry implements Entry {
  name: string
  type: EntryType
  size: number | undefined = undefined
  sizeText: string | undefined = undefined
  modified: Date | undefined = undefined
  modifiedPrecision: TimePrecision | undefined = undefined
  modifiedZoneKnown = false
  permissions: string | undefined = undefined
  owner: string | undefined = undefined
  group: string | undefined = undefined
  linkTarget: string | undefined = undefined
  raw: string
  safe: boolean
  readonly #encoding: string
  #factsEnd = -1
  #facts: Facts | undefined = undefined
  #isSelf = false

  constructor(name: string, type: EntryType, raw: string, encoding: string) {
    this.name = name
    this.type = type
    this.raw = raw
    this.safe = isSafeEverywhere(name)
    this.#encoding = encoding
  }

  /** Encoded when asked for: decoding loses nothing, so the name is enough to know its bytes. */
  get rawName(): Uint8Array {
    try {
      return encodeText(this.name, this.#encoding)
    } catch {
      // Only a listing that was given as text can hold what no bytes decode to.
      return Buffer.from(this.name, 'utf8')
    }
  }

  /** Read when asked for: most callers want none, and a record costs more than the rest of the line. */
  get facts(): Facts | undefined {
    if (this.#facts === undefined && this.#factsEnd >= 0) {
      this.#facts = readFacts(this.raw.slice(0, this.#factsEnd))
    }
    return this.#facts
  }

  /** Says that the line begins with facts that end before `end`. */
  setFactsEnd(end: number): void {
    this.#factsEnd = end
  }

  /** True for the folder that is listed and its parent, by name or by `type=cdir`, `type=pdir`. */
  get isSelf(): boolean {
    return this.#isSelf || this.name === '.' || this.name === '..'
  }

  /** Says that the entry is the folder that is listed, or its parent. */
  markSelf(): void {
    this.#isSelf = true
  }

  /** Sets the size from `text`, plain digits; what a number cannot hold exactly stays text. */
  setSize(text: string): void {
    const size = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(size)) this.size = size
    else this.sizeText = text
  }

  /** Sets the time from milliseconds; `NaN` leaves it unknown. */
  setModified(time: number, precision: TimePrecision, zoneKnown: boolean): void {
    if (Number.isNaN(time)) return
    this.modified = new Date(time)
    this.modifiedPrecision = precision
    this.modifiedZoneKnown = zoneKnown
  }
}
