import type { Entry } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { jsonOfEntry, timeOfEntry } from '../entry-shape.ts'
import type { ExitCode } from '../exit-code.ts'
import { humanBytes } from '../human.ts'
import type { Invocation } from '../invocation.ts'
import { visible, visibleJson } from '../visible.ts'

/** `ftpwire stat`: what the server knows of a file. */
export const stat: Command = {
  name: 'stat',
  operands: 'URL...',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'show what the server knows of a file or a folder',
  description: ['With --json each is an object on a line of its own.'],
  options: [],
  takes: 'connection',
  examples: ['ftpwire stat ftp://ftp.example.com/pub/hello.txt'],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, output, values, signal } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const sites = await Sites.open(invocation)
  const outcome = new Outcome(invocation)
  try {
    await outcome.each(operands, { about: (url) => url }, async (url) => {
      const site = sites.at(url)
      const entry = await site.client.stat(site.url, operationOptions(values, signal))
      await output.write(values.has('json') ? `${visibleJson(jsonOfEntry(entry))}\n` : described(entry))
    })
    return outcome.exitCode
  } finally {
    await sites.close()
  }
}

function described(entry: Entry): string {
  const { name, type, size, permissions, owner, group, linkTarget, modifiedZoneKnown } = entry
  const time = timeOfEntry(entry)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['name', name],
    ['type', { file: 'file', dir: 'folder', link: 'link', other: 'other' }[type]],
    ['size', size === undefined || type === 'dir' ? undefined : `${size} bytes (${humanBytes(size)})`],
    ['modified', time === '' ? undefined : `${time}${modifiedZoneKnown ? '' : " (the server's clock)"}`],
    ['permissions', permissions],
    ['owner', owner],
    ['group', group],
    ['leads to', linkTarget],
  ]
  return facts
    .map(([what, value]) => (value === undefined ? '' : `${`${what}:`.padEnd(13)}${visible(value)}\n`))
    .join('')
}
