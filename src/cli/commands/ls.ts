import type { Entry } from '../../index.ts'
import { columned } from '../columned.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { jsonOfEntry } from '../entry-shape.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import type { Invocation } from '../invocation.ts'
import { longListing } from '../long-listing.ts'
import { nameBytes } from '../name-bytes.ts'
import { isFtpError } from '../failure.ts'
import { NO_GLOB } from '../command-options.ts'
import type { Site, Sites } from '../sites.ts'
import { matchesOf, patternOf } from '../url-pattern.ts'
import { visible, visibleJson } from '../visible.ts'

/** `ftpwire ls`: what is in a folder. */
export const ls: Command = {
  name: 'ls',
  operands: 'URL',
  count: [1, 1],
  summary: 'list a folder',
  description: [
    'Names are sorted. On a terminal they stand in columns, and what is not plainly visible in them is ' +
      'escaped; elsewhere each stands on a line of its own, byte for byte as the server sent it.',
    'With -l each has a line with its permissions, owner, group, size, time and name, as far as the server ' +
      'tells them. Times are those of this machine, or of the server where its zone is unknown.',
    'With --json the result is an array of objects; without -l they have only a name. An octet that is no text ' +
      'in the encoding stands there as \\udc80 to \\udcff.',
  ],
  options: [
    { name: 'long', short: 'l', summary: 'one line for each, with size and time' },
    { name: 'bytes', short: 'b', summary: 'with -l: sizes in bytes' },
    { name: 'time', short: 't', summary: 'the latest first' },
    { name: 'size', short: 'S', summary: 'the largest first' },
    { name: 'reverse', short: 'r', summary: 'the other way round' },
    { name: 'unsorted', short: 'U', summary: 'in the order in which the server sends them' },
    { name: 'one', short: '1', summary: 'one name on a line, on a terminal too' },
    NO_GLOB,
  ],
  takes: 'connection',
  examples: [
    'ftpwire ls ftp://ftp.example.com/pub/',
    "ftpwire ls -lt 'ftp://ftp.example.com/pub/*.txt'",
    'ftpwire ls -l --json ftp://ftp.example.com/pub/',
  ],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { values, operands, output } = invocation
  const { Sites } = await import('../sites.ts')
  const sites = await Sites.open(invocation)
  const long = values.has('long')
  try {
    if (long || values.has('time') || values.has('size') || isPattern(invocation)) {
      const entries = sorted(await entriesOf(operands[0] ?? '', sites, invocation), invocation)
      if (!long)
        await writeNames(entries.map(({ name }) => name), invocation) // prettier-ignore
      else if (values.has('json'))
        await output.write(`${visibleJson(entries.map((one) => jsonOfEntry(one)))}\n`)
      else await output.write(longListing(entries, values.has('bytes')))
    } else {
      const site = sites.at(operands[0] ?? '')
      const names = await site.client.list(site.url, operationOptions(values, invocation.signal))
      if (!values.has('unsorted')) names.sort()
      await writeNames(values.has('reverse') ? names.reverse() : names, invocation)
    }
    return EXIT.ok
  } finally {
    await sites.close()
  }
}

function isPattern({ values, operands }: Invocation): boolean {
  return !values.has('no-glob') && patternOf(operands[0] ?? '') !== undefined
}

async function entriesOf(url: string, sites: Sites, invocation: Invocation): Promise<Entry[]> {
  if (isPattern(invocation)) {
    const matches = await matchesOf(url, sites, invocation)
    return matches.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
  }
  return listOrStat(sites.at(url), invocation)
}

/** A URL without a slash at its end may name a folder or a file. */
async function listOrStat({ client, target, url }: Site, { values, signal }: Invocation): Promise<Entry[]> {
  const options = operationOptions(values, signal)
  if (target.name === '') return client.entries(url, options)
  const entry = await client.stat(url, options)
  if (entry.type === 'file') return [entry]
  try {
    return await client.entries(url, options)
  } catch (error) {
    // A link to a file, or a thing of another kind.
    if (entry.type === 'dir' || !isFtpError(error) || error.reply === undefined) throw error
    return [entry]
  }
}

function sorted(entries: Entry[], { values }: Invocation): Entry[] {
  if (!values.has('unsorted')) {
    const byName = (one: Entry, other: Entry): number =>
      one.name < other.name ? -1 : Number(one.name > other.name)
    const timeOf = ({ modified }: Entry): number => modified?.getTime() ?? Number.NEGATIVE_INFINITY
    const sizeOf = ({ size = -1 }: Entry): number => size
    const key = values.has('time') ? timeOf : values.has('size') ? sizeOf : () => 0
    entries.sort((one, other) => key(other) - key(one) || byName(one, other))
  }
  return values.has('reverse') ? entries.reverse() : entries
}

async function writeNames(names: readonly string[], { output, values }: Invocation): Promise<void> {
  if (values.has('json')) await output.write(`${visibleJson(names.map((name) => ({ name })))}\n`)
  else if (!output.isTerminal) await output.write(nameBytes(names))
  else await output.write(columned(names.map(visible), values.has('one') ? 0 : output.columns))
}
