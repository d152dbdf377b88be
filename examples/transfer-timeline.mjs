// Fetches files and draws where the time went, from what ftpwire publishes on node:diagnostics_channel.
//
//   node examples/transfer-timeline.mjs ftp://ftp.example.com/pub/hello.txt ftp://ftp.example.com/pub/image.bin
//
// A bar begins when a command is sent and ends with its reply; = is data on the way. Bars that lie above each
// other are commands that were sent together.
import diagnostics from 'node:diagnostics_channel'
import { FtpClient, FtpError } from 'ftpwire'

const urls = process.argv.slice(2)
if (urls.length === 0) {
  console.error('Usage: node transfer-timeline.mjs URL...')
  process.exit(2)
}

const begun = performance.now()
const now = () => performance.now() - begun

const rows = [{ label: '(greeting)', from: 0 }]
// Replies come in the order of the commands. The greeting answers none, so it stands for one here.
const unanswered = [rows[0]]
const transfers = new Map()

// { endpoint: 'host:port', command: 'CWD pub' }; secrets are ***
diagnostics.subscribe('ftpwire:command', ({ command }) => {
  const row = { label: command, from: now() }
  rows.push(row)
  unanswered.push(row)
})

// { endpoint, reply: { code, text, … } }
diagnostics.subscribe('ftpwire:reply', ({ reply }) => {
  // 1xx: the data begin, and a second reply will tell their end.
  if (reply.code < 200) return
  const row = unanswered.shift()
  if (row !== undefined) Object.assign(row, { to: now(), note: String(reply.code) })
})

// { endpoint, command, id, event: 'start' | 'end' | 'error', bytes, durationMs, error }
diagnostics.subscribe('ftpwire:transfer', ({ id, event, command, bytes, error }) => {
  if (event === 'start') {
    const row = { label: `data of ${command.split(' ')[0]}`, from: now(), mark: '=' }
    transfers.set(id, row)
    rows.push(row)
  } else Object.assign(transfers.get(id), { to: now(), note: error?.code ?? `${bytes} bytes` })
})

// One session, so that the replies of one connection are not taken for those of another.
const client = new FtpClient({ maxSessions: 1, password: process.env.FTP_PASSWORD })
try {
  for (const url of urls) for await (const _ of client.get(url));
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
} finally {
  await client.close()
}
draw(now())

function draw(end) {
  const WIDTH = 40
  const column = (time) => Math.min(WIDTH - 1, Math.floor((time / end) * WIDTH))
  console.log(`${' '.repeat(20)} 0 ms${`${end.toFixed(1)} ms`.padStart(WIDTH - 4)}`)
  for (const { label, from, to = end, mark = '#', note = 'no reply' } of rows) {
    const bar = ' '.repeat(column(from)) + mark.repeat(column(to) - column(from) + 1)
    console.log(`${label.slice(0, 20).padEnd(20)} ${bar.padEnd(WIDTH)} ${(to - from).toFixed(1)} ms ${note}`)
  }
}
