/**
 * Making a Response.
 */
import { STATUS_CODES } from 'node:http'
import type { ReadableStream } from 'node:stream/web'

/** A Response of the globals, from `url`, which must hold no secret. */
export function respond(
  url: string,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: ReadableStream<Uint8Array> | string | null = null,
): Response {
  const given = Object.entries(headers).filter(
    (header): header is [string, string] => header[1] !== undefined,
  )
  const statusText = STATUS_CODES[status] ?? ''
  return at(url, new Response(body, { status, statusText, headers: given }))
}

/** Only `fetch` itself can give a Response its `url`: the constructor takes none, so it is laid over. */
function at(url: string, response: Response): Response {
  const clone = (): Response => at(url, Response.prototype.clone.call(response))
  return Object.defineProperties(response, {
    url: { value: url, enumerable: true },
    clone: { value: clone },
  })
}
