import type { Download } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { destinationFor, type Destination } from '../destination.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { Failure, usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import { ProgressBar, type Meter } from '../progress-bar.ts'
import { CONCURRENCY, CONTINUE, DEFAULT_CONCURRENCY, FORCE, NO_GLOB, RETRIES } from '../command-options.ts'
import { sayDone } from '../say-done.ts'
import type { Sites } from '../sites.ts'
import { StandardOutput } from '../standard-output.ts'
import { TotalBar } from '../total-bar.ts'
import { matchesOf, patternOf, type Match } from '../url-pattern.ts'
import { visibleJson } from '../visible.ts'

/** `ftpwire get`: files from URLs. */
export const get: Command = {
  name: 'get',
  operands: 'URL...',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'fetch files',
  description: [
    'Without -o a file goes to standard output, or, where that is a terminal, into the current folder under ' +
      'its own name, if that name is safe and not taken.',
    'A file that is saved is called FILE.part until it is whole, and only then FILE. Where the transfer breaks ' +
      'off, the part stays, and -c goes on with it.',
    'The last part of a URL may be a pattern: *.txt, [a-f]*. In a pattern ? is any one character; without * or ' +
      '[ it is itself, as an encoded character always is.',
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      completes: 'file',
      summary: 'save as FILE, replacing it; into a folder under its own name; - is standard output',
    },
    CONTINUE,
    FORCE,
    RETRIES,
    CONCURRENCY,
    NO_GLOB,
  ],
  takes: 'connection',
  examples: [
    'ftpwire get ftp://ftp.example.com/pub/hello.txt -o hello.txt',
    'ftpwire get -c ftp://ftp.example.com/pub/image.bin -o .',
    "ftpwire get 'ftp://ftp.example.com/pub/*.txt' -o texts/",
    'ftpwire get ftp://joe@example.com/backup.tgz | tar xz',
  ],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, terminal, values } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const concurrency = values.integer('concurrency', 1) ?? DEFAULT_CONCURRENCY
  // One URL needs one connection, and nothing that only a second one would profit from.
  const single = operands.length === 1 && patternOf(operands[0] ?? '') === undefined
  const sites = await Sites.open(invocation, { maxSessions: concurrency, ...(single ? { idleMs: 0 } : {}) })
  const outcome = new Outcome(invocation)
  try {
    const matches: Match[] = []
    await outcome.each(operands, { counts: false, about: (url) => url }, async (url) => {
      const found = await matchesOf(url, sites, invocation)
      matches.push(...found.filter(({ entry }) => entry === undefined || entry.type !== 'dir'))
    })
    const plan = new Plan(matches, invocation)
    await outcome.each(
      matches,
      { concurrency: plan.inOrder ? 1 : concurrency, about: ({ site }) => site.url },
      (match) => fetchOne(match, { plan, sites }, invocation),
    )
    if (plan.totals !== undefined) {
      const { bytes, seconds } = plan.totals
      plan.totals.clear()
      sayDone(`${matches.length} files`, { bytes, seconds }, invocation)
    }
    return outcome.exitCode
  } finally {
    terminal.status('')
    await sites.close()
  }
}

/** What holds for all files of one call. */
class Plan {
  readonly #invocation: Invocation
  readonly #several: boolean
  readonly #claimed = new Set<string>()
  /** One line for all files, where there are several. */
  readonly totals: TotalBar | undefined

  constructor(matches: readonly Match[], invocation: Invocation) {
    this.#invocation = invocation
    this.#several = matches.length > 1
    this.totals =
      this.#several && !this.inOrder ? new TotalBar(invocation.terminal, matches.length) : undefined
  }

  /** Data that go into one stream go one after the other. */
  get inOrder(): boolean {
    const { output, values } = this.#invocation
    const wanted = values.text('output')
    return wanted === '-' || wanted === '/dev/stdout' || (wanted === undefined && !output.isTerminal)
  }

  async destination({ site, entry }: Match): Promise<Destination> {
    const { output, values } = this.#invocation
    const destination = await destinationFor(site.target, {
      output,
      wanted: values.text('output'),
      force: values.has('force') || values.has('continue'),
      several: this.#several || entry !== undefined,
    })
    if (destination.kind !== 'file') return destination
    // Two transfers into one file, or one over what the other has just saved: neither was meant.
    if (this.#claimed.has(destination.path)) {
      throw new Failure(EXIT.local, `${destination.path} is where another file of this call goes`)
    }
    this.#claimed.add(destination.path)
    return destination
  }
}

interface Surroundings {
  readonly plan: Plan
  readonly sites: Sites
}

async function fetchOne(match: Match, around: Surroundings, invocation: Invocation): Promise<void> {
  const { site } = match
  const { plan, sites } = around
  const { output, terminal, values } = invocation
  const destination = await plan.destination(match)
  if (destination.kind !== 'file') return send(match, destination, invocation)
  const { path } = destination
  const { fetchFile } = await import('../fetch-file.ts')
  const bar = new ProgressBar(terminal, site.target.name)
  const meter = plan.totals?.meter(site.target.name) ?? bar
  const force = values.has('force')
  const resume = values.has('continue') && !force
  try {
    const fetched = await fetchFile({ site, path, resume, force, meter }, sites, invocation)
    meter.clear()
    const { seconds } = bar
    if (values.has('json')) {
      await output.write(`${visibleJson({ path, ...fetched, seconds: Number(seconds.toFixed(3)) })}\n`)
    } else if (plan.totals === undefined) {
      const { bytes, resumedAt } = fetched
      if (bytes === 0 && resumedAt > 0) terminal.note(`${path} is whole already`)
      else sayDone(path, { bytes, seconds }, invocation)
    }
  } finally {
    meter.clear()
  }
}

/** Into standard output, a device or a named pipe. */
async function send(
  { site }: Match,
  destination: Exclude<Destination, { kind: 'file' }>,
  { output, signal, terminal, values }: Invocation,
): Promise<void> {
  const isDevice = destination.kind === 'device'
  if (values.has('json') && !isDevice)
    throw usageError('--json tells about a file that is saved: give -o FILE', 'get')
  const to = isDevice ? await StandardOutput.open(destination.path, signal) : output
  const meter: Meter | undefined = to.isTerminal ? undefined : new ProgressBar(terminal, site.target.name)
  try {
    const download: Download = site.client.get(site.url, {
      ...operationOptions(values, signal),
      // Among data on the same screen a bar could not be told from them.
      onProgress: (progress) => meter?.update(progress),
    })
    for await (const chunk of download) await to.write(chunk as Uint8Array)
    if (isDevice && values.has('json')) {
      const { bytes, verified } = await download.result
      await output.write(`${visibleJson({ path: destination.path, bytes, resumedAt: 0, verified })}\n`)
    }
  } finally {
    meter?.clear()
    if (isDevice) await to.close()
  }
}
