/**
 * Work that makes more work, for several workers.
 */

/** Hands out tasks, the newest of the urgent ones first; `next` waits while somebody may still add some. */
export class TaskQueue<T> {
  readonly #urgent: T[] = []
  readonly #plain: T[] = []
  readonly #waiting: Array<() => void> = []
  #underWay = 0
  #stopped = false

  /** Adds a task. An urgent one makes more work, and so is done first. */
  add(task: T, urgent = false): void {
    ;(urgent ? this.#urgent : this.#plain).push(task)
    this.#waiting.shift()?.()
  }

  /** The next task, or undefined when there is none and none can come. Each one must be followed by `done`. */
  async next(): Promise<T | undefined> {
    for (;;) {
      if (this.#stopped) return undefined
      const task = this.#urgent.pop() ?? this.#plain.shift()
      if (task !== undefined) {
        this.#underWay++
        return task
      }
      if (this.#underWay === 0) {
        this.#wakeAll()
        return undefined
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** A task that `next` gave is over. */
  done(): void {
    this.#underWay--
    if (this.#underWay === 0) this.#wakeAll()
  }

  /** No further task is handed out. */
  stop(): void {
    this.#stopped = true
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
