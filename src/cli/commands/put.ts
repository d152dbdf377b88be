import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { UploadMode, UploadResult } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { Failure, usageError } from '../failure.ts'
import type { Invocation } from '../invocation.ts'
import type { OptionValues } from '../option-values.ts'
import { ProgressBar, type Meter } from '../progress-bar.ts'
import { CONCURRENCY, CONTINUE, DEFAULT_CONCURRENCY, PARENTS, RETRIES } from '../command-options.ts'
import { sayDone } from '../say-done.ts'
import type { Site, Sites } from '../sites.ts'
import { TotalBar } from '../total-bar.ts'
import { visibleJson } from '../visible.ts'

/** `ftpwire put`: files to a server. */
export const put: Command = {
  name: 'put',
  operands: 'FILE... URL',
  count: [2, Number.POSITIVE_INFINITY],
  completes: 'file',
  summary: 'upload files',
  description: [
    'Where the URL ends in a slash the files go into that folder under their own names. - is standard input. ' +
      'A file that is there is replaced, unless an option says otherwise.',
  ],
  options: [
    { ...CONTINUE, summary: 'send what the file there lacks' },
    { name: 'append', short: 'a', summary: 'add to the end of the file that is there' },
    { name: 'no-clobber', summary: 'refuse where a file is there already' },
    PARENTS,
    RETRIES,
    CONCURRENCY,
  ],
  takes: 'connection',
  examples: [
    'ftpwire put report.txt ftp://joe@ftp.example.com/reports/',
    'tar cz . | ftpwire put - ftp://joe@ftp.example.com/backup.tgz',
  ],
  run,
}

const STANDARD_INPUT = '-'

async function run(invocation: Invocation): Promise<ExitCode> {
  const { operands, signal, terminal, values } = invocation
  const { Sites } = await import('../sites.ts')
  const { Outcome } = await import('../outcome.ts')
  const mode = modeOf(values)
  const concurrency = values.integer('concurrency', 1) ?? DEFAULT_CONCURRENCY
  const sites = await Sites.open(invocation, { maxSessions: concurrency })
  const outcome = new Outcome(invocation)
  try {
    const files = operands.slice(0, -1)
    const site = sites.at(operands.at(-1) ?? '')
    if (files.length > 1 && site.target.name !== '') {
      throw usageError('several files go into a folder: end the URL with a slash', 'put')
    }
    if (values.has('parents')) {
      const options = { ...operationOptions(values, signal), recursive: true }
      await site.client.mkdir(sites.folder(site).url, options)
    }
    const totals = files.length > 1 ? new TotalBar(terminal, files.length) : undefined
    await outcome.each(files, { concurrency, about: (file) => file }, (file) =>
      upload({ file, to: named(site, file, sites), mode, totals }, invocation),
    )
    totals?.clear()
    if (totals !== undefined) sayDone(`${files.length} files`, totals, invocation)
    return outcome.exitCode
  } finally {
    terminal.status('')
    await sites.close()
  }
}

function modeOf(values: OptionValues): UploadMode {
  const modes = (['continue', 'append', 'no-clobber'] as const).filter((name) => values.has(name))
  if (modes.length > 1) throw usageError(`--${modes.join(' and --')} exclude each other`, 'put')
  const [mode] = modes
  if (mode === undefined) return 'overwrite'
  return mode === 'continue' ? 'resume' : mode === 'append' ? 'append' : 'create'
}

function named(site: Site, file: string, sites: Sites): Site {
  if (site.target.name !== '') return site
  if (file === STANDARD_INPUT) throw usageError('standard input has no name: end the URL with one', 'put')
  return sites.beside(site, { name: basename(file) })
}

interface Upload {
  readonly file: string
  readonly to: Site
  readonly mode: UploadMode
  readonly totals: TotalBar | undefined
}

async function upload({ file, to, mode, totals }: Upload, invocation: Invocation): Promise<void> {
  const { output, terminal, values } = invocation
  if (file !== STANDARD_INPUT) await checkFile(file)
  const bar = new ProgressBar(terminal, to.target.name)
  const meter = totals?.meter(to.target.name) ?? bar
  try {
    const { bytes, verified } = await send({ file, to, mode, meter }, invocation)
    const { seconds } = bar
    if (values.has('json')) {
      const { redactUrl } = await import('../../index.ts')
      const url = redactUrl(to.url)
      await output.write(
        `${visibleJson({ file, url, bytes, verified, seconds: Number(seconds.toFixed(3)) })}\n`,
      )
    } else if (totals === undefined) {
      meter.clear()
      sayDone(to.target.name, { bytes, seconds }, invocation)
    }
  } finally {
    meter.clear()
  }
}

async function send(
  { file, to, mode, meter }: Omit<Upload, 'totals'> & { readonly meter: Meter },
  invocation: Invocation,
): Promise<UploadResult> {
  const { Retries } = await import('../retry.ts')
  const { signal, values } = invocation
  const retries = new Retries(invocation)
  const type =
    values.text('type') === 'a' || (to.target.type?.kind === 'representation' && to.target.type.type === 'A')
      ? 'A'
      : 'I'
  let current = mode
  for (;;) {
    let begun = false
    try {
      const source = file === STANDARD_INPUT ? createReadStream('', { fd: 0, autoClose: false }) : file
      return await to.client.put(source, to.url, {
        ...operationOptions(values, signal),
        mode: current,
        type,
        onProgress: (progress) => {
          begun ||= progress.bytes > 0
          meter.update(progress)
        },
      })
    } catch (error) {
      // What was read from standard input cannot be read again, and what was added would be added twice.
      const mayRepeat = file !== STANDARD_INPUT && type === 'I' && mode !== 'append'
      if (!mayRepeat || !(await retries.again(error, begun))) throw error
      if (begun) current = 'resume'
    }
  }
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new Failure(
      EXIT.local,
      `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  })
  if (found.isDirectory())
    throw new Failure(EXIT.local, `${file} is a folder: ftpwire mirror uploads folders`)
}
