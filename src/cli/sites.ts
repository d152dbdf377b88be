/** Clients and sessions for the URLs of a run: one login for each server and user, asked for once. */
import {
  connect,
  formatFtpUrl,
  FtpClient,
  parseFtpUrl,
  planFor,
  type FtpOptions,
  type FtpSession,
  type FtpTarget,
} from '../index.ts'
import { askSecret } from './ask-secret.ts'
import { connectionOptions, operationOptions } from './connection-options.ts'
import type { Invocation } from './invocation.ts'
import { joinedPath } from './remote-path.ts'
import { findEntry, readNetrc, type Netrc } from './netrc.ts'

/** What a URL names, and who logs in there. */
export interface Site {
  readonly target: FtpTarget
  /** Names the user that the netrc file gave; its password does not stand there. */
  readonly url: string
  /** For this server and this user. */
  readonly options: FtpOptions
}

/** Everything that is connected to in a run. */
export class Sites {
  readonly #invocation: Invocation
  readonly #options: FtpOptions
  readonly #netrc: Netrc | undefined
  readonly #logins = new Map<string, FtpOptions>()
  readonly #clients = new Map<FtpOptions, FtpClient>()
  readonly #sessions = new Map<string, Promise<FtpSession>>()

  private constructor(invocation: Invocation, options: FtpOptions, netrc: Netrc | undefined) {
    this.#invocation = invocation
    this.#options = options
    this.#netrc = netrc
  }

  static async open(invocation: Invocation, more: FtpOptions = {}): Promise<Sites> {
    const { values, terminal } = invocation
    const options = { ...(await connectionOptions(values, terminal)), ...more }
    const netrc = values.has('netrc') ? await readNetrc(process.env) : undefined
    if (netrc?.exposed === true) terminal.warn(`${netrc.path} can be read by others: chmod 600 it`)
    return new Sites(invocation, options, netrc)
  }

  /** @throws FtpError `FTP_INVALID_URL`, `FTP_PORT_FORBIDDEN` */
  at(url: string): Site {
    const { allowPorts, encoding } = this.#options
    const named = parseFtpUrl(url, { allowPorts, encoding })
    // A password in the URL is the caller's last word.
    const entry =
      this.#netrc === undefined || named.password !== undefined
        ? undefined
        : findEntry(this.#netrc.entries, named.host, named.user)
    const target = { ...named, user: named.user ?? entry?.login }
    const { protocol, host, port, user, password } = target
    const key = JSON.stringify([protocol, host, port, user, password])
    let options = this.#logins.get(key)
    if (options === undefined) {
      options = {
        ...this.#options,
        ...(entry?.password === undefined ? {} : { password: entry.password }),
        ...(entry?.account === undefined ? {} : { account: entry.account }),
        onPassword: this.#once('Password', target),
        onAccount: this.#once('Account', target),
      }
      this.#logins.set(key, options)
    }
    return { target, options, url: formatFtpUrl(target, encoding) }
  }

  /** The same server and user, but another name in the same folder, or another folder. */
  beside({ target, options }: Site, change: Partial<Pick<FtpTarget, 'segments' | 'name' | 'type'>>): Site {
    const changed = { ...target, ...change }
    return { target: changed, options, url: formatFtpUrl(changed, options.encoding) }
  }

  /** The path of what the URL names, from the login folder. */
  path({ target, options }: Site): string {
    const { directories } = planFor({ ...target, name: '', type: undefined }, options)
    return joinedPath(directories, target.name)
  }

  /** The login folder of the same server and user. */
  root(site: Site): Site {
    return this.beside(site, { segments: [], name: '', type: undefined })
  }

  /** Fetches URLs of this server and user. */
  client({ options }: Site): FtpClient {
    let client = this.#clients.get(options)
    if (client === undefined) {
      client = new FtpClient(options)
      this.#clients.set(options, client)
    }
    return client
  }

  /**
   * A session in the folder of the URL: `a/b` for `a/b/c`. It is kept for the next URL with the same folder;
   * `lane` tells apart those that are at work at the same time.
   */
  async session(site: Site, lane = 0): Promise<FtpSession> {
    const { url, options } = this.beside(site, { name: '', type: undefined })
    const key = `${lane} ${url}`
    const kept = await this.#sessions.get(key)?.catch(() => undefined)
    if (kept?.alive === true) return kept
    const { values, signal } = this.#invocation
    const session = connect(url, { ...options, ...operationOptions(values, signal) })
    this.#sessions.set(key, session)
    return session
  }

  /** Says goodbye to all. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()].map(async (session) => (await session).close())
    const clients = [...this.#clients.values()].map((client) => client.close())
    await Promise.allSettled([...sessions, ...clients])
  }

  /** Several sessions of one user need one answer. */
  #once(what: 'Password' | 'Account', { user = 'anonymous', host }: FtpTarget): () => Promise<string> {
    const { signal, terminal } = this.#invocation
    let answer: Promise<string> | undefined
    const question = {
      prompt: `${what} for ${user}@${host}: `,
      signal,
      nobody:
        `the server asks for the ${what.toLowerCase()} of ${user}, and there is no terminal to ask on; ` +
        'put it into ~/.netrc and use --netrc',
    }
    return () => (answer ??= terminal.hold(() => askSecret(question)))
  }
}
