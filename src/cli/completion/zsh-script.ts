import type { Command, OptionSpec } from '../command.ts'
import { GENERAL_OPTIONS, optionsOf } from '../common-options.ts'

/** The completion script for zsh: a file `_ftpwire` in the function path, or sourced. */
export function zshScript(commands: readonly Command[]): string {
  return `#compdef ftpwire
# zsh completion for ftpwire; load it with: source <(ftpwire completion zsh)
_ftpwire() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
    'help:show the help of a command'
  )
  _arguments -C ${GENERAL_OPTIONS.flatMap(argumentsFor).join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
        help) _describe command commands ;;
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _ftpwire ]]; then _ftpwire "$@"; else compdef _ftpwire ftpwire; fi
`
}

function commandCase(command: Command): string {
  const specs = [...optionsOf(command), ...GENERAL_OPTIONS].flatMap(argumentsFor)
  const operands = `'*:${command.operands.replace(/[^\w ]/g, '')}:${action(command)}'`
  return `        ${command.name})
          _arguments -s \\
            ${[...specs, operands].join(' \\\n            ')} ;;`
}

function argumentsFor(option: OptionSpec): string[] {
  const { name, short, value, repeats } = option
  const help = `[${option.summary.replace(/[[\]:\\]/g, '\\$&')}]`
  const tail = value === undefined ? '' : `:${value}:${action(option)}`
  const names = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
  const apart = repeats === true ? '*' : `(${names.join(' ')})`
  // A long option's value may follow it as a word or behind an equals sign.
  return names.map((spelling) =>
    quoted(`${apart}${spelling}${value !== undefined && spelling.startsWith('--') ? '=' : ''}${help}${tail}`),
  )
}

function action({ choices, completes }: Pick<OptionSpec, 'choices' | 'completes'>): string {
  if (choices !== undefined) return `(${choices.join(' ')})`
  if (completes === undefined) return ' '
  return completes === 'folder' ? '_files -/' : '_files'
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
