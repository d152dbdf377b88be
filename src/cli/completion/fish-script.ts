import type { Command, OptionSpec } from '../command.ts'
import { GENERAL_OPTIONS, optionsOf } from '../common-options.ts'

/** The completion script for fish. */
export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return [
    '# fish completion for ftpwire; load it with: ftpwire completion fish | source',
    'complete -c ftpwire -f',
    ...commands.map(({ name, summary }) => line('__fish_use_subcommand', `-a ${name}`, summary)),
    line('__fish_use_subcommand', '-a help', 'show the help of a command'),
    `complete -c ftpwire -n '__fish_seen_subcommand_from help' -a '${names}'`,
    ...GENERAL_OPTIONS.map((option) => optionLine('__fish_use_subcommand', option)),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n')
}

function commandLines(command: Command): string[] {
  const condition = `__fish_seen_subcommand_from ${command.name}`
  const { choices, completes } = command
  return [
    ...(choices === undefined ? [] : [`complete -c ftpwire -n '${condition}' -a '${choices.join(' ')}'`]),
    ...(completes === undefined ? [] : [`complete -c ftpwire -n '${condition}' -F`]),
    ...[...optionsOf(command), ...GENERAL_OPTIONS].map((option) => optionLine(condition, option)),
  ]
}

function optionLine(
  condition: string,
  { name, short, value, choices, completes, summary }: OptionSpec,
): string {
  const words = [
    ...(short === undefined ? [] : [`-s ${short}`]),
    `-l ${name}`,
    // Without -x fish would offer files beside whatever else there is.
    ...(value === undefined ? [] : [completes === undefined ? '-x' : '-r -F']),
    ...(choices === undefined ? [] : [`-a '${choices.join(' ')}'`]),
  ]
  return line(condition, words.join(' '), summary)
}

function line(condition: string, words: string, summary: string): string {
  return `complete -c ftpwire -n '${condition}' ${words} -d '${summary.replace(/['\\]/g, '\\$&')}'`
}
