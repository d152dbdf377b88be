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
    const code = await tell(error, words.includes('--json'), terminal, interruption)
    terminal.sayLast()
    if (interruption.received !== undefined) interruption.die(interruption.received)
    return code
  }
}

async function tell(
  error: unknown,
  json: boolean,
  terminal: Terminal,
  { received }: Interruption,
): Promise<ExitCode> {
  terminal.endStatus()
  if (received !== undefined) {
    const what = received === 'SIGINT' ? 'interrupted' : `ended by ${received}`
    terminal.say(what, { head: 'ftpwire: ', style: 'error' })
    return EXIT.interrupted
  }
  const { reportError } = await import('./report-error.ts')
  return reportError(error, terminal, { json })
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
  // Who reads JSON from standard error wants nothing else there.
  if (values.has('quiet') || values.has('json')) terminal.hush()
  const code = await command.run({ values, operands, output, terminal, signal })
  terminal.sayLast()
  return code
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
