/** The words of the command line → which command, with which options and operands. */
import { parseArgs } from 'node:util'
import type { Command, OptionSpec } from './command.ts'
import { GENERAL_OPTIONS, optionsOf } from './common-options.ts'
import { usageError } from './failure.ts'
import { OptionValues } from './option-values.ts'

/** What is to be done. */
export type CommandLine =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly values: OptionValues
      readonly operands: readonly string[]
    }

/**
 * Options may stand before the command's name as well as behind it.
 * @throws Failure with the exit code for usage
 */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): CommandLine {
  const everything = [...GENERAL_OPTIONS, ...commands.flatMap(optionsOf)]
  const named = tokensOf(words, everything).find(({ kind }) => kind === 'positional')
  const name = named === undefined ? undefined : words[named.index]
  if (named === undefined || name === undefined) return withoutCommand(words)
  const rest = words.toSpliced(named.index, 1)
  if (name === 'help') return help(rest, commands)
  const command = find(name, commands)
  const { given, operands } = read(rest, command)
  if (given.has('help')) return { kind: 'help', command }
  if (given.has('version')) return { kind: 'version' }
  checkOperands(operands, command)
  return { kind: 'run', command, operands, values: new OptionValues(given, command.name) }
}

function withoutCommand(words: readonly string[]): CommandLine {
  const { given } = read(words, undefined)
  if (given.has('version')) return { kind: 'version' }
  if (given.has('help')) return { kind: 'help', command: undefined }
  throw usageError('which command?')
}

function help(words: readonly string[], commands: readonly Command[]): CommandLine {
  const name = words.find((word) => !word.startsWith('-'))
  return { kind: 'help', command: name === undefined ? undefined : find(name, commands) }
}

function find(name: string, commands: readonly Command[]): Command {
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return command
  if (/^ftps?:/i.test(name)) throw usageError('a command comes before the URL: ftpwire get URL')
  throw usageError(`there is no command ${JSON.stringify(name)}`)
}

function read(
  words: readonly string[],
  command: Command | undefined,
): { given: Map<string, string[]>; operands: string[] } {
  const known = command === undefined ? GENERAL_OPTIONS : [...GENERAL_OPTIONS, ...optionsOf(command)]
  const given = new Map<string, string[]>()
  const operands: string[] = []
  for (const token of tokensOf(words, known)) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = known.find(({ name }) => name === token.name)
    if (option === undefined) throw usageError(`there is no option ${token.rawName}`, command?.name)
    const value = valueOf(option, token, command)
    given.set(option.name, [...(given.get(option.name) ?? []), value])
  }
  return { given, operands }
}

function valueOf(
  option: OptionSpec,
  { rawName, value }: { rawName: string; value?: string | undefined },
  command: Command | undefined,
): string {
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${rawName} takes no value`, command?.name)
    return ''
  }
  if (value === undefined || value === '') {
    throw usageError(`${rawName} needs a value: ${rawName} ${option.value}`, command?.name)
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw usageError(`${rawName} takes one of ${option.choices.join(', ')}`, command?.name)
  }
  return value
}

function checkOperands(
  operands: readonly string[],
  { name, count, operands: shown, choices }: Command,
): void {
  const [least, most] = count
  if (operands.length < least) throw usageError(`${name} needs ${shown}`, name)
  // What is too much is not repeated: it may be a URL with a password.
  if (operands.length > most) throw usageError(`${name} takes no more than ${shown}`, name)
  if (choices !== undefined && operands.some((operand) => !choices.includes(operand))) {
    throw usageError(`${name} takes one of ${choices.join(', ')}`, name)
  }
}

function tokensOf(words: readonly string[], options: readonly OptionSpec[]) {
  // Not strict: its messages are long, and what they repeat is not redacted.
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        {
          type: value === undefined ? 'boolean' : 'string',
          ...(short === undefined ? {} : { short }),
        } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens
}
