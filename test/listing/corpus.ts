/** The corpus of listings, each case with its source named, and how an answer to one is judged. */
import { readFileSync } from 'node:fs'
import type { Entry, ListingOptions } from '../../src/listing/index.ts'

/** What a case says of an entry: a key that is missing is not judged, `null` means unknown. */
export interface ExpectedEntry {
  readonly name: string
  readonly type?: string | null
  readonly size?: number | null
  readonly modified?: string | null
  readonly linkTarget?: string | null
  readonly permissions?: string | null
  readonly owner?: string | null
  readonly group?: string | null
  readonly altNames?: readonly string[]
  readonly modifiedAlt?: readonly (string | null)[]
  readonly self?: string
}

/** One listing and what is in it. */
export interface Case {
  readonly id: string
  readonly source: string
  readonly family: string
  readonly now: string | null
  readonly input: string
  readonly inputBase64?: string
  readonly encoding?: string
  readonly serverHint?: string
  readonly expected: readonly ExpectedEntry[]
  readonly optional?: readonly ExpectedEntry[]
  readonly strict: boolean
  readonly reject?: boolean
}

const text = readFileSync(new URL('../../fixtures/listings/cases.jsonl', import.meta.url), 'utf8')

/** Every case. */
export const CASES = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case)

/** The options that a case sets. Only MLSD is told, as its command tells it; other families must be found. */
export function optionsOf({ now, encoding, family }: Case): ListingOptions {
  const format = family === 'mlsd' ? 'mlsd' : 'auto'
  return { now: now === null ? undefined : new Date(`${now}Z`), encoding, format }
}

/** The bytes of a case. */
export function bytesOf({ input, inputBase64 }: Case): Buffer {
  return inputBase64 === undefined ? Buffer.from(input, 'utf8') : Buffer.from(inputBase64, 'base64')
}

/** What is wrong with an answer to a case; empty where nothing is. */
export function faultsOf(testCase: Case, entries: readonly Entry[]): string[] {
  const expected = testCase.expected.filter(
    ({ name, self }) => self === undefined && name !== '.' && name !== '..',
  )
  const optional = (testCase.optional ?? []).map(({ name }) => name)
  const found = entries.filter((entry) => !optional.includes(entry.name) || isExpected(entry.name, expected))
  // A malformed line may still give its name, with the broken fact unknown.
  if (testCase.reject === true && !testCase.strict) {
    return found.filter(isComplete).map((entry) => `too much of ${entry.raw}`)
  }
  if (found.length !== expected.length) return [`${found.length} entries, not ${expected.length}`]
  return expected.flatMap((want, index) => faultsOfEntry(want, found[index]))
}

function isComplete({ modified, size }: Entry): boolean {
  return modified !== undefined && size !== undefined
}

function isExpected(name: string, expected: readonly ExpectedEntry[]): boolean {
  return expected.some((entry) => entry.name === name)
}

function faultsOfEntry(want: ExpectedEntry, entry: Entry | undefined): string[] {
  if (entry === undefined) return ['missing']
  const faults: string[] = []
  if (entry.name !== want.name && !(want.altNames ?? []).includes(entry.name))
    faults.push(`name ${entry.name}`)
  for (const key of ['type', 'size', 'linkTarget', 'permissions', 'owner', 'group'] as const) {
    const value = want[key]
    if (value !== undefined && (entry[key] ?? null) !== value)
      faults.push(`${key} ${String(entry[key])}, not ${value}`)
  }
  if (want.modified !== undefined) {
    const alternatives = [want.modified, ...(want.modifiedAlt ?? [])]
    if (!alternatives.some((time) => isTime(entry, time))) {
      faults.push(`modified ${String(entry.modified?.toISOString())}, not ${want.modified}`)
    }
  }
  return faults
}

const PRECISIONS = { 10: 'day', 16: 'minute', 19: 'second', 23: 'millisecond' } as Readonly<
  Record<number, string>
>

function isTime(entry: Entry, want: string | null): boolean {
  if (want === null || entry.modified === undefined) return want === null && entry.modified === undefined
  const digits = want.replace(/Z$/, '')
  // `--09-10T22:59`: the year is open.
  if (digits.startsWith('--'))
    return entry.modified
      .toISOString()
      .slice(4)
      .startsWith(`-${digits.slice(2)}`)
  return (
    entry.modified.toISOString().startsWith(digits) &&
    entry.modifiedPrecision === PRECISIONS[digits.length] &&
    entry.modifiedZoneKnown === want.endsWith('Z')
  )
}
