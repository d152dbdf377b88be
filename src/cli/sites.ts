/** Clients for the URLs of a run: one for each server and user, whose password is asked for once. */
import { formatFtpUrl, FtpClient, parseFtpUrl, type FtpOptions, type FtpTarget } from '../index.ts'
import { askSecret } from './ask-secret.ts'
import { connectionOptions } from './connection-options.ts'
import type { Invocation } from './invocation.ts'
import { findEntry, readNetrc, type Netrc } from './netrc.ts'

/** What a URL names, and who fetches it. */
export interface Site {
  readonly target: FtpTarget
  /** Names the user that the netrc file gave; its password does not stand there. */
  readonly url: string
  /** Equal for all URLs of one server and user. */
  readonly client: FtpClient
}

/** Everything that is connected to in a run. */
export class Sites {
  readonly #invocation: Invocation
  readonly #options: FtpOptions
  readonly #netrc: Netrc | undefined
  readonly #clients = new Map<string, FtpClient>()

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
    let client = this.#clients.get(key)
    if (client === undefined) {
      client = new FtpClient({
        ...this.#options,
        ...(entry?.password === undefined ? {} : { password: entry.password }),
        ...(entry?.account === undefined ? {} : { account: entry.account }),
        onPassword: this.#once('Password', target),
        onAccount: this.#once('Account', target),
      })
      this.#clients.set(key, client)
    }
    return { target, client, url: formatFtpUrl(target, encoding) }
  }

  /** The same server and user, but another name in the same folder, or another folder. */
  beside({ target, client }: Site, change: Partial<Pick<FtpTarget, 'segments' | 'name' | 'type'>>): Site {
    const changed = { ...target, ...change }
    return { target: changed, client, url: formatFtpUrl(changed, this.#options.encoding) }
  }

  /** The folder in which lies what the URL names: `a/b/` for `a/b/c`, and for itself. */
  folder(site: Site): Site {
    return this.beside(site, { name: '', type: undefined })
  }

  /** What the URL names, as a folder, whether it ends in a slash or not. */
  asFolder(site: Site): Site {
    const { segments, name } = site.target
    return name === ''
      ? site
      : this.beside(site, { segments: [...segments, name], name: '', type: undefined })
  }

  /** What all clients are made with. */
  get options(): FtpOptions {
    return this.#options
  }

  /** Says goodbye to all. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#clients.values()].map((client) => client.close()))
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
