// Any text must give a target that comes back from its own URL, or one of two errors that hold no password.
// Needs a build. node test/fuzz/url.fuzz.mjs [--runs N | --seconds N] [--seed N]
import { parseArgs } from 'node:util'
import { commandsOf, formatFtpUrl, FtpError, parseFtpUrl, planFor, redactUrl } from '../../dist/index.js'

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const runs =
  values.runs === undefined ? (values.seconds === undefined ? 100_000 : Infinity) : Number(values.runs)
const deadline = values.seconds === undefined ? Infinity : performance.now() + Number(values.seconds) * 1000

const CANARY = 'Zq9canary'
const SHARDS = [
  'ftp:// ftps:// FTP: // / : @ # ? % ; ;type= ;TYPE=a l8 d %2F %0d %00 %ff %C3%A9 %zz %25 .. . \\ ~ -R u u:@'.split(
    ' ',
  ),
  'h example.com [::1] [fe80::1%25eth0] 0x7f.1 b\u00fccher :21 :0 :25 :99999 a*b \u00e9 \u{1f600} \u202e'.split(
    ' ',
  ),
  ['', ' ', '\n', '\t', '\0', '\u0085', '\ud800', '\udcff', `u:${CANARY}@`, `:${CANARY}@`],
].flat()

// mulberry32: the same seed gives the same run.
let state = seed
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const below = (limit) => Math.floor(random() * limit)

function makeText() {
  let text = ['', 'ftp://', 'ftps://', 'ftp://h/', `ftp://u:${CANARY}@h/`][below(5)]
  for (let count = below(12); count > 0; count--) {
    text += random() < 0.9 ? SHARDS[below(SHARDS.length)] : String.fromCharCode(below(0x10000))
  }
  return text
}

function check(text) {
  let target
  try {
    target = parseFtpUrl(text)
  } catch (error) {
    if (!(error instanceof FtpError)) throw error
    if (error.code !== 'FTP_INVALID_URL' && error.code !== 'FTP_PORT_FORBIDDEN') throw error
    if (text.includes(`:${CANARY}@`) && error.message.includes(`:${CANARY}`))
      throw new Error('password shown', { cause: error })
    return
  }
  const url = formatFtpUrl(target)
  if (JSON.stringify(parseFtpUrl(url)) !== JSON.stringify(target)) throw new Error(`another target: ${url}`)
  if (target.password?.includes(CANARY) && redactUrl(url).includes(`:${CANARY}`))
    throw new Error('not redacted')
  for (const emptySegment of ['null', 'root', 'skip']) {
    const plan = planFor(target, { emptySegment, inferType: true })
    if (commandsOf(plan).some((command) => /\p{Cc}/u.test(command))) {
      throw new Error('a control character in a command')
    }
  }
}

let done = 0
for (; done < runs && performance.now() < deadline; done++) {
  const text = makeText()
  try {
    check(text)
  } catch (error) {
    console.error(`run ${done} of seed ${seed}: ${JSON.stringify(text)}`)
    console.error(error)
    process.exit(1)
  }
}
console.log(`url: ${done} runs, seed ${seed}`)
