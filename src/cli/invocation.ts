/** A command as it was called: what it is to do, and with what. */
import type { OptionValues } from './option-values.ts'
import type { StandardOutput } from './standard-output.ts'
import type { Terminal } from './terminal.ts'

/** What every command is run with. */
export interface Invocation {
  readonly values: OptionValues
  readonly operands: readonly string[]
  /** Standard output: nothing but what the command is for. */
  readonly output: StandardOutput
  /** Standard error: everything that is said to a person. */
  readonly terminal: Terminal
  /** Fires on Ctrl-C and its like. */
  readonly signal: AbortSignal
}
