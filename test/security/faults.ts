/** Injects one fault into one piece of work, and judges what comes of it. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FtpOptions } from '../../src/client/options.ts'
import { FTP_ERROR_CODES, FtpError } from '../../src/errors.ts'
import { startTableServer, type TableContext, type TransferTwist } from '../support/table-server.ts'
import type { Segment } from '../support/wire.ts'
import { FalseSuccess, serverFor, type FaultScenario } from './fault-scenarios.ts'
import { judgeLines, socketsOpen, TIMEOUTS, Watch } from './oracle.ts'
import { TimerWatch } from './timers.ts'

type Blow = (context: TableContext) => unknown

/** What a server may do when a command comes. */
const BLOWS: Readonly<Record<string, Blow>> = {
  reset: ({ control }) => control.rst(),
  end: ({ control }) => control.fin(),
  silence: () => undefined,
  garbage: ({ control }) => control.write(Buffer.from('\0\xff\xfe garbage \r\n', 'latin1')),
  half: async ({ control }) => {
    await control.write('2')
    await control.fin()
  },
  stale: async ({ send, normally }) => {
    await send('226 stale')
    await normally()
  },
  unavailable: ({ send }) => send('421 enough'),
  refused: ({ send }) => send('550 no'),
  'data reset': async ({ session, normally }) => {
    const work = normally()
    await sleep(1)
    session.transfer?.rst()
    await work
  },
  'reset behind': async ({ control, normally }) => {
    await normally()
    control.rst()
  },
  'end behind': async ({ control, normally }) => {
    await normally()
    await control.fin()
  },
  'garbage behind': async ({ control, normally }) => {
    await normally()
    await control.write('what?\r\n')
  },
  'stale behind': async ({ send, normally }) => {
    await normally()
    await send('226 stale')
  },
}

/** What the caller may do when a command is sent or a reply comes. */
const CALLERS = ['throw at command', 'throw at reply', 'abort at command', 'abort at reply'] as const

/** What may become of a data connection. */
const TWISTS: readonly TransferTwist[] = (['fin', 'rst', 'cut', 'never'] as const).flatMap((end) =>
  [0, 1, 4, 50_000, undefined].flatMap((bytes) =>
    ['226 done', '426 broken', ''].flatMap((closing) =>
      [false, true].map((closingFirst) => ({
        end,
        ...(bytes === undefined ? {} : { bytes }),
        closing,
        closingFirst,
      })),
    ),
  ),
)

export type Fault =
  | { readonly blow: string; readonly at: number }
  | { readonly caller: (typeof CALLERS)[number]; readonly at: number }
  | { readonly twist: TransferTwist; readonly at: number }

export interface Mode {
  readonly segment: Segment
  readonly pipelining: 'auto' | 'off' | 'full'
}

/** Short, because many servers fall silent. */
const IMPATIENT = { ...TIMEOUTS, connect: 500, tls: 500, reply: 120, stall: 120, finalReply: 120, abort: 60 }

interface Counts {
  commands: number
  replies: number
  transfers: number
}

/** Every fault at every event of the scenario. */
export async function faultsOf(scenario: FaultScenario, mode: Mode): Promise<Fault[]> {
  const counts = await play(scenario, mode, undefined)
  const range = (length: number): number[] => Array.from({ length }, (_, at) => at)
  return [
    ...Object.keys(BLOWS).flatMap((blow) => range(counts.commands).map((at) => ({ blow, at }))),
    ...CALLERS.flatMap((caller) =>
      range(caller.endsWith('command') ? counts.commands : counts.replies).map((at) => ({ caller, at })),
    ),
    ...TWISTS.flatMap((twist) => range(counts.transfers).map((at) => ({ twist, at }))),
  ]
}

/** Plays the scenario with the fault. Gives how often which event came. */
export async function play(scenario: FaultScenario, mode: Mode, fault: Fault | undefined): Promise<Counts> {
  const sockets = socketsOpen()
  const timers = new TimerWatch()
  const counts: Counts = { commands: 0, replies: 0, transfers: 0 }
  let received = 0
  const answer = async (_: string, context: TableContext): Promise<void> => {
    const at = received++
    const blow = fault !== undefined && 'blow' in fault && fault.at === at ? BLOWS[fault.blow] : undefined
    await (blow === undefined ? context.normally() : blow(context))
  }
  const watch = new Watch()
  const controller = new AbortController()
  const options = optionsFor(mode, counts, fault, controller)
  const server = await startTableServer({
    ...serverFor(scenario),
    segment: mode.segment,
    replies: new Proxy({}, { get: () => answer }),
    transfer: () => {
      const at = counts.transfers++
      return fault !== undefined && 'twist' in fault && fault.at === at ? fault.twist : {}
    },
  })
  const error = await scenario.run(server, options, controller.signal).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  try {
    judge(error, fault, scenario)
    await watch.untilAllGone()
    judgeLines(server.receivedBytes)
  } finally {
    watch.stop()
    timers.stop()
    await server.close()
  }
  while (socketsOpen() > sockets || timers.left > 0) await turn()
  return counts
}

function judge(error: unknown, fault: Fault | undefined, { unprovable }: FaultScenario): void {
  if (error === undefined) return
  const lie = fault !== undefined && 'twist' in fault && fault.twist.bytes !== undefined
  if (error instanceof FalseSuccess && unprovable === true && lie) return
  expect(fault, 'without a fault there is no error').toBeDefined()
  expect(error).toBeInstanceOf(FtpError)
  if (error instanceof FtpError) expect(FTP_ERROR_CODES).toContain(error.code)
}

function optionsFor(
  { pipelining }: Mode,
  counts: Counts,
  fault: Fault | undefined,
  controller: AbortController,
): FtpOptions {
  const caller = fault !== undefined && 'caller' in fault ? fault : undefined
  const event = (what: 'command' | 'reply', at: number): void => {
    if (caller === undefined || caller.at !== at || !caller.caller.endsWith(what)) return
    if (caller.caller.startsWith('throw')) throw new Error('from the callback')
    controller.abort(new Error('from the caller'))
  }
  return {
    pipelining,
    idleMs: 1000,
    timeouts: IMPATIENT,
    onCommand: () => event('command', counts.commands++),
    onReply: () => event('reply', counts.replies++),
  }
}
