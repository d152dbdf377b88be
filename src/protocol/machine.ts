/**
 * What may follow what. RFC 959 §6 draws one diagram for each kind of command; here they are as data.
 * Every command that was sent plays its own diagram; commands of one flight play theirs one after the other.
 */
import type { ReplyKind } from './reply.ts'

/** Where one exchange, a command and its replies, stands. */
export type ExchangeState = 'awaiting' | 'transferring' | 'pending' | 'succeeded' | 'refused'

/** The kinds of exchange: one diagram each. */
export type ExchangeKind = 'greeting' | 'simple' | 'login' | 'sequence' | 'restart' | 'transfer'

type Transitions = Readonly<Partial<Record<ReplyKind, ExchangeState>>>
type Diagram = Readonly<Partial<Record<ExchangeState, Transitions>>>

/** The diagrams. A reply that has no arrow breaks the protocol: the connection is given up. */
export const EXCHANGES: Readonly<Record<ExchangeKind, Diagram>> = {
  // 120 "ready in nnn minutes" comes before the 220 (RFC 959 §5.4).
  greeting: {
    awaiting: { preliminary: 'awaiting', completion: 'succeeded', refusal: 'refused' },
  },
  // The first diagram: CWD, TYPE, PASV, DELE, SIZE …
  simple: {
    awaiting: { completion: 'succeeded', refusal: 'refused' },
  },
  // USER, PASS, ACCT: each may ask for the next one.
  login: {
    awaiting: { completion: 'succeeded', intermediate: 'pending', refusal: 'refused' },
  },
  // RNFR waits for RNTO. One server says 250 there and means 350 (VitaShell issue 248).
  sequence: {
    awaiting: { completion: 'pending', intermediate: 'pending', refusal: 'refused' },
  },
  // REST: only 350 says that the marker will be honoured; anything else would corrupt the file.
  restart: {
    awaiting: { intermediate: 'pending', refusal: 'refused' },
  },
  // The second diagram: RETR, STOR, LIST … The 1yz may be missing, or come twice.
  transfer: {
    awaiting: { preliminary: 'transferring', completion: 'succeeded', refusal: 'refused' },
    transferring: { preliminary: 'transferring', completion: 'succeeded', refusal: 'refused' },
  },
}

/** The state after `event`, or undefined where the reply is out of step. */
export function next(kind: ExchangeKind, state: ExchangeState, event: ReplyKind): ExchangeState | undefined {
  return EXCHANGES[kind][state]?.[event]
}

/** True where no further reply belongs to the exchange. */
export function isOver(state: ExchangeState): boolean {
  return state === 'succeeded' || state === 'refused' || state === 'pending'
}

/** Where a control connection as a whole stands. */
export type ConnectionState = 'greeting' | 'ready' | 'exchanging' | 'securing' | 'closed'

/** What can happen to a control connection. */
export type ConnectionEvent = 'send' | 'answered' | 'secure' | 'secured' | 'end'

/** The life of a control connection; `answered` means that no reply is outstanding any more. */
export const CONNECTION: Readonly<
  Record<ConnectionState, Readonly<Partial<Record<ConnectionEvent, ConnectionState>>>>
> = {
  greeting: { answered: 'ready', end: 'closed' },
  ready: { send: 'exchanging', secure: 'securing', end: 'closed' },
  exchanging: { send: 'exchanging', answered: 'ready', end: 'closed' },
  securing: { secured: 'ready', end: 'closed' },
  closed: { end: 'closed' },
}

/** The connection's state after `event`, or undefined where that is not allowed. */
export function nextConnectionState(
  state: ConnectionState,
  event: ConnectionEvent,
): ConnectionState | undefined {
  return CONNECTION[state][event]
}
