import type { OperationOptions } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import type { ExitCode } from '../exit-code.ts'
import { usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import { DRY_RUN, NO_GLOB, RECURSIVE } from '../command-options.ts'
import type { Site, Sites } from '../sites.ts'
import { matchesOf, type Match } from '../url-pattern.ts'
import { visible } from '../visible.ts'

/** `ftpwire rm`: files and folders go. */
export const rm: Command = {
  name: 'rm',
  operands: 'URL...',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'remove files, or with -r folders',
  description: ['Nothing is asked: -n shows what would go. Links are removed, never followed.'],
  options: [RECURSIVE, DRY_RUN, NO_GLOB],
  takes: 'connection',
  examples: [
    'ftpwire rm ftp://joe@ftp.example.com/old.txt',
    "ftpwire rm -n 'ftp://joe@ftp.example.com/logs/*.log'",
    'ftpwire rm -r ftp://joe@ftp.example.com/old/',
  ],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const sites = await Sites.open(invocation)
  const outcome = new Outcome(invocation)
  try {
    const matches: Match[] = []
    await outcome.each(operands, { counts: false, about: (url) => url }, async (url) => {
      matches.push(...(await matchesOf(url, sites, invocation)))
    })
    await outcome.each(matches, { about: ({ site }) => site.url }, (match) =>
      removeOne(match, sites, invocation),
    )
    return outcome.exitCode
  } finally {
    await sites.close()
  }
}

async function removeOne({ site, entry }: Match, sites: Sites, invocation: Invocation): Promise<void> {
  const { output, signal, values } = invocation
  const { client, target, url } = site
  const options = operationOptions(values, signal)
  const recursive = values.has('recursive')
  if (target.name === '' && (target.segments.at(-1) ?? '') === '') {
    throw usageError('the URL names no folder', 'rm')
  }
  const isFolder =
    target.name === '' || (entry ?? (recursive ? await client.stat(url, options) : undefined))?.type === 'dir'
  if (isFolder && !recursive) throw usageError('it is a folder: -r removes it', 'rm')
  if (values.has('dry-run')) {
    const inside = isFolder ? await pathsIn(sites.asFolder(site), options) : []
    const name = target.name === '' ? target.segments.at(-1) : target.name
    const paths = [...inside.map((path) => `${name}/${path}`), `${name}${isFolder ? '/' : ''}`]
    await output.write(paths.map((path) => `${visible(path)}\n`).join(''))
  } else if (isFolder) await client.removeTree(url, options)
  else await client.remove(url, options)
}

/** Everything in a folder, what is in a folder before the folder itself. */
async function pathsIn({ client, url }: Site, options: OperationOptions): Promise<string[]> {
  const paths: string[] = []
  await client.use(
    url,
    async (session) => {
      for await (const { path, type } of session.walk('')) paths.push(type === 'dir' ? `${path}/` : path)
    },
    options,
  )
  return paths.reverse()
}
