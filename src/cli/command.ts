/**
 * What a command is. Each is one file in `commands/`, listed in `command-table.ts`: the parser, the help, the
 * completion scripts and the manual page are all made of what stands here.
 */
import type { ExitCode } from './exit-code.ts'
import type { Invocation } from './invocation.ts'

/** One option, as the parser, the help and the completion scripts see it. */
export interface OptionSpec {
  /** The long name, without its dashes. */
  readonly name: string
  /** The one-letter name, without its dash. */
  readonly short?: string
  /** What stands for the value in the help; an option without it is a flag. */
  readonly value?: string
  /** The only values it can have. */
  readonly choices?: readonly string[]
  /** How the shell completes the value. Default: not at all. */
  readonly completes?: 'file' | 'folder'
  /** It may be given more than once, and all its values count. */
  readonly repeats?: true
  readonly summary: string
}

/** One command. */
export interface Command {
  readonly name: string
  /** What follows the name in the help, without options that all commands have. */
  readonly operands: string
  /** The fewest and the most operands. */
  readonly count: readonly [least: number, most: number]
  /** The only words that an operand can be. */
  readonly choices?: readonly string[]
  /** Whether operands may be local files, for completion. */
  readonly completes?: 'file' | 'folder'
  /** One line, without a full stop. */
  readonly summary: string
  /** Paragraphs. */
  readonly description: readonly string[]
  readonly options: readonly OptionSpec[]
  /** Which shared options it takes: none, those about a URL, or those about a connection as well. */
  readonly takes: 'nothing' | 'url' | 'connection'
  readonly examples: readonly string[]
  run(invocation: Invocation): Promise<ExitCode>
}
