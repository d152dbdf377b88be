/**
 * A file as a Response.
 */
import type { ReadableStream } from 'node:stream/web'
import { FtpError, formatFtpUrl, get, type Download, type FtpSession } from '../index.ts'
import { bodyStream } from './body-stream.ts'
import { bytePart } from './byte-range.ts'
import type { Call } from './call.ts'
import { contentTypeOf } from './content-type.ts'
import { directoryUrl, type FetchRequest } from './read-request.ts'
import { respond } from './respond.ts'

/** The file that the URL names, or the part that `Range` asks for. */
export async function getFile(request: FetchRequest, call: Call): Promise<Response> {
  const { target, options, headers, dated } = request
  const type = sessionType(request)
  if (type === undefined || (!dated && !headers.has('range'))) {
    const { signal } = call
    return whole(get(formatFtpUrl(target, options.encoding), { ...options, signal }), request, call, {})
  }
  const session = await call.connect(directoryUrl(target, options), options)
  const modified = dated ? await modifiedOf(session, target.name, call) : undefined
  const about = {
    'last-modified': modified?.toUTCString(),
    'accept-ranges': type === 'I' && (await session.features()).has('REST') ? 'bytes' : undefined,
  }
  if (!changedSince(modified, headers.get('if-modified-since'))) {
    call.end()
    return respond(request.url, 304, about)
  }
  const range = type === 'I' && rangeHolds(modified, headers.get('if-range')) ? headers.get('range') : null
  try {
    const part = range === null ? undefined : await partial(session, range, request, call, about)
    if (part !== undefined) return part
  } catch (error) {
    if (!refusesRange(error)) throw error
    // Such a server may go on to refuse whatever follows on this connection.
    const headersLeft = new Headers(headers)
    headersLeft.delete('range')
    return getFile({ ...request, headers: headersLeft }, call)
  }
  return whole(session.download(target.name, { type, signal: call.signal }), request, call, about)
}

/** What `getFile` would tell of the file, without the file. */
export async function headFile(request: FetchRequest, call: Call): Promise<Response> {
  const { target, options, url, representation } = request
  const session = await call.connect(directoryUrl(target, options), options)
  const { type, size, modified } = await session.stat(target.name, { signal: call.signal })
  if (type === 'dir')
    throw new FtpError('FTP_NOT_FOUND', 'This is a directory: its URL ends with a slash.', {
      kind: 'permanent',
    })
  call.end()
  if (!changedSince(modified, request.headers.get('if-modified-since'))) return respond(url, 304, {})
  return respond(url, 200, {
    'content-type': typeHeader(request),
    // SIZE counts the bytes of an image: as text the file has another length.
    'content-length': representation.type === 'I' ? size?.toString() : undefined,
    'last-modified': modified?.toUTCString(),
  })
}

type Headings = Readonly<Record<string, string | undefined>>

async function whole(
  download: Download,
  request: FetchRequest,
  call: Call,
  about: Headings,
): Promise<Response> {
  const { size, body } = await opened(download, call)
  const length = { 'content-type': typeHeader(request), 'content-length': size?.toString() }
  return respond(request.url, 200, { ...length, ...about }, body)
}

/** `undefined` where there is nothing for it but the whole file, which RFC 9110 §14.2 allows. */
async function partial(
  session: FtpSession,
  range: string,
  request: FetchRequest,
  call: Call,
  about: Headings,
): Promise<Response | undefined> {
  const size = await session
    .size(request.target.name, { signal: call.signal })
    .catch(unlessAnswered(session, call))
  const part = size === undefined ? undefined : bytePart(range, size)
  if (size === undefined || part === undefined) return undefined
  if (part === 'unsatisfiable') {
    call.end()
    return respond(request.url, 416, { ...about, 'content-range': `bytes */${size}` })
  }
  const { first, last } = part
  // A part that reaches the end is not broken off, so that the server confirms it.
  const length = last === size - 1 ? {} : { length: last - first + 1 }
  const download = session.download(request.target.name, { offset: first, ...length, signal: call.signal })
  const { body } = await opened(download, call)
  const headers = {
    'content-type': typeHeader(request),
    'content-length': String(last - first + 1),
    'content-range': `bytes ${first}-${last}/${size}`,
  }
  return respond(request.url, 206, { ...headers, ...about }, body)
}

function refusesRange(error: unknown): boolean {
  return error instanceof FtpError && error.kind === 'permanent' && error.command?.startsWith('REST') === true
}

/** Rejects where the server refuses; what fails later fails the body. */
async function opened(
  download: Download,
  call: Call,
): Promise<{ size: number | undefined; body: ReadableStream<Uint8Array> }> {
  // Failures come through `opened` and through the chunks.
  download.on('error', () => undefined)
  const { size } = await download.opened
  return { size, body: bodyStream(download[Symbol.asyncIterator](), call) }
}

/** A time that cannot be had is no reason to go without the file. */
function modifiedOf(session: FtpSession, name: string, call: Call): Promise<Date | undefined> {
  return session.modified(name, { signal: call.signal }).catch(unlessAnswered(session, call))
}

function unlessAnswered(session: FtpSession, { signal }: Call): (error: unknown) => undefined {
  return (error) => {
    if (!session.alive || signal.aborted) throw error
    return undefined
  }
}

/** HTTP dates have whole seconds. */
function changedSince(modified: Date | undefined, since: string | null): boolean {
  const known = since === null ? Number.NaN : Date.parse(since)
  if (modified === undefined || Number.isNaN(known)) return true
  return Math.floor(modified.getTime() / 1000) * 1000 > known
}

/** RFC 9110 §13.1.5: a range of another version than the one that the client has is of no use to it. */
function rangeHolds(modified: Date | undefined, version: string | null): boolean {
  return version === null || (modified !== undefined && modified.toUTCString() === version)
}

/** The type in which a session downloads the file; `undefined` where only a URL can say it. */
function sessionType({ representation: { type, form } }: FetchRequest): 'A' | 'I' | undefined {
  return form === undefined && (type === 'A' || type === 'I') ? type : undefined
}

function typeHeader({ target, representation }: FetchRequest): string {
  return contentTypeOf(target.name, representation.type === 'A' ? 'text/plain' : undefined)
}
