/**
 * Runs a server in a process namespace of its own: when the first process of it goes, the kernel ends all the
 * others, sessions that forked, detached or took another user's rights included. It goes when the server does, or
 * when the leash is let go: a pipe that this process holds, and that closes with it however it ends.
 */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Recipe } from './recipes.ts'

export interface ContainedProcess {
  /** What the server wrote to its outputs so far. */
  readonly output: string
  readonly gone: boolean
  end(): Promise<void>
}

const NAMESPACES = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']

/** File 3 is the leash. The shell lets go of the server's input and output, which may be a client's connection. */
const LEASHED = `
exec 4<&0 5>&1 </dev/null >/dev/null
"$@" <&4 >&5 3<&- 4<&- 5>&- &
server=$!
exec 4<&- 5>&-
(cat <&3; kill -9 $server) &
wait $server`

export function runContained(recipe: Recipe): ContainedProcess {
  return contained(recipe, ['ignore', 'pipe', 'pipe'])
}

/** Serves one connection: the socket is the program's standard input and output. */
export function serveContained(recipe: Recipe, socket: Socket): ContainedProcess {
  const server = contained(recipe, [socket, socket, 'ignore'])
  // The program has the connection now; this copy of it would keep it open.
  socket.destroy()
  return server
}

function contained(recipe: Recipe, stdio: readonly ('pipe' | 'ignore' | Socket)[]): ContainedProcess {
  const words = [...NAMESPACES, 'sh', '-ec', mounting(recipe) + LEASHED, 'sh', ...recipe.command]
  const child = spawn('unshare', words, {
    stdio: [...stdio, 'pipe'],
    env: { ...process.env, ...recipe.environment },
  })
  let output = ''
  let gone = false
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  }).then(() => (gone = true))
  const leash = child.stdio[3]
  leash?.on('error', () => {})
  return {
    get output() {
      return output
    },
    get gone() {
      return gone
    },
    async end() {
      leash?.destroy()
      await exited
    },
  }
}

function mounting({ mounts, emptied }: Recipe): string {
  return [
    ...mounts.map(([source, target]) => `mount --bind '${source}' ${target}`),
    ...(emptied === undefined ? [] : [`mount -t tmpfs tmpfs ${emptied}`]),
  ].join('\n')
}
