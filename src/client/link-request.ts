/**
 * What a link is asked for, and what it gives.
 */
import type { Reply } from '../protocol/reply.ts'
import type { Credentials } from '../protocol/scripts/login.ts'
import type { TransferRequest } from '../protocol/scripts/transfer.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import type { DataEnd } from '../transport/data-socket.ts'
import type { TransferEnd } from '../transport/join-transfer.ts'
import type { TlsMode } from '../transport/settings.ts'

/** Which server, as whom. */
export interface LinkTarget {
  readonly host: string
  readonly port: number
  readonly tls: TlsMode
  readonly credentials: Credentials
}

/** One transfer over a link. */
export interface LinkTransfer extends Omit<TransferRequest, 'data'> {
  readonly direction: 'receive' | 'send'
  /** Called with the data connection as soon as it is begun. */
  readonly onData: (data: DataConnection) => void
  /** For uploads: what settles when everything was sent. Downloads end with the data connection itself. */
  readonly sent?: (() => Promise<DataEnd> | undefined) | undefined
  readonly mayBeEmpty?: boolean | undefined
  /** The session ends with the transfer: after an abort nobody needs it in step. */
  readonly last?: boolean | undefined
  /** The size, where it is known already: it vouches for the data. */
  readonly size?: number | undefined
}

/** A transfer that the server has agreed to. */
export interface StartedTransfer {
  readonly reply: Reply
  /** The size of the whole file, where the server told it. */
  readonly size: number | undefined
  readonly done: Promise<TransferEnd>
}
