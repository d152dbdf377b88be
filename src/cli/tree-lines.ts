/** Paths below a folder, drawn as a tree. */
import { visible } from './visible.ts'

/** What the drawing needs of an entry. */
export interface Leaf {
  readonly name: string
  /** 0 for what lies in the folder itself. */
  readonly depth: number
  /** What stands behind the name. */
  readonly tail: string
}

/** One line for each, in the order in which a walk in depth gives them. */
export function treeLines(leaves: readonly Leaf[]): string[] {
  const lines: string[] = []
  // From the end: whether something follows at a depth is known only there.
  const follows: boolean[] = []
  for (const { name, depth, tail } of leaves.toReversed()) {
    const trunk = Array.from({ length: depth }, (_, level) => (follows[level] === true ? '│   ' : '    '))
    lines.push(
      `${trunk.join('')}${follows[depth] === true ? '├── ' : '└── '}${visible(name)}${visible(tail)}`,
    )
    follows.length = depth
    follows[depth] = true
  }
  return lines.reverse()
}
