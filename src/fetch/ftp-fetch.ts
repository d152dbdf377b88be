/**
 * `fetch` for ftp URLs.
 */
import { Call } from './call.ts'
import { getDirectory } from './directory-response.ts'
import { getFile, headFile } from './file-response.ts'
import { putFile } from './put-file.ts'
import { namesDirectory, readRequest, type FetchRequest, type FtpFetchInit } from './read-request.ts'
import { refusalResponse } from './refusal-response.ts'
import { respond } from './respond.ts'

/**
 * Fetches an ftp or ftps URL as `fetch` does an http one: `GET` and `HEAD` of files and directories, and `PUT`
 * of files. What the server refuses is a Response: 401, 403, 404, 503 … A connection is opened for each call.
 *
 * @throws TypeError `fetch failed`, whose `cause` is the `FtpError`, where there was no answer: the network, a
 * time-out, a broken protocol, an invalid URL or option. Where `signal` has fired, its reason.
 * @example
 * const response = await ftpFetch('ftp://ftp.example.com/pub/hello.txt')
 * if (response.ok) console.log(await response.text())
 */
export async function ftpFetch(input: string | URL | Request, init: FtpFetchInit = {}): Promise<Response> {
  const request = read(input, init)
  const { signal } = request
  const call = new Call(signal)
  try {
    call.signal.throwIfAborted()
    return await answer(request, call)
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    const response = refusalResponse(error, request)
    if (response === undefined) {
      call.cancel(error)
      throw failed(error)
    }
    call.end()
    return response
  }
}

function answer(request: FetchRequest, call: Call): Promise<Response> {
  const { method, target } = request
  const directory = namesDirectory(target)
  if (method === 'GET') return directory ? getDirectory(request, call) : getFile(request, call)
  if (method === 'HEAD') return directory ? getDirectory(request, call) : headFile(request, call)
  if (method === 'PUT' && !directory) return putFile(request, call)
  call.end()
  return Promise.resolve(respond(request.url, 405, { allow: directory ? 'GET, HEAD' : 'GET, HEAD, PUT' }))
}

function read(input: string | URL | Request, init: FtpFetchInit): FetchRequest {
  try {
    return readRequest(input, init)
  } catch (error) {
    throw error instanceof TypeError ? error : failed(error)
  }
}

function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}
