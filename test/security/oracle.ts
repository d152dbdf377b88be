/** What holds for every attack, whatever its row says. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { FtpOptions } from '../../src/client/options.ts'
import { FTP_ERROR_CODES, FtpError } from '../../src/errors.ts'
import { CANARY, type Failure } from './row.ts'

/** Long for what must come, short for farewells. */
export const TIMEOUTS = {
  connect: 5000,
  tls: 5000,
  reply: 10_000,
  stall: 10_000,
  finalReply: 10_000,
  close: 30,
  abort: 300,
}

/** What may stand in a message: no C0 but a line feed, no DEL, no C1, nothing that turns text around. */
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const CHANNELS = ['ftpwire:command', 'ftpwire:reply', 'ftpwire:transfer'] as const

/** Whatever a watcher of the client sees. */
export class Watch {
  readonly events: string[] = []
  readonly dialled: string[] = []
  readonly sockets: Socket[] = []
  readonly #onSocket = (message: unknown): void => {
    this.sockets.push((message as { socket: Socket }).socket)
  }
  readonly #onEvent = (message: unknown): void => {
    this.events.push(inspect(message, { depth: 5 }))
  }

  constructor() {
    subscribe('net.client.socket', this.#onSocket)
    for (const name of CHANNELS) subscribe(name, this.#onEvent)
  }

  stop(): void {
    unsubscribe('net.client.socket', this.#onSocket)
    for (const name of CHANNELS) unsubscribe(name, this.#onEvent)
  }

  /** Every socket of this end goes by itself. */
  async untilAllGone(): Promise<void> {
    while (this.sockets.some((socket) => !socket.destroyed)) await turn()
  }

  get options(): FtpOptions {
    return {
      onCommand: (command) => this.events.push(command),
      onReply: (reply) => this.events.push(inspect(reply), reply.toString()),
      allowAddress: (address, port, purpose) => {
        if (purpose === 'data') this.dialled.push(`${address}:${port}`)
        return true
      },
    }
  }
}

/** The one kind of error, in one of the documented forms, which no terminal minds. */
export function judgeFailure(error: unknown, failure: Failure): void {
  expect(error).toBeInstanceOf(FtpError)
  if (!(error instanceof FtpError)) return
  const { or, ...exact } = failure
  expect([exact.code, or]).toContain(error.code)
  expect(error).toMatchObject({ ...exact, code: error.code })
  expect(FTP_ERROR_CODES).toContain(error.code)
  expect(error.phase).toBeDefined()
  expect(error.message).not.toMatch(UNPRINTABLE)
  expect(error.reply?.text ?? '').not.toMatch(UNPRINTABLE)
}

/** The password is in nothing that anybody may see. */
export function judgeSecrets(error: unknown, others: readonly unknown[], { events }: Watch): void {
  const shown = [
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(error) ?? '',
    String(error instanceof Error ? error.stack : error),
    ...others.map((value) => inspect(value, { depth: 9, showHidden: true })),
    ...events,
  ]
  for (const text of shown) expect(text).not.toContain(CANARY)
}

/** Whatever the server received is commands, one a line. */
export function judgeLines(received: Buffer): void {
  const lines = received.toString('latin1').split(/(?<=\r\n)/)
  for (const line of lines) if (line !== '') expect(line).toMatch(/^[A-Z][A-Z0-9]{2,7}( [^\r\n\0]*)?\r\n$/)
}

/** Sockets and timers of this process. */
export function handlesOpen(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length
}

/** Sockets and listeners of this process. */
export function socketsOpen(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length
}

/** Resolves when no more handles are open than before. */
export async function untilHandles(before: number): Promise<void> {
  while (handlesOpen() > before) await turn()
}
