/** What the command is for goes out here, byte for byte. */
import { close, open, write } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { promisify } from 'node:util'
import { EXIT } from './exit-code.ts'
import { Failure } from './failure.ts'

const BUSY_MS = 10

/**
 * A file descriptor that is written to in order. Not `process.stdout`: for a pipe that would block the whole
 * process while its reader is slow, and the deadlines of the server would pass meanwhile.
 */
export class StandardOutput {
  readonly #signal: AbortSignal
  readonly #descriptor: number
  readonly #name: string

  constructor(signal: AbortSignal, descriptor = 1, name = 'standard output') {
    this.#signal = signal
    this.#descriptor = descriptor
    this.#name = name
  }

  /** A device or a named pipe, which can only be written to, not replaced. */
  static async open(path: string, signal: AbortSignal): Promise<StandardOutput> {
    try {
      return new StandardOutput(signal, await promisify(open)(path, 'w'), path)
    } catch (cause) {
      throw outputFailure(path, cause)
    }
  }

  get isTerminal(): boolean {
    return isatty(this.#descriptor)
  }

  /** Characters in a line of the terminal. */
  get columns(): number {
    return (this.#descriptor === 1 ? process.stdout.columns : undefined) ?? 80
  }

  /** Resolves when everything is written; rejects at once when the signal fires, whatever the reader does. */
  async write(data: string | Uint8Array): Promise<void> {
    let rest = typeof data === 'string' ? Buffer.from(data) : data
    while (rest.length > 0) {
      try {
        rest = rest.subarray(await this.#writeSome(rest))
      } catch (cause) {
        // The other end of the pipe belongs to somebody who has made it non-blocking.
        if (this.#signal.aborted) throw cause
        if (codeOf(cause) !== 'EAGAIN') throw outputFailure(this.#name, cause)
        await pause(BUSY_MS)
      }
    }
  }

  #writeSome(data: Uint8Array): Promise<number> {
    const signal = this.#signal
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error)
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      write(this.#descriptor, data, (error, bytesWritten) => {
        signal.removeEventListener('abort', onAbort)
        if (error === null) resolve(bytesWritten)
        else reject(error)
      })
    })
  }

  /** Closes what `open` has opened. */
  async close(): Promise<void> {
    await promisify(close)(this.#descriptor)
  }
}

function outputFailure(name: string, cause: unknown): Failure {
  const why = cause instanceof Error ? cause.message : String(cause)
  return codeOf(cause) === 'EPIPE'
    ? new Failure(EXIT.brokenPipe, `${name} was closed by its reader`)
    : new Failure(EXIT.local, `cannot write to ${name}: ${why}`)
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}
