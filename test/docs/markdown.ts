/** The documents of this project, and the code in them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The documents: in the root and in docs/, below the root. */
export const documents: readonly string[] = [
  ...markdownIn(''),
  ...markdownIn('docs'),
  'fixtures/tls/README.md',
]

/** One fenced block. */
export interface CodeBlock {
  readonly document: string
  readonly line: number
  readonly language: string
  readonly code: string
}

export function readDocument(document: string): string {
  return readFileSync(join(root, document), 'utf8')
}

/** The fenced blocks of a document. */
export function codeBlocks(document: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { line: number; language: string; lines: string[] } | undefined
  for (const [at, text] of readDocument(document).split('\n').entries()) {
    const [, language] = /^\s*```(\w*)/.exec(text) ?? []
    if (open === undefined && language !== undefined) open = { line: at + 1, language, lines: [] }
    else if (open !== undefined && language !== undefined) {
      blocks.push({ document, line: open.line, language: open.language, code: open.lines.join('\n') })
      open = undefined
    } else open?.lines.push(text)
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: the block does not end`)
  return blocks
}

/** The text without its fenced blocks. */
export function proseOf(document: string): string {
  return readDocument(document).replace(/^\s*```[\s\S]*?^\s*```/gm, '')
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}
