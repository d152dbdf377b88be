/**
 * Runs a server in a process namespace of its own: when the first process of it goes, the kernel ends all the
 * others, sessions that forked and detached included. The first process is a `cat` that waits for the end of its
 * input, so that everything ends with this process too, however it ends.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import type { Recipe } from './recipes.ts'

export interface ContainedProcess {
  /** What the server wrote to its outputs so far. */
  readonly output: string
  readonly gone: boolean
  end(): Promise<void>
}

const NAMESPACES = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']

export function runContained(recipe: Recipe): ContainedProcess {
  const script = `${mounting(recipe)}; "$@" </dev/null & exec cat`
  const child = contained(recipe, script, ['pipe', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  return handleOf(
    child,
    () => output,
    () => child.stdin?.end(),
  )
}

/** Serves one connection: the socket is the program's standard input and output. */
export function serveContained(recipe: Recipe, socket: Socket): ContainedProcess {
  const child = contained(recipe, `${mounting(recipe)}; exec "$@"`, [socket, socket, 'ignore'])
  // The program has the connection now; this copy of it would keep it open.
  socket.destroy()
  return handleOf(
    child,
    () => '',
    () => child.kill('SIGKILL'),
  )
}

function contained(recipe: Recipe, script: string, stdio: ('pipe' | 'ignore' | Socket)[]): ChildProcess {
  return spawn('unshare', [...NAMESPACES, 'sh', '-ec', script, 'sh', ...recipe.command], {
    stdio,
    env: { ...process.env, ...recipe.environment },
  })
}

function mounting({ mounts, emptied }: Recipe): string {
  return [
    ...mounts.map(([source, target]) => `mount --bind '${source}' ${target}`),
    ...(emptied === undefined ? [] : [`mount -t tmpfs tmpfs ${emptied}`]),
    ':',
  ].join('; ')
}

function handleOf(child: ChildProcess, output: () => string, end: () => void): ContainedProcess {
  let gone = false
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => (gone = true))
  return {
    get output() {
      return output()
    },
    get gone() {
      return gone
    },
    async end() {
      if (!gone) end()
      await exited
      const pipes = [child.stdout, child.stderr].filter((stream) => stream !== null)
      await Promise.allSettled(pipes.map((pipe) => finished(pipe)))
    },
  }
}
