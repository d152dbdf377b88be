/**
 * A secret that is typed, without being shown. It is read from the terminal itself, so that standard input and
 * output are free for data.
 */
import { openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { EXIT } from './exit-code.ts'
import { Failure } from './failure.ts'
import { visible } from './visible.ts'

const CTRL_C = '\x03'
const CTRL_D = '\x04'
const CTRL_U = '\x15'
const BACKSPACES = ['\b', '\x7f']
/** Arrow keys and the like are several characters, none of which belongs to the secret. */
const KEY_SEQUENCE = /\x1b(?:\[[\d;]*[ -/]*[@-~]|O.|.)?/g

/** The question, and who asks for the answer. */
export interface SecretQuestion {
  readonly prompt: string
  readonly signal: AbortSignal
  /** What to say where nobody can be asked. */
  readonly nobody: string
}

/** Asks on the terminal. */
export async function askSecret({ prompt, signal, nobody }: SecretQuestion): Promise<string> {
  const { input, say, close } = openTerminal(nobody)
  try {
    // First of all: whatever is typed ahead shall not be shown either.
    input.setRawMode(true)
    say(visible(prompt))
    return await readSecret(input, signal)
  } finally {
    input.setRawMode(false)
    say('\n')
    close()
  }
}

function readSecret(input: ReadStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = []
    const end = (settle: () => void): void => {
      input.off('data', onData).off('error', reject).pause()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason as Error))
    const onData = (chunk: string): void => {
      for (const key of chunk.replace(KEY_SEQUENCE, '')) {
        if (key === '\r' || key === '\n') return end(() => resolve(typed.join('')))
        if (key === CTRL_D && typed.length === 0) return end(() => reject(noAnswer()))
        // In raw mode the terminal sends no signal by itself.
        if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
        else if (key === CTRL_U) typed = []
        else if (BACKSPACES.includes(key)) typed.pop()
        else if (key >= ' ') typed.push(key)
      }
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    input.setEncoding('utf8').on('error', reject).on('data', onData).resume()
  })
}

interface OpenTerminal {
  readonly input: ReadStream
  readonly say: (text: string) => void
  readonly close: () => void
}

function openTerminal(nobody: string): OpenTerminal {
  if (process.platform === 'win32') return standardTerminal(nobody)
  let descriptor: number
  try {
    descriptor = openSync('/dev/tty', 'r+')
  } catch {
    throw new Failure(EXIT.login, nobody)
  }
  const input = new ReadStream(descriptor)
  return {
    input,
    say: (text) => void writeSync(descriptor, text),
    close: () => {
      input.destroy()
    },
  }
}

/** Windows has no file that is the terminal, whatever the standard streams are. */
function standardTerminal(nobody: string): OpenTerminal {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) throw new Failure(EXIT.login, nobody)
  return { input: stdin, say: (text) => void stderr.write(text), close: () => stdin.pause() }
}

function noAnswer(): Failure {
  return new Failure(EXIT.login, 'no password was typed')
}
