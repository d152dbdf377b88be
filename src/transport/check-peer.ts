/**
 * Whether a data connection has reached the server, and not somebody else.
 */
import net from 'node:net'
import { FtpError } from '../errors.ts'
import { isSameAddress } from './peer-address.ts'

/**
 * Resets a connection that came back to itself, as Linux makes one on loopback, or that was led elsewhere.
 * @throws FtpError
 */
export function checkPeer(socket: unknown, host: string): void {
  if (!(socket instanceof net.Socket)) return
  if (socket.localPort === socket.remotePort && isSameAddress(socket.localAddress, socket.remoteAddress)) {
    socket.resetAndDestroy()
    throw new FtpError(
      'FTP_DATA_CONNECTION_FAILED',
      'The data connection met itself: the port belongs to nobody.',
      { phase: 'data-connect' },
    )
  }
  if (
    net.isIP(host) !== 0 &&
    socket.remoteAddress !== undefined &&
    !isSameAddress(socket.remoteAddress, host)
  ) {
    socket.resetAndDestroy()
    throw new FtpError(
      'FTP_DATA_PEER_MISMATCH',
      'The data connection did not reach the server of the control connection.',
      { phase: 'data-connect' },
    )
  }
}
