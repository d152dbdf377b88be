/** An example as its readers run it: a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

export interface ExampleOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What is piped in. Default: nothing. */
  readonly input?: Uint8Array
  /** Leaves the pipe open, so that the input does not end. */
  readonly open?: boolean
}

export interface Finished {
  /** `null` where a signal has ended it. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface RunningExample {
  readonly process: ChildProcess
  /** Both outputs so far. */
  readonly output: () => string
  readonly finished: Promise<Finished>
}

export function startExample(
  name: string,
  words: readonly string[],
  { cwd, env, input, open = false }: ExampleOptions = {},
): RunningExample {
  const child = spawn(process.execPath, [join(EXAMPLES, name), ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk)
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.push(chunk)
    output += chunk.toString()
  })
  // An example that ends early does not read the rest.
  child.stdin.on('error', () => {})
  if (!open) child.stdin.end(input)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
  })
  return { process: child, output: () => output, finished }
}

export function runExample(
  name: string,
  words: readonly string[],
  options?: ExampleOptions,
): Promise<Finished> {
  return startExample(name, words, options).finished
}

/** The hash of every file below a folder, by its path. */
export async function hashesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const hashes: Record<string, string> = {}
  for (const file of files) {
    hashes[file.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  }
  return hashes
}

/** A port that nobody listens on, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
