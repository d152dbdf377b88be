import type { Command, OptionSpec } from '../command.ts'
import { GENERAL_OPTIONS, optionsOf } from '../common-options.ts'

/** The completion script for bash 3.2 and later. */
export function bashScript(commands: readonly Command[]): string {
  return `# bash completion for ftpwire; load it with: source <(ftpwire completion bash)
_ftpwire() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= at
  COMPREPLY=()
  for (( at = 1; at < COMP_CWORD; at++ )); do
    case \${COMP_WORDS[at]} in
      ${commands.map(({ name }) => name).join('|')}|help) command=\${COMP_WORDS[at]}; break ;;
    esac
  done
  case $command:$before in
${commands.flatMap((command) => optionsOf(command).flatMap((option) => valueCase(command, option))).join('\n')}
  esac
  case $command in
    '') COMPREPLY=( $(compgen -W "${[...commands.map(({ name }) => name), 'help', ...dashed(GENERAL_OPTIONS)].join(' ')}" -- "$word") ) ;;
    help) COMPREPLY=( $(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word") ) ;;
${commands.map(commandCase).join('\n')}
  esac
}
complete -F _ftpwire ftpwire
`
}

function valueCase({ name }: Command, option: OptionSpec): string[] {
  if (option.value === undefined) return []
  const patterns = spellings(option).map((spelling) => `${name}:${spelling}`)
  return [`    ${patterns.join('|')}) ${completing(option)}; return ;;`]
}

function completing({ choices, completes }: Pick<OptionSpec, 'choices' | 'completes'>): string {
  if (choices !== undefined) return `COMPREPLY=( $(compgen -W "${choices.join(' ')}" -- "$word") )`
  if (completes === undefined) return ':'
  // With line feeds between words only, a name may hold spaces.
  return `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=( $(compgen -${completes === 'folder' ? 'd' : 'f'} -- "$word") )`
}

function commandCase(command: Command): string {
  const options = dashed([...optionsOf(command), ...GENERAL_OPTIONS]).join(' ')
  return `    ${command.name})
      case $word in
        -*) COMPREPLY=( $(compgen -W "${options}" -- "$word") ) ;;
        *) ${completing(command)} ;;
      esac ;;`
}

function spellings({ name, short }: OptionSpec): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
}

function dashed(options: readonly OptionSpec[]): string[] {
  return options.flatMap(spellings)
}
