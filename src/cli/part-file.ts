/**
 * A file that is not whole yet. It is called `name.part`, so that nobody takes it for the whole one, and stays
 * where the transfer breaks off, so that it can be gone on with.
 */
import { constants } from 'node:fs'
import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { EXIT } from './exit-code.ts'
import { Failure } from './failure.ts'

/** What to do about a part that is there already. */
export type PartMode = 'new' | 'continue' | 'replace'

/** A file on its way to its name. */
export class PartFile {
  /** The name that it will have. */
  readonly path: string
  readonly partPath: string
  readonly #handle: FileHandle
  #size: number

  private constructor(path: string, handle: FileHandle, size: number) {
    this.path = path
    this.partPath = partPathOf(path)
    this.#handle = handle
    this.#size = size
  }

  /** @throws Failure where there is a part that nobody spoke of, or none can be made. */
  static async open(path: string, mode: PartMode): Promise<PartFile> {
    const part = partPathOf(path)
    // Windows has no O_NOFOLLOW: undefined counts as 0 here.
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    try {
      if (mode === 'replace') await rm(part, { force: true })
      const size = mode === 'continue' ? await sizeOfFile(part) : undefined
      const flags = O_WRONLY | O_NOFOLLOW | (size === undefined ? O_CREAT | O_EXCL : 0)
      return new PartFile(path, await open(part, flags, 0o666), size ?? 0)
    } catch (cause) {
      if (mode === 'new' && cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
        throw new Failure(EXIT.local, `${part} is there already: -c goes on with it, --force starts again`)
      }
      throw localFailure(part, cause)
    }
  }

  /** Bytes that are there. */
  get size(): number {
    return this.#size
  }

  async write(bytes: Uint8Array): Promise<void> {
    let rest = bytes
    try {
      while (rest.length > 0) {
        const { bytesWritten } = await this.#handle.write(rest, 0, rest.length, this.#size)
        this.#size += bytesWritten
        rest = rest.subarray(bytesWritten)
      }
    } catch (cause) {
      throw localFailure(this.partPath, cause)
    }
  }

  /** Gives the file its name, in the place of another that may have it. */
  async finish(): Promise<void> {
    try {
      await this.#handle.close()
      await rename(this.partPath, this.path)
    } catch (cause) {
      throw localFailure(this.path, cause)
    }
  }

  /** Leaves the part; one without a byte is worth nothing. */
  async keep(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    if (this.#size === 0) await rm(this.partPath, { force: true })
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.partPath, { force: true })
  }
}

/** Where the part of a file lies. */
export function partPathOf(path: string): string {
  return `${path}.part`
}

/** The size of a regular file; undefined where there is none. A symbolic link is not followed. */
export async function sizeOfFile(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() === true ? found.size : undefined
}

function localFailure(path: string, cause: unknown): Failure {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Failure(EXIT.local, `cannot write ${path}: ${why}`)
}
