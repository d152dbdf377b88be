/** Runs one piece of work in a process of its own and tells what it took. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../clients/main.mjs', import.meta.url))
const TOO_LONG_MS = 600_000

/**
 * @typedef {object} Sample
 * @property {number} wallMs
 * @property {number} cpuMs user and system time of the process
 * @property {number} peakBytes the most memory it had at once
 */

/** One of our scripts in `clients/`. @returns {Promise<Sample & Record<string, any>>} */
export async function runClient(client, task, parameters) {
  const { output } = await run(process.execPath, [MAIN, client, task, JSON.stringify(parameters)])
  return JSON.parse(output)
}

/**
 * A program, through GNU time, which knows its CPU and its memory. `firstByteMs` and `endMs` count from the
 * start of the process to its first and last output.
 *
 * @returns {Promise<Sample & { output: string, firstByteMs: number | undefined, endMs: number }>}
 */
export async function runTool(program, words, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ftpwire-time-'))
  const report = join(folder, 'time')
  try {
    const ran = await run('/usr/bin/time', ['-o', report, '-f', '%U %S %M', program, ...words], options)
    const [user, system, kilobytes] = readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .at(-1)
      .split(' ')
      .map(Number)
    return { ...ran, cpuMs: (user + system) * 1000, peakBytes: kilobytes * 1024 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function run(program, words, { collect = true, environment = {} } = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(program, words, {
      stdio: ['ignore', collect ? 'pipe' : 'ignore', 'pipe'],
      env: { ...process.env, ...environment },
      timeout: TOO_LONG_MS,
    })
    let output = ''
    let complaint = ''
    let firstByteMs
    let endMs
    child.stdout?.on('data', (chunk) => {
      endMs = performance.now() - start
      firstByteMs ??= endMs
      output += String(chunk)
    })
    child.stderr.on('data', (chunk) => (complaint += String(chunk)))
    child.once('error', reject)
    child.once('close', (status) => {
      const wallMs = performance.now() - start
      if (status === 0) resolve({ output, wallMs, firstByteMs, endMs })
      else reject(new Error(`${program} ${words.join(' ')} ended with ${status}: ${complaint.trim()}`))
    })
  })
}
