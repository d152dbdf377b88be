// Fetches several ftp URLs over real sockets and compares what comes with the files on disk.
//
//   npm run demo            starts ftp-srv in this process, on fixtures/site
//   npm run demo -- URL     fetches that URL instead
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { FtpClient, FtpError, parseFtpUrl, plan, redactUrl } from 'ftpwire'
import { startFtpSrv } from '../test/support/ftp-srv-server.mjs'

const WIDTH = 80
const SITE = new URL('../fixtures/site/', import.meta.url)

/** What the demo fetches: a URL's path and what it shows; `file` or `folder` is what it has to match. */
const SHOWN = [
  { title: 'A file: one CWD for each folder', path: '/pub/hello.txt', file: 'pub/hello.txt' },
  {
    title: 'From the root, as text, with a password',
    user: 'tester:secret',
    path: '/%2Fetc/motd;type=a',
    file: 'etc/motd',
  },
  { title: 'An empty segment is a CWD with a null argument', path: '//etc/motd', file: 'etc/motd' },
  { title: 'A folder', path: '/pub/', folder: 'pub' },
  { title: 'Spaces, and any other character', path: '/pub/a%20b/c%20d.txt', file: 'pub/a b/c d.txt' },
  { title: 'A binary file', path: '/pub/image.bin', file: 'pub/image.bin' },
]

/** Prints a line behind its label, cut at the width of the page. */
function say(label, text) {
  const line = `  ${label.padEnd(10)}${text}`
  console.log(line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line)
}

/** Prints `items` behind their label, as many to a line as fit. */
function sayAll(label, items) {
  let line = ''
  for (const item of items) {
    if (line !== '' && line.length + item.length > WIDTH - 16) {
      say(label, `${line},`)
      label = ''
      line = ''
    }
    line += line === '' ? item : `, ${item}`
  }
  say(label, line)
}

/** Shows what a URL stands for, fetches it, shows the dialogue, and gives back what came. */
async function show(url) {
  say('url', redactUrl(url))
  sayAll('plan', plan(url))
  let label = 'dialogue'
  const tell = (arrow, text) => {
    for (const line of text.split('\n')) {
      say(label, `${arrow} ${line}`)
      label = ''
    }
  }
  const client = new FtpClient({
    onCommand: (command) => tell('>', command),
    onReply: (reply) => tell('<', String(reply)),
  })
  let came
  try {
    came = await fetchWith(client, url)
  } finally {
    await client.close()
  }
  if (came.names !== undefined) sayAll('names', came.names)
  else say('sha256', came.sha256)
  return came
}

async function fetchWith(client, url) {
  const { name, type } = parseFtpUrl(url)
  if (name === '' || type?.kind === 'directory') return { names: await client.list(url) }
  const hash = createHash('sha256')
  for await (const chunk of client.get(url)) hash.update(chunk)
  return { sha256: hash.digest('hex') }
}

/** True where what came is what stands on the disk. */
async function matches({ names, sha256 }, { file, folder }) {
  if (folder !== undefined) {
    const wanted = await readdir(new URL(`${folder}/`, SITE))
    return names.toSorted().join('\n') === wanted.toSorted().join('\n')
  }
  const wanted = await readFile(new URL(encodeURI(file), SITE))
  return sha256 === createHash('sha256').update(wanted).digest('hex')
}

async function demo() {
  const root = fileURLToPath(SITE)
  const server = await startFtpSrv({
    root,
    user: 'tester',
    password: 'secret',
    anonymous: true,
    greeting: 'ftp-srv',
  })
  let failures = 0
  try {
    console.log(`ftp-srv serves fixtures/site on ${server.url('')}`)
    for (const [index, wanted] of SHOWN.entries()) {
      console.log(`\n${index + 1}. ${wanted.title}`)
      const same = await matches(await show(server.url(wanted.path, wanted.user)), wanted)
      const where = `fixtures/site/${wanted.file ?? `${wanted.folder}/`}`
      say('result', `${same ? 'matches' : 'DIFFERS FROM'} ${where}`)
      if (!same) failures++
    }
  } finally {
    await server.close()
  }
  console.log(`\n${SHOWN.length - failures} of ${SHOWN.length} match`)
  if (failures > 0) process.exitCode = 1
}

const [url] = process.argv.slice(2)
try {
  await (url === undefined ? demo() : show(url))
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
