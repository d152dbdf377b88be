import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { columned } from '../columned.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import type { Invocation } from '../invocation.ts'
import { nameBytes } from '../name-bytes.ts'
import { visible, visibleJson } from '../visible.ts'

/** `ftpwire ls`: the names in a folder. */
export const ls: Command = {
  name: 'ls',
  operands: 'URL',
  count: [1, 1],
  summary: 'list the names in a folder',
  description: [
    'Names are sorted. On a terminal they stand in columns, and what is not plainly visible in them is ' +
      'escaped; elsewhere each stands on a line of its own, byte for byte as the server sent it.',
    'With --json the result is an array of objects with the member "name"; an octet that is no text in the ' +
      'encoding stands there as \\udc80 to \\udcff.',
  ],
  options: [
    { name: 'one', short: '1', summary: 'one name on a line, on a terminal too' },
    { name: 'unsorted', short: 'U', summary: 'in the order in which the server sends them' },
  ],
  takes: 'connection',
  examples: ['ftpwire ls ftp://ftp.example.com/pub/', 'ftpwire ls --json ftp://joe@example.com/'],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { values, operands, output, signal } = invocation
  const { Sites } = await import('../sites.ts')
  const sites = await Sites.open(invocation)
  try {
    const { client, url } = sites.at(operands[0] ?? '')
    const names = await client.list(url, operationOptions(values, signal))
    if (!values.has('unsorted')) names.sort()
    if (values.has('json')) await output.write(`${visibleJson(names.map((name) => ({ name })))}\n`)
    else if (!output.isTerminal) await output.write(nameBytes(names))
    else await output.write(columned(names.map(visible), values.has('one') ? 0 : output.columns))
    return EXIT.ok
  } finally {
    await sites.close()
  }
}
