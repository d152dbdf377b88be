import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import type { ExitCode } from '../exit-code.ts'
import type { Invocation } from '../invocation.ts'
import { PARENTS } from '../command-options.ts'

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
  const options = { ...operationOptions(values, signal), recursive: values.has('parents') }
  try {
    await outcome.each(operands, { about: (url) => url }, async (url) => {
      const site = sites.at(url)
      await site.client.mkdir(site.url, options)
    })
    return outcome.exitCode
  } finally {
    await sites.close()
  }
}
