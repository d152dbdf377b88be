/**
 * Every cap and every deadline, each with its reason. All of them can be set through the option
 * `limits` (sizes) and `timeouts` (milliseconds).
 */

/** Caps on what a server, a URL or a caller can make this process hold. */
export interface Limits {
  /** One line of a reply, in bytes. Servers do send lines of 17,000 (curl's test 1003). Default 32 KiB. */
  readonly replyLineBytes: number
  /** A whole reply, in bytes. Room for a long welcome; an endless one ends here. Default 64 KiB. */
  readonly replyBytes: number
  /** Lines of a whole reply. Bounds what each line costs beside its bytes. Default 2,000. */
  readonly replyLines: number
  /** Preliminary (1yz) replies to one command. RFC 959 allows one; some servers send two. Default 16. */
  readonly preliminaryReplies: number
  /** A command with its argument and CRLF, in bytes: twice the longest path of common systems. Default 8 KiB. */
  readonly commandBytes: number
  /** One line of a listing, in bytes: curl and FileZilla stop at the same length. Default 10,000. */
  readonly listingLineBytes: number
  /** Entries of a listing that is gathered in an array; an iterator has no limit. Default 500,000. */
  readonly listingEntries: number
  /** Folders below the first one that a walk or a mirror goes down. Default 100. */
  readonly depth: number
  /** An ftp URL, in characters. Default 64 Ki. */
  readonly urlLength: number
  /** Path segments of an ftp URL, each of which is a `CWD`. Default 1,000. */
  readonly urlSegments: number
  /** Bytes that one download may bring before it is aborted. Default: no limit. */
  readonly downloadBytes: number
}

/** The limits that hold where the caller sets none. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  replyLineBytes: 32 * 1024,
  replyBytes: 64 * 1024,
  replyLines: 2000,
  preliminaryReplies: 16,
  commandBytes: 8 * 1024,
  listingLineBytes: 10_000,
  listingEntries: 500_000,
  depth: 100,
  urlLength: 64 * 1024,
  urlSegments: 1000,
  downloadBytes: Number.POSITIVE_INFINITY,
})

/** Deadlines, in milliseconds, one for each phase; `0` or `Infinity` turns one off. */
export interface Timeouts {
  /** From `connect` to an established TCP connection, control and data alike. Default 15,000. */
  readonly connect: number
  /** A TLS handshake. Default 15,000. */
  readonly tls: number
  /** From a command to its reply, however slowly the bytes of the reply drip. Default 60,000. */
  readonly reply: number
  /** Data that was asked for and does not move; a slow consumer does not count. Default 30,000. */
  readonly stall: number
  /** From the end of the data to the final reply. Default 30,000. */
  readonly finalReply: number
  /** For the farewell (`QUIT`) before the socket is destroyed. Default 1,000. */
  readonly close: number
  /** For a server to come back in step after an aborted transfer, before the connection is given up. Default 1,000. */
  readonly abort: number
}

/** The deadlines that hold where the caller sets none. */
export const DEFAULT_TIMEOUTS: Timeouts = Object.freeze({
  connect: 15_000,
  tls: 15_000,
  reply: 60_000,
  stall: 30_000,
  finalReply: 30_000,
  close: 1000,
  abort: 1000,
})

/**
 * Ports that belong to other protocols: the WHATWG Fetch Standard's list of bad ports, less FTP's own.
 * A URL may not point the control connection at one (a "cross-protocol" request), nor a server the data
 * connection (RFC 2577 §3).
 */
export const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 80, 87, 95, 101, 102, 103, 104, 109,
  110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 443, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 993, 995, 1719, 1720, 1723, 2049, 3306,
  3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  11211, 27017,
])

/** A data port below this belongs to a system service (RFC 2577 §3). */
export const LOWEST_DATA_PORT = 1024
