/**
 * Measures ftpwire beside its peers and the physical limit, in one run, in alternation, each in processes of its
 * own. Needs `npm run build`, and what `bench/install.sh` puts on the machine.
 *
 *   node bench/run.mjs                       everything; writes bench/results.md
 *   node bench/run.mjs --only=NAME[,NAME]    some of it; writes nothing
 *   node bench/run.mjs --list                the names
 *   --rounds=N      how often each is run, default 5       --megabytes=N   the large file in MiB, default 512
 *   --folder=PATH   where files are served and received    --full          10 GiB in the bench `steady`
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listingMlsd, listingUnix } from './cases/listing.mjs'
import { manyFiles, manyFilesFar } from './cases/many-files.mjs'
import { importTime, packedSize } from './cases/package.mjs'
import { pipelining } from './cases/pipelining.mjs'
import { roundTrips } from './cases/round-trips.mjs'
import { steady } from './cases/steady.mjs'
import { receiveDiscard, receiveFile, receiveTls, receiveTlsFile, sendFile } from './cases/transfers.mjs'
import { Context } from './harness/context.mjs'
import { describeMachine } from './harness/machine.mjs'
import { goalTable, page, resultTable } from './harness/report.mjs'
import { Workspace } from './harness/workspace.mjs'

const CASES = [
  roundTrips,
  pipelining,
  receiveDiscard,
  receiveFile,
  sendFile,
  receiveTls,
  receiveTlsFile,
  manyFiles,
  manyFilesFar,
  steady,
  listingMlsd,
  listingUnix,
  importTime,
  packedSize,
]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '512' },
    folder: { type: 'string' },
    full: { type: 'boolean', default: false },
  },
})

if (values.list) {
  for (const { name, title } of CASES) console.log(`${name.padEnd(18)}${title}`)
} else {
  await bench()
}

async function bench() {
  const only = values.only?.split(',')
  const unknown = only?.filter((name) => !CASES.some((candidate) => candidate.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`No such bench: ${unknown.join(', ')}; --list names them`)
  const chosen = CASES.filter(({ name }) => only?.includes(name) ?? true)
  const machine = describeMachine()
  const workspace = new Workspace(values.folder)
  const context = new Context({
    workspace,
    rounds: Number(values.rounds),
    megabytes: Number(values.megabytes),
    full: values.full,
  })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      workspace.remove()
      process.exit(1)
    })
  }
  const results = []
  const start = performance.now()
  try {
    for (const chosenCase of chosen) {
      const { name, title } = chosenCase
      const before = performance.now()
      process.stderr.write(`${title} … `)
      results.push({ name, title, ...(await chosenCase.run(context)) })
      process.stderr.write(`${((performance.now() - before) / 1000).toFixed(0)} s\n`)
    }
  } finally {
    await context.close()
    workspace.remove()
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const settings = `${values.rounds} rounds, a large file of ${values.megabytes} MiB, ${seconds} s in all.`
  console.log(`\n${machine.join('\n')}\n${settings}\n\n${resultTable(results)}\n\n${goalTable(results)}`)
  if (only === undefined)
    writeFileSync(new URL('results.md', import.meta.url), page({ results, machine, settings }))
}
