/** Certificate and key of the server, as `node:tls` takes them. */
export interface FtpSrvTls {
  /** `'explicit'`: `AUTH TLS` is offered. `'implicit'`: TLS from the first byte. */
  mode: 'explicit' | 'implicit'
  cert: string | Buffer
  key: string | Buffer
  minVersion?: 'TLSv1.2' | 'TLSv1.3'
  maxVersion?: 'TLSv1.2' | 'TLSv1.3'
}

export interface FtpSrvOptions {
  /** The folder that is served. */
  root: string
  /** The working directory after login, below the root. Default `/`. */
  cwd?: string
  /**
   * `true`: `USER anonymous` gets 230 at once. `'asks'`: it gets 331, and any password that is not empty does.
   * Default `true` where there is no `user`, else `false`.
   */
  anonymous?: boolean | 'asks'
  user?: string
  password?: string
  /** Default `127.0.0.1`. */
  host?: '127.0.0.1' | '::1'
  tls?: FtpSrvTls
  /** Verbs that get 502. */
  blacklist?: readonly string[]
  /** The only verbs that do not get 502. */
  whitelist?: readonly string[]
  /** Lines of the greeting. */
  greeting?: string | string[]
  /** How long a transfer waits for its data connection before it gets 425. Default 5000. */
  dataTimeoutMs?: number
}

export interface FtpSrvServer extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** Every command line as it came, in order, over all connections. Secrets are left as they are. */
  readonly log: string[]
  /** One entry for each data connection over TLS: was a session resumed? */
  readonly dataResumed: boolean[]
  /** A URL of this server. `userInfo` is written as it is: `tester:secret`. */
  url(path?: string, userInfo?: string): string
  /** Ends every connection and listener; no handle is left. */
  close(): Promise<void>
}

export function startFtpSrv(options: FtpSrvOptions): Promise<FtpSrvServer>
