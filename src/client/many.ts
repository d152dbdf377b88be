/**
 * Many transfers at the same time: each has an outcome, and one failure does not stop the rest.
 */
import { FtpError } from '../errors.ts'

/** What became of one of many. */
export type ManyOutcome<Job, Result> =
  | { readonly job: Job; readonly ok: true; readonly result: Result }
  | { readonly job: Job; readonly ok: false; readonly error: FtpError }

/** What many transfers may be told. */
export interface ManyOptions {
  /** How many at the same time. Default: the client's `maxSessions`. */
  readonly concurrency?: number
  /** Leave the rest undone at the first failure. Default false. */
  readonly stopOnError?: boolean
  /** Ends those at work, and leaves the rest undone. */
  readonly signal?: AbortSignal
}

/** Does all jobs, at most `concurrency` at once; the outcomes stand in the order of the jobs. */
export async function doMany<Job, Result>(
  jobs: readonly Job[],
  work: (job: Job) => Promise<Result>,
  { concurrency = 1, stopOnError = false, signal }: ManyOptions,
): Promise<Array<ManyOutcome<Job, Result>>> {
  const outcomes: Array<ManyOutcome<Job, Result>> = []
  let next = 0
  let stopped = false
  const goesOn = (): boolean => next < jobs.length && !stopped && signal?.aborted !== true
  const worker = async (): Promise<void> => {
    while (goesOn()) {
      const at = next++
      const job = jobs[at] as Job
      const outcome = await outcomeOf(job, work)
      outcomes[at] = outcome
      if (stopOnError && !outcome.ok) stopped = true
    }
  }
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(Math.floor(concurrency) || 1, jobs.length)) }, worker),
  )
  for (const [at, job] of jobs.entries()) {
    outcomes[at] ??= {
      job,
      ok: false,
      error: new FtpError('FTP_ABORTED', 'It was not begun any more.', {
        phase: 'abort',
        cause: signal?.reason,
      }),
    }
  }
  return outcomes
}

async function outcomeOf<Job, Result>(
  job: Job,
  work: (job: Job) => Promise<Result>,
): Promise<ManyOutcome<Job, Result>> {
  try {
    return { job, ok: true, result: await work(job) }
  } catch (cause) {
    const error =
      cause instanceof FtpError
        ? cause
        : new FtpError('FTP_LOCAL_FILE', cause instanceof Error ? cause.message : String(cause), {
            phase: 'local',
            cause,
          })
    return { job, ok: false, error }
  }
}
