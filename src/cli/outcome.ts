/** What becomes of a command that does the same to several things: one that fails does not stop the others. */
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Invocation } from './invocation.ts'
import { exitCodeFor, reportError } from './report-error.ts'

/** Counts successes and failures. */
export class Outcome {
  readonly #invocation: Invocation
  readonly #failed: ExitCode[] = []
  #done = 0

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  /** 0, the one code of all failures, or that of a part. */
  get exitCode(): ExitCode {
    const [first] = this.#failed
    if (first === undefined) return EXIT.ok
    return this.#done === 0 && this.#failed.every((code) => code === first) ? first : EXIT.partial
  }

  /**
   * Does the work. A failure is told at once and counted, unless it is of the `only` thing there is, or nothing
   * else can be done either.
   */
  async attempt(about: string, only: boolean, work: () => Promise<void>, counts = true): Promise<void> {
    const { signal, terminal, values } = this.#invocation
    try {
      await work()
      if (counts) this.#done++
    } catch (error) {
      if (only || signal.aborted || exitCodeFor(error) === EXIT.brokenPipe) throw error
      this.#failed.push(reportError(error, terminal, { json: values.has('json'), about }))
    }
  }

  /**
   * The same for each of `items`, `concurrency` at a time. Work that only
   * prepares other work does not count as a success.
   */
  async each<T>(
    items: readonly T[],
    {
      concurrency = 1,
      counts = true,
      about,
    }: {
      readonly concurrency?: number
      readonly counts?: boolean
      readonly about: (item: T) => string
    },
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    const rest = items.values()
    const run = async (): Promise<void> => {
      // All lanes take from one iterator.
      for (const item of rest) await this.attempt(about(item), items.length === 1, () => work(item), counts)
    }
    const lanes = Math.min(concurrency, items.length)
    // All of them come to their end, and keep what they have, before the first failure ends the command.
    const settled = await Promise.allSettled(Array.from({ length: lanes }, run))
    const broken = settled.find((result) => result.status === 'rejected')
    if (broken !== undefined) throw broken.reason
  }
}
