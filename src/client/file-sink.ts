/**
 * Data for a file: read into one block while others are written.
 */
import fs from 'node:fs'
import { promisify } from 'node:util'
import { FtpError } from '../errors.ts'
import type { Sink } from '../transport/sink.ts'
import { temporaryName } from './temporary-name.ts'

// A FileHandle of node:fs/promises costs as much as the rest of a small file.
const open = promisify(fs.open)
const close = promisify(fs.close)
const truncate = promisify(fs.ftruncate)
const rename = promisify(fs.rename)
const remove = promisify(fs.rm)

/** Enough for the many files that are small. */
const FIRST_BLOCK = 64 * 1024
/** Writing a block on another thread costs as much as 100 KiB of its bytes, so it should be worth it. */
const BLOCK = 1024 * 1024
/** A block with less room than this is written, rather than filled by many short reads. */
const LEAST_ROOM = 32 * 1024
/** Blocks in memory at once: one is filled, the others are on their way to the disk. */
const MOST_BLOCKS = 3

/** First blocks of files that are done: to set memory aside for each of many small ones keeps the collector busy. */
const spare: Buffer[] = []
const MOST_SPARE = 16

/** A block and how much of it is filled. */
interface Full {
  readonly memory: Buffer
  readonly length: number
}

/** A file that is being received. Until it is whole it has another name, so that nobody takes a half for it. */
export class FileSink implements Sink {
  readonly #file: number
  #isOpen = true
  readonly #temporary: string | undefined
  readonly #path: string
  #block: Buffer = spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_BLOCK)
  #used = 0
  /** Blocks whose bytes are written. */
  readonly #free: Buffer[] = []
  /** Blocks with bytes to write; those of the write under way come first. */
  readonly #full: Full[] = []
  #position: number
  #writing = false
  #paused = false
  #problem: FtpError | undefined
  #onSettled: () => void = () => undefined
  /** Called when there is room again. */
  onRoom: () => void = () => undefined
  /** Called once when writing failed. */
  onFailure: (error: FtpError) => void = () => undefined

  private constructor(file: number, path: string, temporary: string | undefined, position: number) {
    this.#file = file
    this.#path = path
    this.#temporary = temporary
    this.#position = position
  }

  /**
   * Opens a new file beside `path`, under a name that nobody can have prepared (`O_EXCL`), or `path` itself
   * to go on at `offset`; never through a symbolic link.
   */
  static async open(path: string, offset?: number): Promise<FileSink> {
    try {
      if (offset !== undefined) {
        const { O_WRONLY, O_CREAT, O_NOFOLLOW } = fs.constants
        // Windows has no O_NOFOLLOW.
        const flags = O_WRONLY | O_CREAT | (O_NOFOLLOW ?? 0)
        return new FileSink(await open(path, flags, 0o666), path, undefined, offset)
      }
      const temporary = temporaryName(path)
      return new FileSink(await open(temporary, 'wx', 0o666), path, temporary, 0)
    } catch (cause) {
      throw localFile(path, cause)
    }
  }

  buffer(): Uint8Array {
    return this.#block.subarray(this.#used)
  }

