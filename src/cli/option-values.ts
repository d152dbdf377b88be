/** The options that were given, each read as what it is. */
import { usageError } from './failure.ts'

/** Values by the long names of their options. */
export class OptionValues {
  readonly #given: ReadonlyMap<string, readonly string[]>
  readonly #command: string

  constructor(given: ReadonlyMap<string, readonly string[]>, command: string) {
    this.#given = given
    this.#command = command
  }

  has(name: string): boolean {
    return this.#given.has(name)
  }

  /** The last one counts, as people expect who add to a line. */
  text(name: string): string | undefined {
    return this.#given.get(name)?.at(-1)
  }

  texts(name: string): readonly string[] {
    return this.#given.get(name) ?? []
  }

  /** A number above zero, in milliseconds where it was given in seconds. */
  milliseconds(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
    if (seconds <= 0) throw usageError(`--${name} takes a number of seconds above 0`, this.#command)
    return Math.ceil(seconds * 1000)
  }

  /** A whole number, at least `least`. */
  integer(name: string, least: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (number < least) throw usageError(`--${name} takes a whole number from ${least}`, this.#command)
    return number
  }
}
