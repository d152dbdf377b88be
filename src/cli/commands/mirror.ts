import type { MirrorOptions, MirrorOutcome, MirrorProgress, MirrorResult } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-code.ts'
import { usageError } from '../failure.ts'
import { humanBytes, humanSeconds } from '../human.ts'
import type { Invocation } from '../invocation.ts'
import { PATIENCE_SECONDS } from '../progress-bar.ts'
import {
  CONCURRENCY,
  DEFAULT_CONCURRENCY,
  DRY_RUN,
  EXCLUDE,
  INCLUDE,
  PARENTS,
  RETRIES,
} from '../command-options.ts'
import { totalLine } from '../total-bar.ts'
import { TransferClock } from '../transfer-clock.ts'
import { visible, visibleJson } from '../visible.ts'

/** `ftpwire mirror`: one folder made like another. */
export const mirror: Command = {
  name: 'mirror',
  operands: 'FROM TO',
  count: [2, 2],
  completes: 'folder',
  summary: 'make a folder like another, here or on a server',
  description: [
    'One of FROM and TO is a URL, the other a folder here. What is new or has changed is transferred, several ' +
      'files at a time; links and names that are not safe are left out. A file that fails does not stop the rest.',
    'With -n, -v or --json each file has a line on standard output.',
  ],
  options: [
    { name: 'delete', summary: 'remove from TO what FROM does not have' },
    DRY_RUN,
    INCLUDE,
    EXCLUDE,
    { ...PARENTS, summary: 'make TO and the folders above it, where it is on a server' },
    {
      name: 'compare',
      value: 'HOW',
      choices: ['size-time', 'size', 'always'],
      summary: 'when a file has changed: by size and time (the default), by size, or always',
    },
    { name: 'stop-on-error', summary: 'stop at the first file that fails' },
    CONCURRENCY,
    { ...RETRIES, summary: 'try a file again N times after the connection was lost (default 2)' },
  ],
  takes: 'connection',
  examples: [
    'ftpwire mirror ftp://ftp.example.com/pub/ pub',
    "ftpwire mirror -n --delete --exclude '.*' . ftp://joe@ftp.example.com/site/",
  ],
  run,
}

const isUrl = (operand: string): boolean => /^ftps?:\/\//i.test(operand)

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, signal, terminal, values } = invocation
  const [from = '', to = ''] = operands
  if (isUrl(from) === isUrl(to))
    throw usageError('one of FROM and TO is a URL, the other a folder here', 'mirror')
  const { Sites } = await import('../sites.ts')
  const concurrency = values.integer('concurrency', 1) ?? DEFAULT_CONCURRENCY
  const sites = await Sites.open(invocation, { maxSessions: concurrency })
  const report = new Report(invocation)
  try {
    const site = sites.asFolder(sites.at(isUrl(from) ? from : to))
    if (values.has('parents') && isUrl(to)) {
      await site.client.mkdir(site.url, { ...operationOptions(values, signal), recursive: true })
    }
    // A folder that is not there would be taken for an empty one.
    await site.client.use(site.url, () => Promise.resolve(), operationOptions(values, signal))
    const options = { ...mirrorOptions(invocation), concurrency, ...report.callbacks }
    const result = await (isUrl(from)
      ? site.client.mirror(site.url, to, options)
      : site.client.mirror(from, site.url, options))
    await report.end(result)
    return codeOf(result)
  } catch (error) {
    if (signal.aborted) terminal.later('the same command goes on with what is missing')
    throw error
  } finally {
    terminal.status('')
    await sites.close()
  }
}

function mirrorOptions({ values, signal }: Invocation): MirrorOptions {
  const retries = values.integer('retries', 0)
  const compare = values.text('compare') as 'size-time' | 'size' | 'always' | undefined
  const include = values.texts('include')
  const exclude = values.texts('exclude')
  return {
    signal,
    delete: values.has('delete'),
    dryRun: values.has('dry-run'),
    stopOnError: values.has('stop-on-error'),
    ...(retries === undefined ? {} : { retries }),
    ...(compare === undefined ? {} : { compare }),
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
  }
}

/** Some files failed; where nothing else was done, as the first of them did. */
function codeOf({ failed, files, unchanged, deleted, outcomes }: MirrorResult): ExitCode {
  if (failed === 0) return EXIT.ok
  if (files + unchanged + deleted > 0) return EXIT.partial
  const first = outcomes.find(({ error }) => error !== undefined)?.error
  return first === undefined ? EXIT.other : exitCodeOf(first)
}

const VERBS = {
  transferred: 'transfer',
  unchanged: 'unchanged',
  made: 'make',
  deleted: 'delete',
  skipped: 'skip',
  failed: 'fail',
} as const

/** Tells of each file as it comes, and of all at the end. */
class Report {
  readonly #invocation: Invocation
  readonly #clock: TransferClock
  /** Lines go out in the order of the outcomes. */
  #written: Promise<void> = Promise.resolve()
  #latest = ''

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#clock = new TransferClock(invocation.terminal)
  }

  get callbacks(): Pick<MirrorOptions, 'onOutcome' | 'onProgress'> {
    return {
      onOutcome: (outcome) => this.#tell(outcome),
      onProgress: (progress) => this.#draw(progress),
    }
  }

  async end(result: MirrorResult): Promise<void> {
    const { terminal, values } = this.#invocation
    const { files, bytes, unchanged, deleted, skipped, failed } = result
    await this.#written
    if (values.has('json')) {
      return this.#write(`${visibleJson({ files, bytes, unchanged, deleted, skipped, failed })}\n`)
    }
    const { seconds } = this.#clock
    const parts = [
      `${files} files ${values.has('dry-run') ? 'to transfer' : `(${humanBytes(bytes)}) in ${humanSeconds(seconds)}`}`,
      ...Object.entries({ unchanged, deleted, skipped, failed }).flatMap(([what, count]) =>
        count === 0 ? [] : [`${count} ${what}`],
      ),
    ]
    terminal.status('')
    terminal.note(parts.join(', '))
  }

  #tell(outcome: MirrorOutcome): void {
    const { signal, terminal, values } = this.#invocation
    const { path, action, bytes, reason, error } = outcome
    // What Ctrl-C broke off has not failed.
    if (signal.aborted && action === 'failed') return
    this.#latest = path
    if (values.has('json')) {
      void this.#write(`${visibleJson({ path, action, bytes, reason, code: error?.code })}\n`)
      return
    }
    if (action === 'failed')
      terminal.say(`${path}: ${oneLine(reason)}`, { head: 'ftpwire: ', style: 'error' })
    else if (action === 'skipped') terminal.warn(`${path}: left out: ${oneLine(reason)}`)
    else if ((values.has('dry-run') || values.has('verbose')) && action !== 'unchanged') {
      void this.#write(`${VERBS[action].padEnd(8)} ${visible(path)}\n`)
    }
  }

  #write(line: string): Promise<void> {
    this.#written = this.#written.then(() => this.#invocation.output.write(line))
    // A reader that is gone is noticed at the end.
    this.#written.catch(() => undefined)
    return this.#written
  }

  #draw({ files, bytes }: MirrorProgress): void {
    const { terminal } = this.#invocation
    const { seconds } = this.#clock
    if (terminal.quiet || seconds < PATIENCE_SECONDS) return
    const rate = this.#clock.rateAt(bytes)
    const facts = { name: this.#latest, files: undefined, done: files, bytes, rate, seconds }
    terminal.status(totalLine(facts, terminal.columns - 1))
  }
}

function oneLine(text = ''): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
}
