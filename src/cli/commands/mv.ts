import type { OperationOptions } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import { inFolder } from '../remote-path.ts'
import type { Site } from '../sites.ts'

/** `ftpwire mv`: another name, or another folder. */
export const mv: Command = {
  name: 'mv',
  operands: 'FROM-URL TO-URL',
  count: [2, 2],
  summary: 'rename a file or a folder, or move it on its server',
  description: [
    'Where TO-URL ends in a slash the name stays. What a server does about a name that is taken is its own ' +
      'affair: many replace it.',
  ],
  options: [],
  takes: 'connection',
  examples: ['ftpwire mv ftp://joe@ftp.example.com/draft.txt ftp://joe@ftp.example.com/done/'],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, values, signal } = invocation
  const { Sites } = await import('../sites.ts')
  const sites = await Sites.open(invocation)
  const options = operationOptions(values, signal)
  try {
    const from = sites.at(operands[0] ?? '')
    const to = sites.at(operands[1] ?? '')
    if (from.client !== to.client) throw usageError('both URLs must have the same server and user', 'mv')
    const { name } = from.target
    if (name === '') throw usageError('the first URL names no file: leave out the slash at its end', 'mv')
    const newName = to.target.name === '' ? name : to.target.name
    await from.client.rename(from.url, await pathOf(newName, from, sites.folder(to), options), options)
    return EXIT.ok
  } finally {
    await sites.close()
  }
}

/** Within one folder a name is enough; for another one the server itself says where it lies. */
async function pathOf(name: string, from: Site, folder: Site, options: OperationOptions): Promise<string> {
  const same = JSON.stringify(from.target.segments) === JSON.stringify(folder.target.segments)
  if (same) return name
  return inFolder(await folder.client.use(folder.url, (session) => session.pwd(), options), name)
}
