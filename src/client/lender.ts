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
  readonly #oneAtATime = new Set<string>()

  constructor(settings: Settings) {
    this.#settings = settings
    this.#pool = new SessionPool(settings)
  }

  /** Does the work on a session, again where that is safe and may help. */
  async lend<T>(request: LendRequest, work: (link: Link, reused: boolean) => Promise<Lent<T>>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, work)
      } catch (error) {
        const again = attempt < MOST_ATTEMPTS && !request.signal.aborted && request.mayRepeat()
        if (again && this.#mayHelp(error, request.target)) continue
        throw error instanceof Attempt ? error.reason : error
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #attempt<T>(
    request: LendRequest,
    work: (link: Link, reused: boolean) => Promise<Lent<T>>,
  ): Promise<T> {
    const { target, distance, signal } = request
    const settings = this.#settingsFor(target)
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
      throw new Attempt(error, { reused, crowded, pipelined: settings.pipelining !== 'off' })
    }
  }

  #settingsFor({ host, port }: LinkTarget): Settings {
    return this.#oneAtATime.has(`${host}:${port}`) ? { ...this.#settings, pipelining: 'off' } : this.#settings
  }

  #mayHelp(error: unknown, { host, port }: LinkTarget): boolean {
    if (!(error instanceof Attempt) || !(error.reason instanceof FtpError)) return false
    const { code, phase } = error.reason
    const lost = code === 'FTP_CONNECTION_CLOSED' || (code === 'FTP_SERVICE_UNAVAILABLE' && error.reused)
    if (error.reused && lost) return true
    const choked = error.crowded && mayBeChoked(error.reason)
    const unreachable =
      code === 'FTP_DATA_CONNECTION_FAILED' || (code === 'FTP_TIMEOUT' && phase === 'data-connect')
    if (!error.pipelined || !(choked || unreachable)) return false
    this.#oneAtATime.add(`${host}:${port}`)
    return true
  }
}

/** A failed attempt, and what speaks for another one. */
class Attempt extends Error {
  readonly reason: unknown
  readonly reused: boolean
  readonly crowded: boolean
  readonly pipelined: boolean

  constructor(reason: unknown, facts: { reused: boolean; crowded: boolean; pipelined: boolean }) {
    super('attempt')
    this.reason = reason
    this.reused = facts.reused
    this.crowded = facts.crowded
    this.pipelined = facts.pipelined
  }
}
