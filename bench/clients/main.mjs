/**
 * One piece of work in a process of its own: `node main.mjs CLIENT TASK '{…}'` prints what it took as JSON.
 *
 * CPU and time run from the first call of the client to its last answer: Node's own start is the same for
 * everyone and no part of a gigabyte. The memory is the peak of the whole process.
 */
import { readFileSync } from 'node:fs'

const [client = '', task = '', parameters = '{}'] = process.argv.slice(2)
const tasks = await import(`./${client}.mjs`)
const given = JSON.parse(parameters)
const work = tasks[task]
if (work === undefined) throw new Error(`${client} has no task ${task}`)

const cpuBefore = process.cpuUsage()
const before = performance.now()
const result = await work(given)
const wallMs = performance.now() - before
const { user, system } = process.cpuUsage(cpuBefore)
const measured = { wallMs, cpuMs: (user + system) / 1000, peakBytes: peakBytes(), ...result }
// Whatever a client leaves open is its own affair; the answer is complete.
process.stdout.write(JSON.stringify(measured), () => process.exit())

/** `maxRSS` counts what this process was before it became itself, a copy of its parent; Linux also knows better. */
function peakBytes() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) * 1024
  } catch {
    // No Linux.
  }
  return process.resourceUsage().maxRSS * 1024
}
