/**
 * Making one tree like another: the options, the outcome, and the workers that both directions share.
 */
import { setMaxListeners } from 'node:events'
import { FtpError } from '../errors.ts'
import { tell } from '../transport/call-back.ts'
import { anyGlob } from './glob.ts'
import type { FtpSession } from './session.ts'
import { TaskQueue } from './task-queue.ts'

/** What a mirror may be told. */
export interface MirrorOptions {
  /** Only files whose path below the source matches one of these patterns. Default: all. */
  readonly include?: string | readonly string[]
  /** No file and no folder whose path matches one of these. Default: none. */
  readonly exclude?: string | readonly string[]
  /** Remove what the source does not have. Nothing is removed where a folder could not be listed. Default false. */
  readonly delete?: boolean
  /** Sessions at the same time. Default: as many as the client's `maxSessions`. */
  readonly concurrency?: number
  /** When a file counts as unchanged: size and time, size alone, or never. Default `'size-time'`. */
  readonly compare?: 'size-time' | 'size' | 'always'
  /** Say what would be done, and do nothing. Default false. */
  readonly dryRun?: boolean
  /** How often a file is tried again after a lost connection. Default 2. */
  readonly retries?: number
  /** Stop at the first failure. Default false: go on with the rest. */
  readonly stopOnError?: boolean
  /** Maps a name that cannot be a local one to one that can; undefined leaves it out. */
  readonly renameUnsafe?: (name: string) => string | undefined
  /** Sees each outcome as it comes. */
  readonly onOutcome?: (outcome: MirrorOutcome) => void
  /** Called about ten times a second: totals so far. */
  readonly onProgress?: (progress: MirrorProgress) => void
  /** Ends the mirror; what was begun is broken off. */
  readonly signal?: AbortSignal
}

/** The names of {@link MirrorOptions}. */
export const MIRROR_NAMES: ReadonlyArray<keyof MirrorOptions> = [
  'include', 'exclude', 'delete', 'concurrency', 'compare', 'dryRun', 'retries', 'stopOnError', 'renameUnsafe',
  'onOutcome', 'onProgress', 'signal',
] // prettier-ignore

/** What became of one path. */
export interface MirrorOutcome {
  /** The path below the source, with `/` between segments. */
  readonly path: string
  /** What was done with it; `skipped` names a `reason`, `failed` an `error`. */
  readonly action: 'transferred' | 'unchanged' | 'made' | 'deleted' | 'skipped' | 'failed'
  /** Bytes transferred. */
  readonly bytes: number
  /** Why it was skipped, or the error. */
  readonly reason?: string
  /** The error, where the action is `failed`. */
  readonly error?: FtpError
}

/** Totals. */
export interface MirrorProgress {
  /** Files transferred. */
  readonly files: number
  /** Bytes transferred. */
  readonly bytes: number
  /** Paths that failed. */
  readonly failed: number
}

/** What a mirror did. */
export interface MirrorResult extends MirrorProgress {
  /** One for each path, in the order in which they were done. */
  readonly outcomes: readonly MirrorOutcome[]
  /** Files left alone, because they are the same on both sides. */
  readonly unchanged: number
  /** Paths removed, by the option `delete`. */
  readonly deleted: number
  /** Paths left out, each with its reason. */
  readonly skipped: number
}

/** Runs work on a session that stands in the remote folder. */
export type WithSession = <T>(work: (session: FtpSession) => Promise<T>, signal: AbortSignal) => Promise<T>

/** One thing to do with a session. */
export type MirrorTask = {
  readonly path: string
  readonly attempt: number
  readonly run: (session: FtpSession) => Promise<void>
}

/** Gathers outcomes and drives the workers. */
export class MirrorRun {
  readonly options: MirrorOptions
  readonly queue = new TaskQueue<MirrorTask>()
  readonly isExcluded: (path: string) => boolean
  readonly isIncluded: (path: string) => boolean
  readonly #outcomes: MirrorOutcome[] = []
  readonly #stopper = new AbortController()
  #files = 0
  #bytes = 0
  #failed = 0
  #failure: FtpError | undefined

