/** The steps that a scripted server plays: data, not code. */
import type { TlsChoice } from './certificates.ts'
import type { Segment } from './wire.ts'

export type Bytes = string | Uint8Array

/**
 * In strings that are sent, `{{pasv}}` stands for `127,0,0,1,p1,p2` and `{{port}}` for the port of the data door.
 * Nothing is added to what is sent: write `\r\n` where it shall be.
 */
export type Step =
  /** Waits for a line: this very text, or one that matches. Another line is a failure, which `close()` throws. */
  | { expect: string | RegExp }
  | { send: Bytes }
  /** One byte every so many milliseconds. */
  | { sendSlowly: Bytes; everyMs: number }
  /** In pieces that end at these offsets, each a segment of its own. */
  | { sendSplit: Bytes; at: readonly number[]; pauseMs?: number }
  /** The same again and again, until the client goes. */
  | { sendForever: Bytes; everyMs?: number }
  | { pauseMs: number }
  | { fin: 'control' | 'data' }
  | { rst: 'control' | 'data' }
  /** Ends TCP beneath TLS, without the closing alert. */
  | { cut: 'control' | 'data' }
  /** Opens a new data door on a free port. */
  | { openData: true }
  /** Shuts the door: the port that was told refuses connections. */
  | { shutData: true }
  /** Waits for the client's data connection; `'unread'` never reads from it. */
  | { acceptData: true | 'unread' }
  | { dataSend: Bytes; everyMs?: number; segment?: Segment }
  | { dataSendForever: Bytes; everyMs?: number }
  /** Waits until the client has ended the data connection, and ends it too; what came is in `uploads`. */
  | { dataReadToEnd: true }
  /** Waits until so many bytes of an upload have come, and goes on. */
  | { dataRead: number }
  /** Waits until the client has ended the control connection. */
  | { awaitEnd: true }
  | { startTls: TlsChoice }
  /** `cutAfterBytes`: the connection ends behind so many bytes of ciphertext; a record of TLS 1.3 has 22 of its own. */
  | { startDataTls: TlsChoice; cutAfterBytes?: number }

export type Script = readonly Step[]
