/** One file from a server into a file here: gone on with where it broke off, whole before it has its name. */
import { rename } from 'node:fs/promises'
import { planFor, type Download, type OperationOptions, type Progress } from '../index.ts'
import { EXIT } from './exit-code.ts'
import { Failure, isFtpError } from './failure.ts'
import { humanBytes } from './human.ts'
import type { Invocation } from './invocation.ts'
import { operationOptions } from './connection-options.ts'
import { PartFile, partPathOf, sizeOfFile } from './part-file.ts'
import type { Meter } from './progress-bar.ts'
import { Retries } from './retry.ts'
import type { Site, Sites } from './sites.ts'

/** What is fetched, and whither. */
export interface FileFetch {
  readonly site: Site
  readonly path: string
  /** Go on with what is there. */
  readonly resume: boolean
  /** Replace a part that is there. */
  readonly force: boolean
  readonly meter: Meter
}

/** What came of it. */
export interface Fetched {
  /** Bytes that came now. */
  readonly bytes: number
  /** Bytes that were there before. */
  readonly resumedAt: number
  /** The server had told the size, and the file has it. */
  readonly verified: boolean
}

/** Fetches one file. */
export async function fetchFile(fetch: FileFetch, sites: Sites, invocation: Invocation): Promise<Fetched> {
  const { site, path } = fetch
  const operation = operationOptions(invocation.values, invocation.signal)
  const { representation } = planFor(site.target, sites.options)
  // Text is converted on its way: its bytes here are not those there, and nobody could say where to go on.
  if (representation.type !== 'I') return fetchText(fetch, operation)
  const found = fetch.resume ? await compare(fetch, sites, operation) : 'nothing'
  if (found === 'whole') {
    return { bytes: 0, resumedAt: (await sizeOfFile(path)) ?? 0, verified: true }
  }
  const part = await PartFile.open(path, fetch.resume ? 'continue' : fetch.force ? 'replace' : 'new')
  const resumedAt = part.size
  try {
    const verified = found === 'whole-part' || (await receive(part, fetch, sites, invocation))
    await part.finish()
    return { bytes: part.size - resumedAt, resumedAt, verified }
  } catch (error) {
    // What failed a check is not good; everything else is the beginning of the file.
    const spoilt = isFtpError(error) && error.kind === 'protocol' && error.code !== 'FTP_SHORT_TRANSFER'
    if (spoilt && part.size > resumedAt) await part.discard()
    else await leave(part, invocation)
    throw error
  }
}

async function leave(part: PartFile, { terminal }: Invocation): Promise<void> {
  await part.keep()
  if (part.size === 0) return
  const size = humanBytes(part.size)
  terminal.later(`${size} are kept in ${part.partPath}; the same command with -c goes on from there`)
}

async function fetchText({ site, path, meter }: FileFetch, operation: OperationOptions): Promise<Fetched> {
  const download = site.client.get(site.url, { ...operation, onProgress: (now) => meter.update(now) })
  const { bytes, verified } = await download.saveTo(path)
  return { bytes, resumedAt: 0, verified }
}

/**
 * Compares what is here with the size that the server tells. A file that is shorter, and has no part beside it,
 * becomes the part.
 */
async function compare(
  { site, path }: FileFetch,
  sites: Sites,
  operation: OperationOptions,
): Promise<'nothing' | 'part' | 'whole-part' | 'whole'> {
  const partPath = partPathOf(path)
  const part = await sizeOfFile(partPath)
  const here = part ?? (await sizeOfFile(path)) ?? 0
  if (here === 0) return 'nothing'
  const there = await site.client.use(
    sites.folder(site).url,
    (session) => session.size(site.target.name, operation),
    operation,
  )
  if (there === undefined) {
    throw new Failure(
      EXIT.refused,
      'the server tells no size, so that nobody can say where to go on; --force starts again',
    )
  }
  if (here > there) {
    throw new Failure(
      EXIT.local,
      `${part === undefined ? path : partPath} is longer than the file on the server; --force starts again`,
    )
  }
  if (part !== undefined) return here === there ? 'whole-part' : 'part'
  if (here === there) return 'whole'
  await rename(path, partPath)
  return 'part'
}

async function receive(
  part: PartFile,
  fetch: FileFetch,
  sites: Sites,
  invocation: Invocation,
): Promise<boolean> {
  const retries = new Retries(invocation)
  const resumedAt = part.size
  for (;;) {
    try {
      return await receiveFrom(part.size, part, fetch, sites, invocation)
    } catch (error) {
      if (!(await retries.again(error, part.size > resumedAt))) throw error
    }
  }
}

/** The whole file by its URL, which takes the fewest round trips; the rest of one in a session. */
async function receiveFrom(
  offset: number,
  part: PartFile,
  { site, meter }: FileFetch,
  sites: Sites,
  { values, signal }: Invocation,
): Promise<boolean> {
  const operation = operationOptions(values, signal)
  const options = {
    ...operation,
    onProgress: ({ bytes, size }: Progress) =>
      meter.update({ bytes: offset + bytes, size: size === undefined ? undefined : offset + size }),
  }
  const take = async (download: Download): Promise<boolean> => {
    for await (const chunk of download) await part.write(chunk as Uint8Array)
    return (await download.result).verified
  }
  if (offset === 0) return take(site.client.get(site.url, options))
  return site.client.use(
    sites.folder(site).url,
    (session) => take(session.download(site.target.name, { ...options, offset })),
    operation,
  )
}