  constructor(options: MirrorOptions) {
    this.options = options
    // Every session that works listens to it: Node takes more than ten for a leak.
    setMaxListeners(0, this.#stopper.signal)
    this.isExcluded = anyGlob(options.exclude, false)
    this.isIncluded = anyGlob(options.include, true)
  }

  /** Fires when the caller's signal does, or at the first failure where that ends everything. */
  get signal(): AbortSignal {
    return this.#stopper.signal
  }

  /** True where something failed: then nobody knows what the other side lacks. */
  get failed(): boolean {
    return this.#failed > 0
  }

  report(outcome: MirrorOutcome): void {
    this.#outcomes.push(outcome)
    if (outcome.action === 'transferred') this.#files++
    this.#bytes += outcome.bytes
    if (outcome.action === 'failed') this.#fail(outcome)
    const stop = (error: FtpError): void => this.#stop(error)
    tell('onOutcome', () => this.options.onOutcome?.(outcome), stop)
    tell('onProgress', () => this.options.onProgress?.(this.progress), stop)
  }

  get progress(): MirrorProgress {
    return { files: this.#files, bytes: this.#bytes, failed: this.#failed }
  }

  /** Drives the tasks on several sessions until none is left. */
  async drive(withSession: WithSession, concurrency: number): Promise<void> {
    const { signal } = this.options
    const stop = (): void => this.#stop(signal?.reason)
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const workers = Array.from({ length: concurrency }, () => this.#work(withSession))
      const results = await Promise.allSettled(workers)
      const broken = results.find((result) => result.status === 'rejected')
      if (this.#failure !== undefined) throw this.#failure
      // One worker that got a session is enough; with none, nothing was done.
      if (broken !== undefined && results.every((result) => result.status === 'rejected')) throw broken.reason
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  result(): MirrorResult {
    const count = (action: MirrorOutcome['action']): number =>
      this.#outcomes.filter((outcome) => outcome.action === action).length
    return {
      ...this.progress,
      outcomes: this.#outcomes,
      unchanged: count('unchanged'),
      deleted: count('deleted'),
      skipped: count('skipped'),
    }
  }

  /** Takes tasks on one session after another: a lost session is replaced, and its task is done again. */
  async #work(withSession: WithSession): Promise<void> {
    let task = await this.queue.next()
    while (task !== undefined) {
      const first: MirrorTask = task
      try {
        task = await withSession((session) => this.#onSession(session, first), this.signal)
      } catch (error) {
        // No session was to be had: another worker may have one and takes the task. What no other try would
        // mend, such as a login or a folder that is refused, ends the whole.
        if (!(error instanceof FtpError && error.retryable)) this.#stop(error)
        else if (!this.#again(first, error)) this.report(failure(first.path, error))
        this.queue.done()
        throw error
      }
    }
  }

  async #onSession(session: FtpSession, first: MirrorTask): Promise<MirrorTask | undefined> {
    let task: MirrorTask | undefined = first
    while (task !== undefined && session.alive) {
      try {
        await task.run(session)
      } catch (error) {
        if (!isBroken(session, error) || !this.#again(task, error)) this.report(failure(task.path, error))
      }
      this.queue.done()
      task = await this.queue.next()
    }
    return task
  }

  /** Puts a task back whose session was lost; false where it has been tried often enough. */
  #again(task: MirrorTask, error: unknown): boolean {
    const mayRepeat = reasonOf(error)?.retryable === true && task.attempt < (this.options.retries ?? 2)
    if (mayRepeat && !this.signal.aborted) this.queue.add({ ...task, attempt: task.attempt + 1 })
    return mayRepeat
  }

  #fail({ error }: MirrorOutcome): void {
    this.#failed++
    if (this.options.stopOnError === true) {
      this.#failure ??= error
      this.#stop(error)
    }
  }

  #stop(reason: unknown): void {
    const error =
      reason instanceof FtpError
        ? reason
        : new FtpError('FTP_ABORTED', 'The mirror was aborted.', { phase: 'abort', cause: reason })
    this.#failure ??= error
    this.queue.stop()
    this.#stopper.abort(error)
  }
}

/** True where a connection was lost: that of the session, or that of the data alone (pyftpdlib may say 226 of it). */
function isBroken({ alive }: FtpSession, error: unknown): boolean {
  if (!alive || !(error instanceof FtpError)) return !alive
  const code = error.reply?.code
  const cut = error.code === 'FTP_DATA_CONNECTION_FAILED' || error.code === 'FTP_SHORT_TRANSFER'
  return cut || code === 425 || code === 426
}

/** A session that was lost between two tasks says at the next one only that it is over. */
function reasonOf(error: unknown): FtpError | undefined {
  if (!(error instanceof FtpError)) return undefined
  return error.code === 'FTP_CLOSED' && error.cause instanceof FtpError ? error.cause : error
}

function failure(path: string, error: unknown): MirrorOutcome {
  const known =
    error instanceof FtpError
      ? error
      : new FtpError('FTP_LOCAL_FILE', error instanceof Error ? error.message : String(error), {
          phase: 'local',
          cause: error,
        })
  return { path, action: 'failed', bytes: 0, reason: known.message, error: known }
}
