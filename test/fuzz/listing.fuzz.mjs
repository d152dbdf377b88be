/**
 * Feeds random and mutated listings to the parsers of the build in `dist/`:
 *
 *   node test/fuzz/listing.fuzz.mjs [--runs 100000] [--seconds 60] [--seed 1]
 *
 * Each line must give an entry, an unparsed line or nothing (a header, a blank), never an exception; a stream
 * cut anywhere must give what the whole gives; and a line twice as long must not take much more than twice
 * the time.
 */
import { isAscii } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sample, string, uint8Array } from 'fast-check'
import { ListingParser, parseListing } from '../../dist/listing/index.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const runs = values.runs === undefined ? Number.POSITIVE_INFINITY : Number(values.runs)
const deadline = Date.now() + (values.runs === undefined ? Number(values.seconds) * 1000 : 3.6e6)

// mulberry32: small, and the same on every Node.
let state = Number(values.seed)
function random(below) {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below
}

const cases = readFileSync(new URL('../../fixtures/listings/cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line).input)
const lines = cases.flatMap((input) => input.split('\n'))
const strange = [
  ...sample(string({ unit: 'binary', maxLength: 60 }), { numRuns: 300, seed: Number(values.seed) }),
  ...sample(uint8Array({ maxLength: 60 }), { numRuns: 300, seed: Number(values.seed) }).map((bytes) =>
    Buffer.from(bytes).toString('latin1'),
  ),
]
const PIECES = [
  '\r',
  '\0',
  ' ',
  '\t',
  '-',
  '=',
  ';',
  '; ',
  ' -> ',
  ':',
  '/',
  '[',
  ']',
  '<DIR>',
  '99999999999999999999',
  '__proto__=1;',
  '\ud800',
  '\udc80',
  'é',
  '8月',
  'Feb 29',
  'May',
]
const FORMATS = [
  'auto',
  'mlsd',
  'unix',
  'dos',
  'eplf',
  'vms',
  'os400',
  'mvs',
  'zvm',
  'netware',
  'nonstop',
  'vxworks',
]
const ENCODINGS = ['utf-8', 'utf-8', 'utf-8', 'latin1', 'shift_jis', 'gbk']

function mutated() {
  let line = random(20) === 0 ? strange[random(strange.length)] : lines[random(lines.length)]
  for (let count = random(4); count > 0; count--) {
    const at = random(line.length + 1)
    const to = at + random(8)
    switch (random(6)) {
      case 0:
        line = line.slice(0, at) + line.slice(to)
        break
      case 1:
        line = line.slice(0, at) + PIECES[random(PIECES.length)] + line.slice(at)
        break
      case 2:
        line =
          line.slice(0, at) +
          String.fromCharCode(random(2) === 0 ? random(128) : random(65_536)) +
          line.slice(at + 1)
        break
      case 3:
        line = line.slice(0, to) + line.slice(at)
        break
      case 4: {
        const other = lines[random(lines.length)]
        line = line.slice(0, at) + other.slice(random(other.length + 1))
        break
      }
      default:
        line = line.slice(0, at) + line.slice(at, to).repeat(random(30)) + line.slice(to)
    }
  }
  return line.replaceAll('\n', ' ')
}

function describe(entry) {
  const { name, type, size, sizeText, modified, permissions, owner, group, raw, safe } = entry
  const fields = {
    name,
    type,
    size,
    sizeText,
    permissions,
    owner,
    group,
    raw,
    safe,
    facts: { ...entry.facts },
  }
  return JSON.stringify({
    ...fields,
    modified: modified?.toISOString(),
    rawName: Buffer.from(entry.rawName).toString('hex'),
  })
}

function check(input, options) {
  const whole = parseListing(input, options)
  const count = input.toString('latin1').split('\n').length
  if (whole.entries.length + whole.unparsed.length > count)
    throw new Error('more entries and lines than lines')
  for (const entry of whole.entries) {
    if (!['file', 'dir', 'link', 'other'].includes(entry.type)) throw new Error(`type ${entry.type}`)
    if (entry.size !== undefined && !(Number.isSafeInteger(entry.size) && entry.size >= 0))
      throw new Error('size')
    if (entry.modified !== undefined) {
      const time = entry.modified.getTime()
      if (Number.isNaN(time)) throw new Error('modified is no time')
      if (entry.modifiedPrecision === undefined) throw new Error('no precision')
    }
    if (entry.safe && /^\.{0,2}$|[/\\\0-\x1f]/.test(entry.name)) throw new Error('not safe')
  }
  // A last line that is not ASCII keeps the readers of plain lines away: the thorough ones must agree.
  if (isAscii(input)) {
    const thorough = parseListing(`${input.toString('latin1')}\n\u00e9 \u00e9 \u00e9`, options)
    if (thorough.entries.map(describe).join() !== whole.entries.map(describe).join()) {
      throw new Error('the plain and the thorough readers disagree')
    }
  }
  const parser = new ListingParser(options)
  const streamed = []
  for (let start = 0; start < input.length;) {
    const end = start + 1 + random(50)
    streamed.push(...parser.push(input.subarray(start, end)))
    start = end
  }
  streamed.push(...parser.end())
  if (parser.unparsedLines !== whole.unparsed.length) throw new Error('a stream leaves other lines unparsed')
  for (let index = 0; index < Math.max(streamed.length, whole.entries.length); index++) {
    if (describe(streamed[index]) !== describe(whole.entries[index]))
      throw new Error('a stream gives other entries')
  }
}

let done = 0
let read = 0
while (done < runs && Date.now() < deadline) {
  const some = Array.from({ length: 1 + random(8) }, mutated)
  const input = Buffer.from(some.join(random(3) === 0 ? '\r\n' : '\n'), random(8) === 0 ? 'latin1' : 'utf8')
  const options = {
    now: random(4) === 0 ? undefined : Date.UTC(1990 + random(40), random(12), 1 + random(28)),
    format: FORMATS[random(FORMATS.length)],
    encoding: ENCODINGS[random(ENCODINGS.length)],
    serverTimeZone: random(3) === 0 ? random(1680) - 840 : undefined,
    all: random(2) === 0,
  }
  try {
    check(input, options)
  } catch (error) {
    console.error(
      `seed ${values.seed}, run ${done}: ${JSON.stringify(options)}\n${JSON.stringify(input.toString('latin1'))}`,
    )
    throw error
  }
  done++
  read += some.length
}
console.log(`${done} listings, ${read} lines, seed ${values.seed}: no fault`)

/** Nanoseconds for one line, the best of several. */
function timeOf(line, format) {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    const start = performance.now()
    parseListing(line, { format, lineBytes: Number.POSITIVE_INFINITY })
    best = Math.min(best, (performance.now() - start) * 1e6)
  }
  return best
}

const REPEATED = [
  'a',
  '1',
  '1 ',
  'a ',
  ' ',
  '\t',
  '-',
  'a=',
  'a;',
  '; ',
  'drwx',
  '1,',
  '.',
  '/',
  '[',
  '<',
  '1:1',
  '*',
  ';1 ',
  '%',
  '8月',
  'é',
]
const BEFORE = [
  '',
  '12',
  '-rw-r--r-- 1 ',
  '-rw-r--r-- 1 u g 1 Mar  2 2001 ',
  'type=',
  'd [',
  '+',
  'A;1 ',
  '01-01-01  01:01AM ',
  'A ',
  'A 1 ',
  'total ',
  'Volume Unit ',
  '1 ',
  'SYSPP1 3390   2000/01/14  ',
]
function ratioOf(half, full) {
  const nanoseconds = timeOf(full, 'auto')
  // Below a fifth of a millisecond the clock measures itself.
  return nanoseconds < 200_000 ? 1 : nanoseconds / timeOf(half, 'auto')
}

let slowest = { ratio: 0 }
for (const before of BEFORE) {
  for (const repeated of REPEATED) {
    for (const after of ['', '!']) {
      const half = before + repeated.repeat(Math.ceil(50_000 / repeated.length)) + after
      const full = before + repeated.repeat(Math.ceil(100_000 / repeated.length)) + after
      let ratio = ratioOf(half, full)
      // The machine may have been busy with something else: a fault shows every time.
      for (let again = 0; ratio > 3 && again < 4; again++) ratio = Math.min(ratio, ratioOf(half, full))
      if (ratio > slowest.ratio) slowest = { ratio, before, repeated, after }
      if (ratio > 3) {
        console.error(`not linear, ${ratio.toFixed(1)} times: ${JSON.stringify({ before, repeated, after })}`)
        process.exitCode = 1
      }
    }
  }
}
console.log(`time for a doubled line: at most ${slowest.ratio.toFixed(1)} times (${JSON.stringify(slowest)})`)
