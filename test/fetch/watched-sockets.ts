/** The sockets that a call opens, so that a test can say that they are closed. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FtpOptions } from '../../src/index.ts'

/** The control connection is the first of the sockets. */
export class WatchedSockets {
  readonly all: Socket[] = []

  readonly options: FtpOptions = {
    connect: async ({ host, port }) => {
      const socket = connect({ host, port })
      this.all.push(socket)
      await once(socket, 'connect')
      return socket
    },
  }

  /** How many are open. */
  get open(): number {
    return this.all.filter(({ destroyed }) => !destroyed).length
  }
}
