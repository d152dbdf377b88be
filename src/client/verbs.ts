/**
 * The verbs of the module: one URL, one connection, nothing kept.
 */
import { commandsOf, planFor } from '../protocol/plan.ts'
import { parseFtpUrl } from '../protocol/url.ts'
import { FtpClient, type GetOptions, type ListOptions } from './client.ts'
import type { Download } from './download.ts'
import { settingsOf, splitOptions, type FtpOptions } from './options.ts'

/**
 * The file that an ftp URL names, as a stream that also has `bytes()`, `text()` and `saveTo(path)`. The
 * connection is opened when the data are asked for, and closed behind them; to keep it for the next URL, use
 * an {@link FtpClient}.
 *
 * @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN`, `FTP_INVALID_OPTION` at once; everything else
 * comes through the stream.
 * @example
 * await get('ftp://ftp.example.com/pub/file.tgz').saveTo('file.tgz')
 */
export function get(url: string | URL, options: FtpOptions & GetOptions = {}): Download {
  const { own, rest } = splitOptions(options, ['signal', 'timeoutMs', 'onProgress'])
  return once(rest).get(url, own)
}

/**
 * The names in the directory that an ftp URL names (`NLST`), without the path.
 *
 * @throws FtpError as {@link get} does.
 * @example
 * const names = await list('ftp://ftp.example.com/pub/')
 */
export async function list(url: string | URL, options: FtpOptions & ListOptions = {}): Promise<string[]> {
  const { own, rest } = splitOptions(options, ['signal', 'timeoutMs'])
  return once(rest).list(url, own)
}

/**
 * The commands that an ftp URL stands for, in order, without connecting. Passwords are `***`.
 *
 * @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN`, `FTP_INVALID_OPTION`.
 * @example
 * plan('ftp://ftp.example.com/%2Fetc/motd;type=a')
 * // ['USER anonymous', 'PASS ***', 'CWD /etc', 'TYPE A', 'PASV', 'RETR motd']
 */
export function plan(url: string | URL, options: FtpOptions = {}): string[] {
  const settings = settingsOf(options)
  const { limits, allowPorts, encoding } = settings
  return commandsOf(planFor(parseFtpUrl(url, { limits, allowPorts, encoding }), settings))
}

function once(options: FtpOptions): FtpClient {
  return new FtpClient({ ...options, idleMs: 0 })
}
