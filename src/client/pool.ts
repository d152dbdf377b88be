/**
 * Sessions that are kept: lent to one user at a time, taken back only in step, closed when nobody wants them.
 */
import { FtpError } from '../errors.ts'
import { aborted } from '../transport/open-socket.ts'
import type { Link } from './link.ts'

/** What the pool has to know of one server and one login. */
interface Shelf {
  readonly idle: Array<{ readonly link: Link; timer: NodeJS.Timeout | undefined }>
  readonly waiting: Array<() => void>
  /** Sessions that are lent or being opened. */
  lent: number
  /** Learned from `421 too many connections`. */
  learned: { readonly limit: number; readonly until: number } | undefined
}

/** Servers forget their crowds: after a while one session more is tried again. */
const LEARNED_MS = 60_000

/** How the pool is to behave. */
export interface PoolSettings {
  readonly maxSessions: number
  readonly idleMs: number
}

/** Who wants a session. */
export interface LoanRequest {
  /** Everything that makes two sessions interchangeable: endpoint and login. */
  readonly key: string
  /** How far a kept session is from where it is needed; undefined where it cannot get there. */
  readonly distance: (link: Link) => number | undefined
  readonly open: () => Promise<Link>
  readonly signal: AbortSignal
}

/** A session on loan. */
export interface Loan {
  readonly link: Link
  /** True for a session that was used before: it may have died unnoticed. */
  readonly reused: boolean
}

/** Lends sessions. */
export class SessionPool {
  readonly #settings: PoolSettings
  readonly #shelves = new Map<string, Shelf>()
  /** Sessions whose end is awaited: once for each, however often it is lent. */
  readonly #watched = new WeakSet<Link>()
  /** Farewells that are under way. */
  readonly #closing = new Set<Promise<void>>()
  #closed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** A kept session that stands near, or a new one; waits where there are as many as may be. */
  async borrow(request: LoanRequest): Promise<Loan> {
    for (;;) {
      const shelf = this.#shelf(request.key)
      if (this.#closed) throw new FtpError('FTP_CLOSED', 'The client is closed.', { phase: 'arguments' })
      if (request.signal.aborted) {
        // It may have been woken for a session that the next one can have.
        shelf.waiting.shift()?.()
        throw aborted(request.signal.reason)
      }
      const kept = this.#nearest(shelf, request)
      if (kept !== undefined) {
        shelf.lent++
        kept.pi.control.setHolding(true)
        return { link: kept, reused: true }
      }
      if (shelf.lent < this.#limitOf(shelf)) {
        const link = await this.#openNew(shelf, request)
        if (link !== undefined) return { link, reused: false }
      } else await turn(shelf, request.signal)
    }
  }

  /** Takes a session back: kept if it is in step, closed otherwise. */
  giveBack(key: string, link: Link): void {
    const shelf = this.#shelf(key)
    shelf.lent--
    const inStep = link.idle
    if (inStep && this.#settings.idleMs > 0 && !this.#closed) this.#keep(shelf, link)
    else this.#dismissLink(link)
    shelf.waiting.shift()?.()
    this.#tidy(key, shelf)
  }

  /** The server has enough of us: true where there is a session of ours to wait for. */
  learn(key: string): boolean {
    const shelf = this.#shelf(key)
    const ours = shelf.lent + shelf.idle.length
    if (ours > 0) shelf.learned = { limit: ours, until: performance.now() + LEARNED_MS }
    return ours > 0
  }

  /** Closes all sessions that are not on loan and waits for it; the others close as they come back. */
  async close(): Promise<void> {
    this.#closed = true
    for (const shelf of this.#shelves.values()) {
      for (const { link, timer } of shelf.idle.splice(0)) {
        clearTimeout(timer)
        this.#dismissLink(link)
      }
      for (const wake of shelf.waiting.splice(0)) wake()
    }
    await Promise.all(this.#closing)
  }

  #dismissLink(link: Link): void {
    const closing = link.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #shelf(key: string): Shelf {
    const known = this.#shelves.get(key)
    if (known !== undefined) return known
    const shelf: Shelf = { idle: [], waiting: [], lent: 0, learned: undefined }
    this.#shelves.set(key, shelf)
    return shelf
  }

  #limitOf({ learned }: Shelf): number {
    const { maxSessions } = this.#settings
    return learned === undefined || learned.until < performance.now() ? maxSessions : learned.limit
  }

  /** A client may see any number of servers in its life. */
  #tidy(key: string, { idle, waiting, lent, learned }: Shelf): void {
    const isEmpty = idle.length === 0 && waiting.length === 0 && lent === 0 && learned === undefined
    if (isEmpty) this.#shelves.delete(key)
  }

  #nearest(shelf: Shelf, { distance }: LoanRequest): Link | undefined {
    let best: { at: number; distance: number } | undefined
    for (const [at, { link }] of shelf.idle.entries()) {
      const far = link.idle ? distance(link) : undefined
      if (far !== undefined && (best === undefined || far < best.distance)) best = { at, distance: far }
    }
    if (best === undefined) return undefined
    const [kept] = shelf.idle.splice(best.at, 1)
    clearTimeout(kept?.timer)
    return kept?.link
  }

  /** Undefined where the server has enough of us, and one of our sessions can be waited for. */
  async #openNew(shelf: Shelf, { key, open }: LoanRequest): Promise<Link | undefined> {
    shelf.lent++
    // A session that stands elsewhere makes room: the server may count connections too.
    if (shelf.lent + shelf.idle.length > this.#limitOf(shelf)) this.#dismiss(shelf)
    try {
      return await open()
    } catch (error) {
      shelf.lent--
      const full = error instanceof FtpError && error.code === 'FTP_SERVICE_UNAVAILABLE'
      if (full && this.learn(key)) return undefined
      shelf.waiting.shift()?.()
      this.#tidy(key, shelf)
      throw error
    }
  }

  #dismiss(shelf: Shelf): void {
    const oldest = shelf.idle.shift()
    if (oldest === undefined) return
    clearTimeout(oldest.timer)
    this.#dismissLink(oldest.link)
  }

  #keep(shelf: Shelf, link: Link): void {
    // Neither the socket nor the timer of an idle session keeps the process alive.
    link.pi.control.setHolding(false)
    const entry: Shelf['idle'][number] = { link, timer: undefined }
    const { idleMs } = this.#settings
    if (idleMs < 2 ** 31) entry.timer = setTimeout(() => this.#remove(shelf, entry), idleMs).unref()
    shelf.idle.push(entry)
    if (this.#watched.has(link)) return
    this.#watched.add(link)
    void link.pi.control.closed.then(() => {
      const over = shelf.idle.find((candidate) => candidate.link === link)
      if (over !== undefined) this.#remove(shelf, over)
    })
  }

  #remove(shelf: Shelf, entry: Shelf['idle'][number]): void {
    const at = shelf.idle.indexOf(entry)
    if (at === -1) return
    shelf.idle.splice(at, 1)
    clearTimeout(entry.timer)
    this.#dismissLink(entry.link)
  }
}

/** Resolves when a session may be free. */
function turn(shelf: Shelf, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      const at = shelf.waiting.indexOf(wake)
      if (at !== -1) shelf.waiting.splice(at, 1)
      reject(aborted(signal.reason))
    }
    signal.addEventListener('abort', stop, { once: true })
    shelf.waiting.push(wake)
  })
}
