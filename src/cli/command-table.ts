/** Every command, in the order in which the help shows them. A new one is a file in `commands/` and a line here. */
import type { Command } from './command.ts'
import { completion } from './commands/completion.ts'
import { get } from './commands/get.ts'
import { ls } from './commands/ls.ts'
import { plan } from './commands/plan.ts'

export const COMMANDS: readonly Command[] = [get, ls, plan, completion]
