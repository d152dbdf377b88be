/**
 * A PUT: the body becomes the file.
 */
import { FtpError, type UploadSource } from '../index.ts'
import type { Call } from './call.ts'
import { directoryUrl, type FetchRequest } from './read-request.ts'
import { respond } from './respond.ts'

/** Stores the body under the name in the URL; what is there already is replaced unless a condition forbids it. */
export async function putFile(request: FetchRequest, call: Call): Promise<Response> {
  const { target, options, url, headers, body, representation } = request
  const { type } = representation
  if (type !== 'A' && type !== 'I') return respond(url, 501, {})
  const source = sourceOf(body)
  const session = await call.connect(directoryUrl(target, options), options)
  const create = headers.get('if-none-match')?.trim() === '*'
  try {
    await session.upload(source, target.name, {
      type,
      mode: create ? 'create' : 'overwrite',
      signal: call.signal,
    })
  } catch (error) {
    if (!create || !isTaken(error)) throw error
    call.end()
    return respond(url, 412, {})
  }
  call.end()
  // FTP does not tell whether a file was there before.
  return respond(url, 201, { 'content-length': '0' })
}

/** Refused by this end, not by the server: there was a file. */
function isTaken(error: unknown): boolean {
  return error instanceof FtpError && error.code === 'FTP_REFUSED' && error.phase === 'arguments'
}

/** Every body that `fetch` takes. */
function sourceOf(body: unknown): UploadSource {
  if (body === null) return new Uint8Array(0)
  if (typeof body === 'string') return { text: body }
  if (body instanceof Uint8Array) return body
  if (typeof body === 'object' && Symbol.asyncIterator in body) return body as AsyncIterable<Uint8Array>
  // Blobs, buffers, forms and search parameters: a Response knows how to read them all.
  return new Response(body as ConstructorParameters<typeof Response>[0]).body ?? new Uint8Array(0)
}