  filled(length: number): boolean {
    this.#used += length
    if (this.#block.length - this.#used < LEAST_ROOM) this.#turnOver()
    return !this.#paused
  }

  take(chunk: Uint8Array): boolean {
    let rest = chunk
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#block.length - this.#used)
      this.#block.set(part, this.#used)
      this.#used += part.length
      if (this.#block.length - this.#used < LEAST_ROOM) this.#turnOver()
      rest = rest.subarray(part.length)
    }
    return !this.#paused
  }

  /** Writes the rest, lets `check` read the file where it is, and only then gives it its name. */
  async finish(check?: (path: string) => Promise<void>): Promise<void> {
    await this.#settled()
    if (this.#problem !== undefined) throw this.#problem
    try {
      if (this.#temporary === undefined) await truncate(this.#file, this.#position)
      await check?.(this.#temporary ?? this.#path)
      await this.#close()
      if (this.#temporary !== undefined) await rename(this.#temporary, this.#path)
      this.#spareBlock()
    } catch (cause) {
      throw cause instanceof FtpError ? cause : localFile(this.#path, cause)
    }
  }

  /** Closes the file; one that was to be new is removed. */
  async discard(): Promise<void> {
    await this.#settled()
    await this.#close().catch(() => undefined)
    if (this.#temporary !== undefined) await remove(this.#temporary, { force: true }).catch(() => undefined)
  }

  /**
   * Writes what has come and closes the file as it is, or cut back to `length`, to be continued later. Without a
   * byte there is nothing to continue: then it goes.
   */
  async keep(length?: number): Promise<void> {
    await this.#settled()
    if (length !== undefined) await truncate(this.#file, length).catch(() => undefined)
    await this.#close().catch(() => undefined)
    if ((length ?? this.#position) === 0) await remove(this.#path, { force: true }).catch(() => undefined)
  }

  /** Once: the number may soon be another file's. */
  async #close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await close(this.#file)
  }

  /** Only behind a whole file: a connection that was broken off may still read into the block. */
  #spareBlock(): void {
    if (this.#block.length === FIRST_BLOCK && spare.length < MOST_SPARE) spare.push(this.#block)
  }

  /** Lets the current block be written and takes another. */
  #turnOver(): void {
    this.#handOver()
    if (this.#problem !== undefined) return
    // The last block is kept for what comes in spite of a stop: TLS hands on what it has decrypted already, and
    // Node reads once more into the memory that it was lent before. Should that fill a block, there will be one
    // more.
    this.#paused = this.#full.length >= MOST_BLOCKS - 1
    this.#block = this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK)
  }

  #handOver(): void {
    const length = this.#used
    this.#used = 0
    if (this.#problem !== undefined) return
    this.#full.push({ memory: this.#block, length })
    if (!this.#writing) this.#write()
  }

  /** Writes whatever is full in one call, for a call costs more than a block: it runs on another thread. */
  #write(): void {
    const batch = [...this.#full]
    this.#writing = true
    const parts = batch.map(({ memory, length }) => memory.subarray(0, length))
    writeAll(this.#file, parts, this.#position, (cause, bytes) => {
      this.#writing = false
      this.#position += bytes
      this.#full.splice(0, batch.length)
      for (const { memory } of batch) if (memory.length === BLOCK) this.#free.push(memory)
      if (cause !== null) return this.#fail(cause)
      if (this.#full.length > 0) this.#write()
      else this.#onSettled()
      if (!this.#paused || this.#full.length >= MOST_BLOCKS - 1) return
      this.#paused = false
      this.onRoom()
    })
  }

  #fail(cause: Error): void {
    this.#full.length = 0
    this.#problem = localFile(this.#path, cause)
    this.#onSettled()
    this.onFailure(this.#problem)
  }

  /** Resolves when everything is written, or nothing more can be. */
  async #settled(): Promise<void> {
    if (this.#used > 0) this.#handOver()
    if (this.#writing) await new Promise<void>((resolve) => (this.#onSettled = resolve))
  }
}

/** Writes it all, however often the system takes only a part. */
function writeAll(
  file: number,
  parts: readonly Uint8Array[],
  position: number,
  done: (cause: Error | null, bytes: number) => void,
  before = 0,
): void {
  fs.writev(file, parts, position, (cause, written) => {
    if (cause !== null) return done(cause, before)
    const rest = remaining(parts, written)
    if (rest.length === 0) return done(null, before + written)
    writeAll(file, rest, position + written, done, before + written)
  })
}

function remaining(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written
  return parts.flatMap((part) => {
    const from = Math.min(left, part.length)
    left -= from
    return from === part.length ? [] : [part.subarray(from)]
  })
}

function localFile(path: string, cause: unknown): FtpError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new FtpError('FTP_LOCAL_FILE', `Cannot write ${path}: ${why}`, { phase: 'local', cause })
}
