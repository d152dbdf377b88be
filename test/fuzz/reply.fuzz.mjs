// Any bytes give the same replies at every cut, or an error that the parser knows, in bounded memory.
// Needs a build. node test/fuzz/reply.fuzz.mjs [--runs N | --seconds N] [--seed N]
import { FtpError, ReplyParser } from '../../dist/index.js'
import { fuzz } from './random.mjs'

const SHARDS =
  '220 |220-|331 |230-|226|227 Entering (1,2,3,4,5,6)|\r\n|\n|\r|\r\r\n|  220 x|2200|000 |600 |x|é|\0|\xff\xfb\x01|\xff\xff|\x1b[2J|1|"|'.split(
    '|',
  )
const LIMITS = { replyLineBytes: 64, replyBytes: 200, replyLines: 8 }
const CODES = ['FTP_BAD_REPLY', 'FTP_REPLY_TOO_LARGE']

await fuzz('reply', 100_000, (tools, shown) => {
  shown.sent = makeText(tools)
  const bytes = Buffer.from(shown.sent, 'latin1')
  const whole = parse([bytes])
  const single = parse([...bytes].map((byte) => Buffer.of(byte)))
  const pieces = parse(cut(bytes, tools))
  for (const other of [single, pieces]) {
    if (other.end !== whole.end) throw new Error(`another end: ${whole.end}, ${other.end}`)
    // Replies that came in one chunk with an error are lost with it.
    const same = whole.end === 'ok' ? other.replies.join('\n') === whole.replies.join('\n') : true
    if (!same) throw new Error('another reply at another cut')
  }
})

function makeText({ below, pick, random }) {
  let text = ''
  for (let count = below(20); count > 0; count--)
    text += random() < 0.9 ? pick(SHARDS) : String.fromCharCode(below(256)).repeat(1 + below(80))
  return text
}

function cut(bytes, { below }) {
  const pieces = []
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + below(12)
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  return pieces
}

function parse(pieces) {
  const parser = new ReplyParser(LIMITS)
  const replies = []
  try {
    for (const piece of pieces) for (const reply of parser.push(piece)) replies.push(shown(reply))
    return { replies, end: 'ok' }
  } catch (error) {
    if (!(error instanceof FtpError) || !CODES.includes(error.code)) throw error
    checkPrintable(error.message)
    return { replies, end: error.code }
  }
}

function shown(reply) {
  if (!(reply.code >= 100 && reply.code < 600)) throw new Error(`the code ${reply.code}`)
  checkPrintable(reply.toString())
  return JSON.stringify([reply.code, reply.kind, reply.lines])
}

function checkPrintable(text) {
  if (/(?!\n)\p{Cc}/u.test(text)) throw new Error(`a control character is shown: ${JSON.stringify(text)}`)
}
