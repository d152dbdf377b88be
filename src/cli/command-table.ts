/** Every command, in the order in which the help shows them. A new one is a file in `commands/` and a line here. */
import type { Command } from './command.ts'
import { completion } from './commands/completion.ts'
import { get } from './commands/get.ts'
import { ls } from './commands/ls.ts'
import { mirror } from './commands/mirror.ts'
import { mkdir } from './commands/mkdir.ts'
import { mv } from './commands/mv.ts'
import { plan } from './commands/plan.ts'
import { put } from './commands/put.ts'
import { rm } from './commands/rm.ts'
import { stat } from './commands/stat.ts'
import { tree } from './commands/tree.ts'

export const COMMANDS: readonly Command[] = [
  get,
  put,
  ls,
  tree,
  stat,
  mirror,
  mkdir,
  mv,
  rm,
  plan,
  completion,
]
