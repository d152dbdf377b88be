/**
 * A directory as a Response: JSON for programs, an HTML page for people.
 */
import type { Entry, FtpTarget } from '../index.ts'
import { bodyStream } from './body-stream.ts'
import type { Call } from './call.ts'
import { htmlIndex } from './html-index.ts'
import { jsonArray } from './json-array.ts'
import { prefersHtml } from './prefers-html.ts'
import { directoryUrl, type FetchRequest } from './read-request.ts'
import { respond } from './respond.ts'

/** Smaller pieces cost more to pass on than to hold back. */
const PIECE = 16 * 1024

/** The listing of the directory that the URL names; for `HEAD`, only whether it is there. */
export async function getDirectory(request: FetchRequest, call: Call): Promise<Response> {
  const { target, options, url, method, headers } = request
  const directory = entered(target)
  const session = await call.connect(directoryUrl(directory, options), options)
  const html = prefersHtml(headers.get('accept'))
  const about = {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json',
    vary: 'accept',
  }
  if (method === 'HEAD') {
    call.end()
    return respond(url, 200, about)
  }
  const entries = session.list(undefined, { signal: call.signal })[Symbol.asyncIterator]()
  // The server has its say with the first entry: what it refuses is no listing.
  const rest = resumed(await entries.next(), entries)
  const text = html
    ? htmlIndex(rest, { url, prefix: prefixOf(request, directory), hasParent: directory.segments.length > 0 })
    : jsonArray(rest)
  return respond(url, 200, about, bodyStream(inPieces(text), call))
}

/** `;type=d` names the directory as it would name a file; to list it, a session goes into it. */
function entered(target: FtpTarget): FtpTarget {
  const segments = target.name === '' ? target.segments : [...target.segments, target.name]
  return { ...target, segments, name: '', type: undefined }
}

/** What relative links need in front, where the URL does not end with the slash of its directory. */
function prefixOf({ target, options }: FetchRequest, directory: FtpTarget): string {
  if (target.name === '') return ''
  const path = directoryUrl(directory, options)
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1)
}

async function* resumed(
  first: IteratorResult<Entry, void>,
  entries: AsyncGenerator<Entry, void>,
): AsyncGenerator<Entry, void> {
  if (first.done === true) return
  yield first.value
  yield* entries
}

async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let piece = ''
  for await (const part of text) {
    piece += part
    if (piece.length < PIECE) continue
    yield encoder.encode(piece)
    piece = ''
  }
  yield encoder.encode(piece)
}
