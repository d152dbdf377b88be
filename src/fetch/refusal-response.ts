/**
 * A server's no, as HTTP would have said it.
 */
import { FtpError } from '../index.ts'
import type { FetchRequest } from './read-request.ts'
import { respond } from './respond.ts'

/**
 * The status for an error that is an answer: the server refused the request, or wants a password that nobody
 * has given. `undefined` for every other: there was no answer.
 */
export function statusOf({ code, kind, reply }: FtpError): number | undefined {
  switch (code) {
    case 'FTP_PASSWORD_REQUIRED':
    case 'FTP_ACCOUNT_REQUIRED':
      return 401
    case 'FTP_LOGIN_REFUSED':
      return kind === 'transient' ? 503 : 401
    case 'FTP_NOT_FOUND':
      return 404
    case 'FTP_NOT_SUPPORTED':
      return 501
    case 'FTP_SERVICE_UNAVAILABLE':
      return 503
    case 'FTP_REFUSED':
      return statusOfReply(reply?.code ?? 0, kind === 'transient')
    default:
      return undefined
  }
}

/** RFC 959 §4.2.2, number by number where HTTP has a word for it. */
function statusOfReply(code: number, transient: boolean): number {
  if (code === 452 || code === 552) return 507
  if (transient) return 503
  if (code === 530 || code === 532) return 401
  if (code === 500 || code === 502 || code === 504) return 501
  return code === 501 ? 400 : 403
}

/** The Response to a refusal, with the error's message as its text; `undefined` for an error that is none. */
export function refusalResponse(error: unknown, { url, method, target }: FetchRequest): Response | undefined {
  const status = error instanceof FtpError ? statusOf(error) : undefined
  if (!(error instanceof FtpError) || status === undefined) return undefined
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'ftp-error': error.code,
    'ftp-reply': error.reply?.code.toString(),
    // RFC 9110 §15.5.2 asks for it; `authorization: Basic` is a way to log in.
    'www-authenticate': status === 401 ? `Basic realm="${target.host}"` : undefined,
  }
  return respond(url, status, headers, method === 'HEAD' ? null : `${error.message}\n`)
}
