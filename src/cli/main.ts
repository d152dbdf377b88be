#!/usr/bin/env node
/** The command `ftpwire`. */
import { EXIT, type ExitCode } from './exit-code.ts'
import { COMMANDS } from './command-table.ts'
import { commandHelp, generalHelp } from './help-text.ts'
import { Interruption } from './interruption.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { StandardOutput } from './standard-output.ts'
import { Terminal } from './terminal.ts'

async function main(words: readonly string[]): Promise<ExitCode> {
  hidePasswords(words)
  const terminal = new Terminal(process.stderr, process.env)
  const interruption = new Interruption()
  const output = new StandardOutput(interruption.signal)
  interruption.signal.addEventListener('abort', () => terminal.endStatus(), { once: true })
  try {
    return await run(words, terminal, output, interruption.signal)
  } catch (error) {
    const { received } = interruption
    terminal.status('')
    if (received !== undefined) {
      terminal.say(received === 'SIGINT' ? 'interrupted' : `ended by ${received}`, {
        head: 'ftpwire: ',
        style: 'error',
      })
      return interruption.die(received)
    }
    const { reportError } = await import('./report-error.ts')
    return reportError(error, terminal, { json: words.includes('--json') })
  }
}

async function run(
  words: readonly string[],
  terminal: Terminal,
  output: StandardOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const line = parseCommandLine(words, COMMANDS)
  if (line.kind === 'version') {
    const { packageVersion } = await import('./package-version.ts')
    await output.write(`${packageVersion()}\n`)
    return EXIT.ok
  }
  if (line.kind === 'help') {
    await output.write(line.command === undefined ? generalHelp(COMMANDS) : commandHelp(line.command))
    return EXIT.ok
  }
  const { command, operands, values } = line
  if (values.has('quiet')) terminal.hush()
  return command.run({ values, operands, output, terminal, signal })
}

/** A password in a URL could be read in the list of processes by everyone on this machine. */
function hidePasswords(words: readonly string[]): void {
  if (words.some((word) => /^ftps?:\/\/[^/]*:[^/]*@/i.test(word))) process.title = 'ftpwire'
}

// Whatever is still open, a terminal or a server that does not say goodbye, the work is done.
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`ftpwire: ${error instanceof Error ? error.name : 'error'}\n`)
    process.exit(EXIT.other)
  },
)
