export interface DelayLinkOptions {
  /** Where the server listens. Default `127.0.0.1`. */
  host?: string
  port: number
  roundTripMs: number
  /** The address of the link, another than the server's. Default `127.0.0.2`, which Linux has. */
  linkHost?: string
  /** Ports of data connections, for where TLS hides the replies that name them. */
  dataPorts?: readonly number[]
}

export interface DelayLink extends AsyncDisposable {
  readonly host: string
  /** The same as the server's. */
  readonly port: number
  close(): Promise<void>
}

export function startDelayLink(options: DelayLinkOptions): Promise<DelayLink>
