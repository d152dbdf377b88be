import { describe, expect, test } from 'vitest'
import {
  CONNECTION,
  isOver,
  next,
  nextConnectionState,
  type ConnectionEvent,
  type ConnectionState,
  type ExchangeKind,
  type ExchangeState,
} from '../../src/protocol/machine.ts'
import type { ReplyKind } from '../../src/protocol/reply.ts'

const STATES: readonly ExchangeState[] = ['awaiting', 'transferring', 'pending', 'succeeded', 'refused']
const REPLIES: readonly ReplyKind[] = ['preliminary', 'completion', 'intermediate', 'refusal']

/** The diagrams of RFC 959 §6 as they must stand; whatever is missing here must be missing there. */
const ARROWS: Readonly<Record<ExchangeKind, readonly string[]>> = {
  greeting: ['awaiting preliminary awaiting', 'awaiting completion succeeded', 'awaiting refusal refused'],
  simple: ['awaiting completion succeeded', 'awaiting refusal refused'],
  login: ['awaiting completion succeeded', 'awaiting intermediate pending', 'awaiting refusal refused'],
  sequence: ['awaiting completion pending', 'awaiting intermediate pending', 'awaiting refusal refused'],
  restart: ['awaiting intermediate pending', 'awaiting refusal refused'],
  transfer: [
    'awaiting preliminary transferring',
    'awaiting completion succeeded',
    'awaiting refusal refused',
    'transferring preliminary transferring',
    'transferring completion succeeded',
    'transferring refusal refused',
  ],
}

describe('exchanges', () => {
  test.each(Object.entries(ARROWS))('%s: these arrows and no other', (kind, arrows) => {
    const drawn = STATES.flatMap((from) =>
      REPLIES.map((reply) => [from, reply, next(kind as ExchangeKind, from, reply)] as const),
    )
    expect(drawn.filter(([, , to]) => to !== undefined).map((arrow) => arrow.join(' '))).toEqual(arrows)
  })

  test('an exchange is over where no reply can follow', () => {
    for (const state of STATES) {
      const kinds = Object.keys(ARROWS) as ExchangeKind[]
      const goesOn = kinds.some((kind) => REPLIES.some((reply) => next(kind, state, reply) !== undefined))
      expect(isOver(state)).toBe(!goesOn)
    }
  })
})

describe('the connection', () => {
  const EVENTS: readonly ConnectionEvent[] = ['send', 'answered', 'secure', 'secured', 'end']

  test('these arrows and no other', () => {
    const states = Object.keys(CONNECTION) as ConnectionState[]
    const drawn = states.flatMap((from) =>
      EVENTS.map((event) => [from, event, nextConnectionState(from, event)] as const),
    )
    expect(drawn.filter(([, , to]) => to !== undefined).map((arrow) => arrow.join(' '))).toEqual([
      'greeting answered ready',
      'greeting end closed',
      'ready send exchanging',
      'ready secure securing',
      'ready end closed',
      'exchanging send exchanging',
      'exchanging answered ready',
      'exchanging end closed',
      'securing secured ready',
      'securing end closed',
      'closed end closed',
    ])
  })

  test('nothing is sent before the greeting, during the handshake, or after the end', () => {
    for (const state of ['greeting', 'securing', 'closed'] as const)
      expect(nextConnectionState(state, 'send')).toBeUndefined()
  })
})
