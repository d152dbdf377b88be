/** A folder of small files, over one session and over eight, near and far. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDelayLink } from '../../test/support/delay-link.mjs'
import { isInstalled, runClient, runTool } from '../harness/child.mjs'
import { urlOf } from './transfers.mjs'

const FOLDER = 'many'
const BYTES = 1024
const FAR_MS = 40
const NEAR_COUNT = 1000
/** curl sleeps about 60 ms a file of its own accord, so a tenth of the files tells its time. */
const CURL_PART = 0.1
const FAR_COUNT = 200
const MEASURE = { label: 's', of: ({ wallMs }) => wallMs / 1000, digits: 2 }

export const manyFiles = {
  name: 'many-files',
  title: `${NEAR_COUNT} files of 1 KiB from one folder`,
  async run(context) {
    const names = context.workspace.many(FOLDER, NEAR_COUNT, BYTES)
    const server = await context.server('plain')
    const contestants = contestantsFor(context, names, () => server)
    const samples = await context.alternate(contestants, 3)
    return context.table(samples, MEASURE, 'ftpwire, 1 session', faster(samples, 1))
  },
}

export const manyFilesFar = {
  name: 'many-files-far',
  title: `${FAR_COUNT} files of 1 KiB from one folder, ${FAR_MS} ms round-trip time`,
  async run(context) {
    const folder = `${FOLDER}-far`
    const names = context.workspace.many(folder, FAR_COUNT, BYTES)
    const server = await context.server('plain')
    const links = []
    const contestants = contestantsFor(
      context,
      names,
      (number) => ({ ...server, host: links[number].host }),
      folder,
    )
    for (let number = 0; number < contestants.size; number++)
      links.push(
        await startDelayLink({ port: server.port, roundTripMs: FAR_MS, linkHost: `127.0.0.${number + 2}` }),
      )
    try {
      // All at once: they wait for the link, not for the processor.
      const samples = new Map(
        await Promise.all([...contestants].map(async ([name, run]) => [name, [await run()]])),
      )
      return context.table(samples, MEASURE, 'ftpwire, 1 session', faster(samples, 0.5))
    } finally {
      await Promise.all(links.map((link) => link.close()))
    }
  },
}

function contestantsFor({ workspace }, names, serverOf, folder = FOLDER) {
  const client =
    (module, sessions, options = {}) =>
    (server, local) =>
      runClient(module, 'many', { ...server, names, folder, local, sessions, ...options })
  const works = {
    'ftpwire, 1 session': client('ftpwire', 1),
    "ftpwire, 1 session, 'full'": client('ftpwire', 1, { pipelining: 'full' }),
    'basic-ftp, 1 session': client('basic-ftp', 1),
    'curl, 1 session': curl(folder, names.slice(0, names.length * CURL_PART)),
    'ftpwire, 8 sessions': client('ftpwire', 8),
    'basic-ftp, 8 sessions': client('basic-ftp', 8),
    'lftp mirror -P8': lftp(folder),
  }
  if (!isInstalled('curl')) delete works['curl, 1 session']
  if (!isInstalled('lftp')) delete works['lftp mirror -P8']
  return new Map(
    Object.entries(works).map(([name, work], number) => [
      name,
      async () => {
        const local = workspace.localFolder(`many-${number}`)
        const sample = await work(serverOf(number), local)
        const { part = 1 } = sample
        check(name, names.slice(0, names.length * part), local, join(workspace.root, folder))
        return { ...sample, wallMs: sample.wallMs / part, cpuMs: sample.cpuMs / part }
      },
    ]),
  )
}

/** One process and one connection; the addresses come from a file, because a command line has its length. */
function curl(folder, names) {
  return async (server, local) => {
    const list = `${local}.curl`
    const lines = names.map(
      (name) => `url = "${urlOf({ ...server, path: `${folder}/${name}` })}"\noutput = "${join(local, name)}"`,
    )
    writeFileSync(list, `${lines.join('\n')}\n`)
    return { ...(await runTool('curl', ['-sS', '-K', list])), part: CURL_PART }
  }
}

function lftp(folder) {
  return (server, local) =>
    runTool('lftp', ['-c', `open ${urlOf({ ...server, path: '' })}; mirror -P8 ${folder} ${local}`])
}

function check(name, names, local, served) {
  const there = readdirSync(local).length
  if (there !== names.length) throw new Error(`${name} fetched ${there} of ${names.length} files`)
  for (const file of names) {
    if (!readFileSync(join(local, file)).equals(readFileSync(join(served, file))))
      throw new Error(`${name} received other bytes in ${file}`)
  }
}

/** Faster than each peer with as many sessions: `ratio` of its time at most. */
function faster(samples, ratio) {
  const pairs = [
    ['ftpwire, 1 session', 'basic-ftp, 1 session', ratio],
    ['ftpwire, 1 session', 'curl, 1 session', ratio],
    ['ftpwire, 8 sessions', 'lftp mirror -P8', ratio],
    ['ftpwire, 8 sessions', 'basic-ftp, 8 sessions', ratio],
  ]
  return pairs.filter(([, other]) => samples.has(other))
}
