/** One client for each server and user among the URLs of a run, and the passwords that they need. */
import { formatFtpUrl, FtpClient, parseFtpUrl, type FtpOptions, type FtpTarget } from '../index.ts'
import { askSecret } from './ask-secret.ts'
import { connectionOptions } from './connection-options.ts'
import type { Invocation } from './invocation.ts'
import { findEntry, readNetrc, type Netrc } from './netrc.ts'

/** A URL, and who is to fetch it. */
export interface Site {
  readonly client: FtpClient
  readonly target: FtpTarget
  /** Names the user that the netrc file gave; its password does not stand there. */
  readonly url: string
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

  static async open(invocation: Invocation): Promise<Sites> {
    const { operands, values, terminal } = invocation
    const options = {
      ...(await connectionOptions(values, terminal)),
      // One URL needs one connection, and nothing that only a second one would profit from.
      ...(operands.length === 1 ? { idleMs: 0 } : {}),
    }
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
    return { client, target, url: formatFtpUrl(target, encoding) }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
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
