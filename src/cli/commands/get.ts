import type { Download, DownloadResult } from '../../index.ts'
import type { Command } from '../command.ts'
import { operationOptions } from '../connection-options.ts'
import { destinationFor } from '../destination.ts'
import type { ExitCode } from '../exit-code.ts'
import { usageError } from '../failure.ts'
import { humanBytes, humanSeconds } from '../human.ts'
import type { Invocation } from '../invocation.ts'
import { ProgressBar } from '../progress-bar.ts'
import type { Site } from '../sites.ts'
import { StandardOutput } from '../standard-output.ts'
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
    'A file that is saved has another name until it is whole: a name that is taken already goes from the old ' +
      'file to the new one at once, or not at all.',
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      completes: 'file',
      summary: 'save as FILE, replacing it; into a folder under its own name; - is standard output',
    },
    { name: 'force', short: 'f', summary: 'replace a file with the same name' },
  ],
  takes: 'connection',
  examples: [
    'ftpwire get ftp://ftp.example.com/pub/file.tgz -o file.tgz',
    'ftpwire get ftp://ftp.example.com/pub/file.tgz | tar xz',
    'ftpwire get --tls explicit ftp://joe@example.com/report.pdf -o .',
  ],
  run,
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { Sites } = await import('../sites.ts')
  const { eachOperand } = await import('../each-operand.ts')
  const sites = await Sites.open(invocation)
  try {
    return await eachOperand(invocation, async (url) => fetchOne(sites.at(url), invocation))
  } finally {
    await sites.close()
  }
}

async function fetchOne(site: Site, invocation: Invocation): Promise<void> {
  const { operands, output, signal, terminal, values } = invocation
  const destination = await destinationFor(site.target, {
    output,
    wanted: values.text('output'),
    force: values.has('force'),
    several: operands.length > 1,
  })
  if (destination.kind === 'standard-output') {
    if (values.has('json')) throw usageError('--json tells about a file that is saved: give -o FILE', 'get')
    await receive(site, invocation, {
      shows: !output.isTerminal,
      take: (download) => sendTo(output, download),
    })
    return
  }
  const { path } = destination
  const { bytes, verified, seconds } = await receive(site, invocation, {
    shows: true,
    take: (download) =>
      destination.kind === 'file' ? download.saveTo(path) : sendToDevice(path, download, signal),
  })
  if (values.has('json')) {
    await output.write(`${visibleJson({ path, bytes, verified, seconds: Number(seconds.toFixed(3)) })}\n`)
  } else if (terminal.isTerminal && !terminal.quiet) {
    const rate = humanBytes(bytes / Math.max(seconds, 0.001))
    terminal.say(`${path}: ${humanBytes(bytes)} in ${humanSeconds(seconds)} (${rate}/s)`)
  }
}

/** Downloads with a progress bar; the data go where `take` takes them. */
async function receive(
  { client, target, url }: Site,
  { signal, terminal, values }: Invocation,
  { shows, take }: { shows: boolean; take: (download: Download) => Promise<DownloadResult> },
): Promise<DownloadResult & { readonly seconds: number }> {
  const bar = new ProgressBar(terminal, target.name)
  try {
    const download = client.get(url, {
      ...operationOptions(values, signal),
      // Among data on the same screen a bar could not be told from them.
      onProgress: (progress) => shows && bar.update(progress),
    })
    const result = await take(download)
    return { ...result, seconds: bar.seconds }
  } finally {
    bar.clear()
  }
}

async function sendTo(output: StandardOutput, download: Download): Promise<DownloadResult> {
  for await (const chunk of download) await output.write(chunk as Uint8Array)
  return download.result
}

async function sendToDevice(path: string, download: Download, signal: AbortSignal): Promise<DownloadResult> {
  const device = await StandardOutput.open(path, signal)
  try {
    return await sendTo(device, download)
  } finally {
    await device.close()
  }
}
