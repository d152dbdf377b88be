/**
 * Lends sessions for work that may have to be done again: on a fresh session where a kept one had died, and
 * without pipelining where the server choked on it.
 */
import { FtpError } from '../errors.ts'
import { mayBeChoked } from './in-step.ts'
import { Link } from './link.ts'
import type { LinkTarget } from './link-request.ts'
import { observerOf } from './observe.ts'
import type { Settings } from './options.ts'
import { SessionPool } from './pool.ts'

/** The attempts that one piece of work may take: as wished, on a fresh session, and without pipelining. */
const MOST_ATTEMPTS = 3

/** Who wants a session, and for what. */
export interface LendRequest {
  readonly target: LinkTarget
  readonly signal: AbortSignal
  /** How far a kept session is from where it is needed; undefined where it cannot get there. */
  readonly distance: (link: Link) => number | undefined
  /** False once the work has had an effect that must not be had twice. */
  readonly mayRepeat: () => boolean
}

/** What the work gives, and when its session is free again. */
export interface Lent<T> {
  readonly value: T
  readonly done: Promise<unknown>
}

/** Owns the pool, and remembers which servers want one command at a time. */
export class Lender {
  readonly #settings: Settings
  readonly #pool: SessionPool
  /** What was learned of a server, `host:port`: how to treat it so that work succeeds. */
  readonly #learned = new Map<string, Way>()

  constructor(settings: Settings) {
    this.#settings = settings
    this.#pool = new SessionPool(settings)
  }

  /** Does the work on a session, again where that is safe and may help. */
  async lend<T>(request: LendRequest, work: (link: Link, reused: boolean) => Promise<Lent<T>>): Promise<T> {
    const { host, port } = request.target
    const endpoint = `${host}:${port}`
    let way = this.#learned.get(endpoint) ?? {}
    let first: unknown
    for (let attempt = 1; ;) {
      try {
        const value = await this.#attempt(request, way, work)
        // Only now: a way that did not help either teaches nothing.
        if (Object.keys(way).length > 0) this.#learned.set(endpoint, way)
        return value
      } catch (error) {
        first ??= error instanceof Attempt ? error.reason : error
        // A kept session that had died costs no attempt: there are only so many of them.
        if (!isStale(error)) attempt++
        const again = attempt <= MOST_ATTEMPTS && !request.signal.aborted && request.mayRepeat()
        const next = again ? this.#wayAfter(error, way) : undefined
        if (next === undefined) throw toldFirst(first, error instanceof Attempt ? error.reason : error)
        way = next
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #attempt<T>(
    request: LendRequest,
    way: Way,
    work: (link: Link, reused: boolean) => Promise<Lent<T>>,
  ): Promise<T> {
    const { target, distance, signal } = request
    const settings = { ...this.#settings, ...way }
    const key = JSON.stringify(target)
    const open = (): Promise<Link> =>
      Link.connect(target, settings, signal, observerOf(settings, `${target.host}:${target.port}`))
    const { link, reused } = await this.#pool.borrow({ key, signal, distance, open })
    try {
      const { value, done } = await work(link, reused)
      const back = (): void => this.#pool.giveBack(key, link)
      done.then(back, back)
      return value
    } catch (error) {
      const crowded = link.pi.control.failedInFlight
      this.#pool.giveBack(key, link)
      // Some servers count their users only when they know the name.
      const full = !reused && !link.loggedIn && isUnavailable(error) && this.#pool.learn(key)
      const pipelined = settings.pipelining !== 'off'
      throw new Attempt(error, { replaceable: reused || full, crowded, pipelined })
    }
  }

  /** How to try again after `error`; undefined where another try would not help. */
  #wayAfter(error: unknown, way: Way): Way | undefined {
    if (!(error instanceof Attempt) || !(error.reason instanceof FtpError)) return undefined
    const { code, phase } = error.reason
    if (isStale(error)) return way
    if (!error.pipelined) return undefined
    if (error.crowded && mayBeChoked(error.reason)) return { ...way, pipelining: 'off' }
    const unreachable =
      code === 'FTP_DATA_CONNECTION_FAILED' || (code === 'FTP_TIMEOUT' && phase === 'data-connect')
    if (!unreachable) return undefined
    // PASV led nowhere: at most one more connection is tried, by the other command.
    const passive = this.#settings.passive === 'auto' ? 'epsv' : this.#settings.passive
    return { pipelining: 'off', passive }
  }
}

/** Settings under which a server works. */
type Way = Partial<Pick<Settings, 'pipelining' | 'passive'>>

/** That the port was out of reach says more than that the server does not know the other command. */
function toldFirst(first: unknown, last: unknown): unknown {
  const unknown = last instanceof FtpError && last.command === 'EPSV' && last.code === 'FTP_REFUSED'
  return unknown ? first : last
}

/** A session that had been kept was ended meanwhile by the server, or there is one to wait for: nothing was tried. */
function isStale(error: unknown): boolean {
  if (!(error instanceof Attempt) || !error.replaceable) return false
  const { reason } = error
  return isUnavailable(reason) || (reason instanceof FtpError && reason.code === 'FTP_CONNECTION_CLOSED')
}

function isUnavailable(error: unknown): boolean {
  return error instanceof FtpError && error.code === 'FTP_SERVICE_UNAVAILABLE'
}

/** A failed attempt, and what speaks for another one. */
class Attempt extends Error {
  readonly reason: unknown
  /** Another session can be had. */
  readonly replaceable: boolean
  readonly crowded: boolean
  readonly pipelined: boolean

  constructor(reason: unknown, facts: { replaceable: boolean; crowded: boolean; pipelined: boolean }) {
    super('attempt')
    this.reason = reason
    this.replaceable = facts.replaceable
    this.crowded = facts.crowded
    this.pipelined = facts.pipelined
  }
}
