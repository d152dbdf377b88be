// Runs every fuzzer of test/fuzz, one after the other, on the build in dist.
// node .ci/fuzz.mjs [seconds for each, default 60]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const seconds = process.argv[2] ?? '60'
const folder = fileURLToPath(new URL('../test/fuzz/', import.meta.url))
const scripts = readdirSync(folder).filter((name) => name.endsWith('.fuzz.mjs'))
if (scripts.length === 0) throw new Error('there is no fuzzer in test/fuzz')

for (const script of scripts.toSorted()) {
  const { status } = spawnSync(process.execPath, [folder + script, '--seconds', seconds], {
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(`${script} failed`)
    process.exitCode = 1
  }
}
