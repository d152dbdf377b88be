import { describe, expect, it } from 'vitest'
import { ListingParser, parseListing, type Entry } from '../../src/listing/index.ts'
import { bytesOf, CASES, faultsOf, optionsOf, type Case } from './corpus.ts'

/** Entries as plain objects, getters included, so that two can be compared. */
function plain(entries: readonly Entry[]): unknown[] {
  return entries.map((entry) => ({
    ...entry,
    rawName: entry.rawName,
    facts: { ...entry.facts },
    // A whole listing tells the target of a link that a stream does not wait for.
    linkTarget: entry.facts?.['unique'] === undefined ? entry.linkTarget : 'not compared',
  }))
}

function stream(testCase: Case, pieces: Iterable<Uint8Array>): { entries: Entry[]; unparsed: string[] } {
  const unparsed: string[] = []
  const parser = new ListingParser({ ...optionsOf(testCase), onUnparsedLine: (line) => unparsed.push(line) })
  const entries: Entry[] = []
  for (const piece of pieces) entries.push(...parser.push(piece))
  entries.push(...parser.end())
  expect(parser.unparsedLines).toBe(unparsed.length)
  return { entries, unparsed }
}

describe('strict cases', () => {
  it.each(CASES.filter(({ strict }) => strict))('$id ($family)', (testCase) => {
    const { entries } = parseListing(bytesOf(testCase), optionsOf(testCase))
    expect(faultsOf(testCase, entries)).toEqual([])
  })
})

describe('the other cases', () => {
  it('score 97 in 100 at least, and the score of each family is printed', () => {
    const scores = new Map<string, { right: number; all: number; wrong: string[] }>()
    for (const testCase of CASES.filter(({ strict }) => !strict)) {
      const score = scores.get(testCase.family) ?? { right: 0, all: 0, wrong: [] }
      scores.set(testCase.family, score)
      const { entries } = parseListing(bytesOf(testCase), optionsOf(testCase))
      const faults = faultsOf(testCase, entries)
      score.all++
      if (faults.length === 0) score.right++
      else score.wrong.push(`${testCase.id}: ${faults.join('; ')}`)
    }
    let right = 0
    let all = 0
    for (const [family, score] of scores) {
      right += score.right
      all += score.all
      console.log([`${family} ${score.right}/${score.all}`, ...score.wrong].join('\n  '))
    }
    console.log(`all ${right}/${all}`)
    expect(right / all).toBeGreaterThanOrEqual(0.97)
  })
})

describe('however the bytes come', () => {
  it('whole, byte by byte, and as text, every case gives the same', () => {
    for (const testCase of CASES) {
      const bytes = bytesOf(testCase)
      const whole = parseListing(bytes, optionsOf(testCase))
      const single = stream(
        testCase,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      )
      expect({ id: testCase.id, entries: plain(single.entries), unparsed: single.unparsed }).toEqual({
        id: testCase.id,
        entries: plain(whole.entries),
        unparsed: whole.unparsed,
      })
      if (testCase.inputBase64 !== undefined) continue
      const text = parseListing(testCase.input, optionsOf(testCase))
      expect(plain(text.entries)).toEqual(plain(whole.entries))
    }
  })

  it('cut in two at every place, and with CR LF for LF', () => {
    for (const testCase of CASES.filter((_, index) => index % 6 === 0)) {
      const bytes = bytesOf(testCase)
      const whole = plain(parseListing(bytes, optionsOf(testCase)).entries)
      for (let cut = 1; cut < Math.min(bytes.length, 400); cut++) {
        const { entries } = stream(testCase, [bytes.subarray(0, cut), bytes.subarray(cut)])
        expect(plain(entries)).toEqual(whole)
      }
      const crlf = Buffer.from(bytes.toString('latin1').replaceAll(/\r*\n/g, '\r\n'), 'latin1')
      expect(plain(parseListing(crlf, optionsOf(testCase)).entries)).toEqual(whole)
    }
  })
})

describe('the readers of plain lines', () => {
  it('say what the thorough ones say', () => {
    const lines = CASES.filter(({ inputBase64 }) => inputBase64 === undefined).flatMap(({ input }) =>
      input.split('\n'),
    )
    for (const format of ['unix', 'mlsd'] as const) {
      for (const line of lines) {
        const options = { now: new Date('2024-12-15T12:00:00Z'), format, all: true }
        // The second time the family is known for certain. What is not ASCII keeps those readers away.
        const plainly = parseListing(Buffer.from(`x\n${line}\n${line}`), options)
        const thoroughly = parseListing(`x\n${line}\n${line}\né é é`, options)
        expect(plain(plainly.entries)).toEqual(plain(thoroughly.entries))
      }
    }
  })
})

describe('no line spoils another', () => {
  // One good line of each family, and lines that are none.
  const good = CASES.filter(({ strict, expected, input, inputBase64 }) => {
    return strict && expected.length === 1 && !input.includes('\n') && inputBase64 === undefined
  })
  const odd = ['garbage', ' evil', '12-05-96  05:03PM <DIR> evil', 'drwx', '; x', 'a b c d e f g h', '\t']

  it('a good line is read the same before and after any odd one', () => {
    for (const testCase of good) {
      const alone = plain(parseListing(testCase.input, optionsOf(testCase)).entries)
      for (const line of odd) {
        for (const input of [`${testCase.input}\n${line}`, `${line}\n${testCase.input}`]) {
          const { entries } = parseListing(input, optionsOf(testCase))
          expect(plain(entries)).toEqual(expect.arrayContaining(alone))
        }
      }
    }
  })

  it('good lines of any two families are read side by side', () => {
    const some = good.filter((_, index) => index % 5 === 0)
    for (const first of some) {
      for (const second of some) {
        const now = new Date('2024-12-15T12:00:00Z')
        const expected = [first, second].flatMap(({ input }) => plain(parseListing(input, { now }).entries))
        expect(plain(parseListing(`${first.input}\n${second.input}`, { now }).entries)).toEqual(expected)
      }
    }
  })
})
