/** The command as a shell runs it: a process of its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const MAIN: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Ran {
  /** `null` where a signal has ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Called as soon as the process runs. */
  readonly meanwhile?: (process: ReturnType<typeof spawn>) => void
}

/** Runs `ftpwire` without a terminal, and without one that could be asked. */
export async function ftpwire(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A session of its own has no terminal: otherwise one would be asked for a password.
    detached: true,
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  options.meanwhile?.(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
  })
}
