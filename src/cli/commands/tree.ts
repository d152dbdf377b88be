import type { WalkEntry, WalkOptions } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { jsonOfEntry } from '../entry-shape.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { humanBytes } from '../human.ts'
import type { Invocation } from '../invocation.ts'
import { DEPTH, EXCLUDE, INCLUDE } from '../command-options.ts'
import { treeLines } from '../tree-lines.ts'
import { visible, visibleJson } from '../visible.ts'

/** `ftpwire tree`: everything below a folder. */
export const tree: Command = {
  name: 'tree',
  operands: 'URL',
  count: [1, 1],
  summary: 'show everything below a folder',
  description: [
    'Links are shown and not followed. With --json the result is an array of objects, each with its path below ' +
      'the folder.',
  ],
  options: [DEPTH, INCLUDE, EXCLUDE, { name: 'sizes', short: 's', summary: 'show the sizes of files' }],
  takes: 'connection',
  examples: ['ftpwire tree ftp://ftp.example.com/pub/', "ftpwire tree --exclude '.*' ftp://ftp.example.com/"],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { values, operands, output, signal } = invocation
  const { Sites } = await import('../sites.ts')
  const sites = await Sites.open(invocation)
  try {
    const site = sites.at(operands[0] ?? '')
    const { target } = site
    const found: WalkEntry[] = []
    await site.client.use(
      sites.asFolder(site).url,
      async (session) => {
        for await (const one of session.walk('', walkOptions(invocation))) found.push(one)
      },
      operationOptions(values, signal),
    )
    if (values.has('json')) {
      await output.write(`${visibleJson(found.map(({ entry, path }) => jsonOfEntry(entry, path)))}\n`)
      return EXIT.ok
    }
    const start = target.name === '' ? (target.segments.at(-1) ?? '.') : target.name
    const lines = treeLines(found.map((one) => ({ ...one, tail: tailOf(one, values.has('sizes')) })))
    await output.write([visible(start), ...lines, '', summaryOf(found), ''].join('\n'))
    return EXIT.ok
  } finally {
    await sites.close()
  }
}

/** What the walk is told by the options that several commands have. */
function walkOptions({ values, signal }: Invocation): WalkOptions {
  const depth = values.integer('depth', 0)
  const include = values.texts('include')
  const exclude = values.texts('exclude')
  return {
    signal,
    ...(depth === undefined ? {} : { depth }),
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
  }
}

function tailOf({ type, size, linkTarget }: WalkEntry, sizes: boolean): string {
  if (type === 'dir') return '/'
  if (type === 'link') return linkTarget === undefined ? '@' : ` -> ${linkTarget}`
  return sizes && size !== undefined ? ` (${humanBytes(size)})` : ''
}

function summaryOf(found: readonly WalkEntry[]): string {
  const folders = found.filter(({ type }) => type === 'dir').length
  const bytes = found.reduce((sum, { type, size = 0 }) => (type === 'file' ? sum + size : sum), 0)
  return `${counted(folders, 'folder')}, ${counted(found.length - folders, 'file')}, ${humanBytes(bytes)}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
