/** A program that serves on loopback for as long as a test wants it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../run-example.ts'

export interface Service extends AsyncDisposable {
  readonly port: number
  /** What it wrote so far. */
  readonly output: () => string
}

/** Starts the program, whose arguments name the port, and waits until it takes connections. */
export async function startService(
  command: string,
  words: (port: number) => readonly string[],
  cwd: string,
): Promise<Service> {
  const port = await freePort()
  const child = spawn(command, words(port), { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  // It goes with this process, however that ends.
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  while (!(await listens(port))) {
    if (failure !== undefined) throw failure
    if (child.exitCode !== null) throw new Error(`${command} has ended: ${output}`)
    await sleep(20)
  }
  return {
    port,
    output: () => output,
    async [Symbol.asyncDispose]() {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
