import type { Command } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import type { Invocation } from '../invocation.ts'

/** `ftpwire completion`: what a shell needs to complete a line. */
export const completion: Command = {
  name: 'completion',
  operands: 'bash|zsh|fish',
  count: [1, 1],
  choices: ['bash', 'zsh', 'fish'],
  summary: 'print the completion script of a shell',
  description: [],
  options: [],
  takes: 'nothing',
  examples: [
    'source <(ftpwire completion bash)      # in ~/.bashrc',
    'source <(ftpwire completion zsh)       # in ~/.zshrc, after compinit',
    'ftpwire completion fish | source       # in ~/.config/fish/config.fish',
  ],
  run,
}

async function run({ operands, output }: Invocation): Promise<ExitCode> {
  // The table holds this command too: it can be had only when everything is loaded.
  const { COMMANDS } = await import('../command-table.ts')
  await output.write(await scriptFor(operands[0], COMMANDS))
  return EXIT.ok
}

async function scriptFor(shell: string | undefined, commands: readonly Command[]): Promise<string> {
  if (shell === 'zsh') return (await import('../completion/zsh-script.ts')).zshScript(commands)
  if (shell === 'fish') return (await import('../completion/fish-script.ts')).fishScript(commands)
  return (await import('../completion/bash-script.ts')).bashScript(commands)
}
