/**
 * Breaking a connection off so that the other end notices. A server must not take half an upload for a whole
 * one, as it would where TCP or TLS ended in order.
 */
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** Resets `raw`, the TCP connection beneath `socket`, and destroys both. `secure`: TLS runs or begins between them. */
export function reset(raw: Duplex | undefined, socket: Duplex | undefined, secure: boolean): void {
  // The reset comes first: what is destroyed is ended in order, and cannot be reset any more.
  const now = (): void => {
    // Behind an end of this side it would fail, and Node would neither close the handle nor let it rest.
    const ended = raw?.writableEnded === true || socket?.writableEnded === true
    if (raw instanceof net.Socket && !(raw instanceof TLSSocket) && !ended) raw.resetAndDestroy()
    socket?.destroy()
    raw?.destroy()
  }
  // Node 20 dies of a reset from within a callback of the TLS above: it goes on writing to what is gone.
  if (secure) setImmediate(now)
  else now()
}
