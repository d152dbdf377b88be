/** The help, made of what the commands say of themselves; no line is wider than 80 columns. */
import type { Command, OptionSpec } from './command.ts'
import { CONNECTION_OPTIONS, GENERAL_OPTIONS, URL_OPTIONS, VOICE_OPTIONS } from './common-options.ts'
import { EXIT_MEANINGS } from './exit-code.ts'

const COLUMNS = 80
const INDENT = 2
const TERM_COLUMNS = 26

/** The help of everything. */
export function generalHelp(commands: readonly Command[]): string {
  return text([
    ...wrapped('ftpwire: fetch, list and look into ftp:// and ftps:// URLs', 0),
    '',
    'Usage: ftpwire COMMAND [OPTION]... [OPERAND]...',
    '',
    'Commands:',
    ...commands.flatMap(({ name, summary }) => entry(name, summary, 14)),
    '',
    "'ftpwire COMMAND --help' tells more about each.",
    '',
    'General options:',
    ...GENERAL_OPTIONS.flatMap(optionEntry),
    '',
    'Exit codes:',
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => entry(String(code).padStart(3), meaning, 7)),
    '',
    ...wrapped(
      'A password never needs to stand on the command line: ftpwire asks for it on the terminal when the ' +
        'server does, or takes it from ~/.netrc with --netrc.',
      0,
    ),
  ])
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, operands, summary, description, options, takes, examples } = command
  return text([
    ...wrapped(`ftpwire ${name}: ${summary}`, 0),
    '',
    `Usage: ftpwire ${name} [OPTION]...${operands === '' ? '' : ` ${operands}`}`,
    ...description.flatMap((paragraph) => ['', ...wrapped(paragraph, 0)]),
    ...section('Options', options),
    ...(takes === 'nothing' ? [] : section('URL', URL_OPTIONS)),
    ...(takes === 'connection' ? section('Connection', CONNECTION_OPTIONS) : []),
    ...section('General', takes === 'nothing' ? GENERAL_OPTIONS : [...VOICE_OPTIONS, ...GENERAL_OPTIONS]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((line) => `  ${line}`)]),
  ])
}

/** `-o, --output FILE` */
export function optionTerm({ name, short, value, choices }: OptionSpec): string {
  const shown = choices === undefined ? value : choices.join('|')
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${shown === undefined ? '' : ` ${shown}`}`
}

function section(title: string, options: readonly OptionSpec[]): string[] {
  return options.length === 0 ? [] : ['', `${title}:`, ...options.flatMap(optionEntry)]
}

function optionEntry(option: OptionSpec): string[] {
  return entry(optionTerm(option), option.summary, TERM_COLUMNS)
}

function entry(term: string, meaning: string, termColumns: number): string[] {
  const start = INDENT + termColumns
  const lines = wrapped(meaning, start)
  const head = `${' '.repeat(INDENT)}${term}`
  // A long term stands alone on its line.
  if (head.length > start - 2) return [head, ...lines]
  return lines.map((line, index) => (index === 0 ? head.padEnd(start) + line.trimStart() : line))
}

function wrapped(paragraph: string, indent: number): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= COLUMNS)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
