import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import type { ExitCode } from '../exit-code.ts'
import { usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import { PARENTS } from '../shared-options.ts'
import type { Site } from '../sites.ts'

/** `ftpwire mkdir`: new folders. */
export const mkdir: Command = {
  name: 'mkdir',
  operands: 'URL...',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'make folders',
  description: ['With -p it is no error if a folder is there already.'],
  options: [PARENTS],
  takes: 'connection',
  examples: ['ftpwire mkdir -p ftp://joe@ftp.example.com/2026/reports/'],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, values, signal } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const sites = await Sites.open(invocation)
  const outcome = new Outcome(invocation)
  const options = operationOptions(values, signal)
  try {
    await outcome.each(operands, { about: (url) => url }, async (url) => {
      const site = sites.beside(sites.at(url), folderOf(sites.at(url)))
      if (!values.has('parents')) {
        await (await sites.session(site)).mkdir(site.target.name, options)
        return
      }
      const session = await sites.session(sites.root(site))
      await session.mkdir(sites.path(site), { ...options, recursive: true })
    })
    return outcome.exitCode
  } finally {
    await sites.close()
  }
}

/** `a/b/` names the folder that `a/b` names. */
function folderOf({ target: { segments, name } }: Site): { segments: readonly string[]; name: string } {
  if (name !== '') return { segments, name }
  const last = segments.at(-1)
  if (last === undefined || last === '') throw usageError('the URL names no folder', 'mkdir')
  return { segments: segments.slice(0, -1), name: last }
}
