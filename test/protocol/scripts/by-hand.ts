/** Drives a script without sockets: what a server would answer is a table, what was asked for is written down. */
import { FtpError } from '../../../src/errors.ts'
import { Reply } from '../../../src/protocol/reply.ts'
import type { Request, Script, Step } from '../../../src/protocol/script.ts'

/** A reply to each command, by its text or by its verb; several are given one after the other. Others get 250. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

export interface Surroundings {
  /** As `transport/user-pi.ts` does it: together, or one by one until a refusal. Default true. */
  readonly pipelining?: boolean
  /** What the caller says when a secret is asked for; none throws. */
  readonly secret?: string
  /** Ports that cannot be reached. */
  readonly unreachable?: readonly number[]
}

export interface Played<T> {
  /** One line for each request; commands that leave together are joined by ` + `. */
  readonly log: string[]
  readonly value?: T
  readonly error?: FtpError
}

/** Plays the script to its end. An error that is no FtpError is thrown. */
export function play<T>(script: Script<T>, answers: Answers, around: Surroundings = {}): Played<T> {
  const log: string[] = []
  const given = new Map<string, number>()
  const replyTo = (step: Step): Reply => {
    const line = lineOf(step)
    const key = Object.hasOwn(answers, line) ? line : step.verb
    const answer = answers[key] ?? '250 ok'
    const turn = given.get(key) ?? 0
    given.set(key, turn + 1)
    const text = typeof answer === 'string' ? answer : (answer[Math.min(turn, answer.length - 1)] ?? '')
    return new Reply(Number(text.slice(0, 3)), [text.slice(4)])
  }
  try {
    let step = script.next()
    while (step.done !== true) {
      let answer: unknown
      try {
        answer = fulfil(step.value, replyTo, log, around)
      } catch (error) {
        step = script.throw(error)
        continue
      }
      step = script.next(answer)
    }
    return { log, value: step.value }
  } catch (error) {
    if (error instanceof FtpError) return { log, error }
    throw error
  }
}

function fulfil(
  request: Request,
  replyTo: (step: Step) => Reply,
  log: string[],
  around: Surroundings,
): unknown {
  switch (request.do) {
    case 'send':
      return send(request.flight, replyTo, log, around.pipelining ?? true)
    case 'dial': {
      log.push(`dial ${request.port}${request.address === undefined ? '' : ` at ${request.address}`}`)
      if (around.unreachable?.includes(request.port) === true)
        throw new FtpError('FTP_DATA_CONNECTION_FAILED', 'refused', { phase: 'data-connect' })
      return { port: request.port }
    }
    case 'listen':
      log.push('listen')
      return { data: { port: 5000 }, address: '192.0.2.1', family: 4, port: 5000 }
    case 'secure':
      log.push('secure')
      return undefined
    case 'ask':
      log.push(`ask ${request.what}`)
      if (around.secret === undefined) throw new FtpError('FTP_PASSWORD_REQUIRED', 'nobody to ask')
      return around.secret
  }
}

function send(
  flight: readonly Step[],
  replyTo: (step: Step) => Reply,
  log: string[],
  pipelining: boolean,
): readonly Reply[] {
  if (pipelining) {
    log.push(flight.map(lineOf).join(' + '))
    return flight.map(replyTo)
  }
  const replies: Reply[] = []
  for (const step of flight) {
    log.push(lineOf(step))
    const reply = replyTo(step)
    replies.push(reply)
    if (reply.kind === 'refusal' && step.optional !== true) break
  }
  return replies
}

function lineOf({ verb, argument }: Step): string {
  return argument === undefined ? verb : `${verb} ${String(argument)}`
}
