/** The command on a terminal, which `script` of util-linux makes. */
import { spawn } from 'node:child_process'
import { MAIN } from './run-command.ts'

export interface Screen {
  /** Everything that was written to the terminal, as it came. */
  readonly raw: string
  /** The lines that a person sees in the end. */
  readonly lines: readonly string[]
  readonly code: number | null
}

export interface TerminalOptions {
  readonly columns?: number
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What is typed when the screen holds each text, in this order. */
  readonly typing?: readonly (readonly [when: string, keys: string])[]
  /** What a shell does with the command, for pipes: `$FTPWIRE` stands for it. */
  readonly shell?: string
}

/** Runs `ftpwire` with a terminal as its input and output. */
export async function onTerminal(words: readonly string[], options: TerminalOptions = {}): Promise<Screen> {
  const { columns = 80, typing = [], shell } = options
  const command = shell ?? ['$FTPWIRE', ...words.map(quoted)].join(' ')
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 24; ${command}`, '/dev/null'], {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      HOME: '/nonexistent',
      FTPWIRE: `${process.execPath} ${MAIN}`,
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let raw = ''
  const waiting = [...typing]
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk
    while (waiting[0] !== undefined && raw.includes(waiting[0][0]))
      child.stdin.write(waiting.shift()?.[1] ?? '')
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) => reject(new Error('this test needs script(1) of util-linux', { cause })))
    child.on('close', resolve)
  })
  child.stdin.destroy()
  return { raw, lines: seen(raw), code }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Plays carriage returns and "clear to the end of the line"; takes colours away. */
function seen(raw: string): string[] {
  return raw
    .replaceAll(/\x1b\[\d*m/g, '')
    .split('\n')
    .map((line) => {
      let shown = ''
      for (const part of line.replace(/\r$/, '').split('\r')) {
        const cleared = part.startsWith('\x1b[K')
        const text = cleared ? part.slice('\x1b[K'.length) : part
        shown = cleared ? text : text + shown.slice(text.length)
      }
      return shown
    })
    .filter((line) => line !== '')
}
