// Any reply to PASV or EPSV gives a port that may be dialled, or an error that says so.
// Needs a build. node test/fuzz/passive.fuzz.mjs [--runs N | --seconds N] [--seed N]
import { FtpError, Reply } from '../../dist/index.js'
import { parsePassiveReply } from '../../dist/protocol/passive-reply.js'
import { pathOfReply } from '../../dist/protocol/path-reply.js'
import { fuzz } from './random.mjs'

const SHARDS =
  '( ) , | ! 0 1 7 21 127 255 256 1024 65535 65536 -1 +5 0x10 1e4 . = " "" / \\ é ٢ \0 \r \x7f x'.split(' ')
const CODES = ['FTP_BAD_PASV', 'FTP_BAD_EPSV', 'FTP_DATA_PORT_FORBIDDEN']

await fuzz('passive', 200_000, (tools, shown) => {
  shown.text = makeText(tools)
  const text = shown.text
  for (const code of [227, 229]) {
    const endpoint = attempt(() => parsePassiveReply(new Reply(code, [text])), CODES)
    if (endpoint !== undefined) checkPort(endpoint.port)
  }
  const path = attempt(() => pathOfReply(new Reply(257, [text])), ['FTP_BAD_REPLY'])
  if (path !== undefined && (path === '' || /[\0-\x1f\x7f]/.test(path)))
    throw new Error(`the path ${JSON.stringify(path)}`)
})

function makeText({ below, pick, random }) {
  if (random() < 0.3)
    return `(${Array.from({ length: 5 + below(3) }, () => below(300)).join(pick([',', ' , ', ',,']))})`
  if (random() < 0.3) return `(${pick(['|||', '!!!', '|1|', '||'])}${below(70_000)}${pick(['|', '!', ''])})`
  return Array.from({ length: below(16) }, () => pick(SHARDS)).join(pick(['', ' ', ',']))
}

function attempt(parse, codes) {
  try {
    return parse()
  } catch (error) {
    if (error instanceof FtpError && codes.includes(error.code)) return undefined
    throw error
  }
}

function checkPort(port) {
  if (!Number.isInteger(port) || port < 1024 || port > 65_535) throw new Error(`the port ${port}`)
}
