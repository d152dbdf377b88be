/**
 * Data for a file: read into one block while the other is written.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FtpError } from '../errors.ts'
import type { Sink } from '../transport/sink.ts'

const BLOCK = 256 * 1024
/** A block with less room than this is written, rather than filled by many short reads. */
const LEAST_ROOM = 32 * 1024
const SPILL = 64 * 1024

interface Block {
  readonly memory: Buffer
  busy: boolean
}

/** A file that is being received. Until it is whole it has another name, so that nobody takes a half for it. */
export class FileSink implements Sink {
  readonly #handle: FileHandle
  readonly #temporary: string | undefined
  readonly #path: string
  readonly #blocks: [Block, Block] = [newBlock(), newBlock()]
  /** Memory for data that come although both blocks are taken. */
  #spill: Buffer | undefined
  #current = 0
  #used = 0
  #position: number
  #writing: Promise<void> = Promise.resolve()
  #paused = false
  #problem: FtpError | undefined
  /** Called when there is room again. */
  onRoom: () => void = () => undefined
  /** Called once when writing failed. */
  onFailure: (error: FtpError) => void = () => undefined

  private constructor(handle: FileHandle, path: string, temporary: string | undefined, position: number) {
    this.#handle = handle
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
        const handle = await open(
          path,
          constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
          0o666,
        )
        return new FileSink(handle, path, undefined, offset)
      }
      const temporary = join(
        dirname(path),
        `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}.part`,
      )
      return new FileSink(await open(temporary, 'wx', 0o666), path, temporary, 0)
    } catch (cause) {
      throw localFile(path, cause)
    }
  }

  buffer(): Uint8Array {
    // TLS hands on what it has decrypted already, also to a receiver that has said stop.
    this.#spill = this.#block().busy ? Buffer.allocUnsafeSlow(SPILL) : undefined
    return this.#spill ?? this.#block().memory.subarray(this.#used)
  }

  filled(length: number): boolean {
    if (this.#spill !== undefined) return this.#takeLate(this.#spill.subarray(0, length))
    this.#used += length
    if (BLOCK - this.#used < LEAST_ROOM) this.#flush()
    return this.#hasRoom()
  }

  take(chunk: Uint8Array): boolean {
    // The connection keeps sending what it has read before it pauses: never more than a few chunks.
    let rest = chunk
    while (rest.length > 0) {
      if (this.#block().busy) return this.#takeLate(Buffer.from(rest))
      const part = rest.subarray(0, BLOCK - this.#used)
      this.#block().memory.set(part, this.#used)
      this.#used += part.length
      if (BLOCK - this.#used < LEAST_ROOM) this.#flush()
      rest = rest.subarray(part.length)
    }
    return this.#hasRoom()
  }

  /** Writes the rest and gives the file its name. */
  async finish(): Promise<void> {
    this.#flush()
    await this.#writing
    if (this.#problem !== undefined) throw this.#problem
    try {
      if (this.#temporary === undefined) await this.#handle.truncate(this.#position)
      await this.#handle.close()
      if (this.#temporary !== undefined) await rename(this.#temporary, this.#path)
    } catch (cause) {
      throw localFile(this.#path, cause)
    }
  }

  /** Closes the file; one that was to be new is removed. */
  async discard(): Promise<void> {
    await this.#writing
    await this.#handle.close().catch(() => undefined)
    if (this.#temporary !== undefined) await rm(this.#temporary, { force: true }).catch(() => undefined)
  }

  /** Writes what has come and closes the file as it is, or cut back to `length`, to be continued later. */
  async keep(length?: number): Promise<void> {
    this.#flush()
    await this.#writing
    if (length !== undefined) await this.#handle.truncate(length).catch(() => undefined)
    await this.#handle.close().catch(() => undefined)
  }

  #block(): Block {
    return this.#blocks[this.#current === 0 ? 0 : 1]
  }

  #hasRoom(): boolean {
    this.#paused = this.#block().busy
    return !this.#paused
  }

  #takeLate(rest: Uint8Array): boolean {
    this.#write(rest, () => undefined)
    return this.#hasRoom()
  }

  #flush(): void {
    if (this.#used === 0) return
    const block = this.#block()
    block.busy = true
    const full = block.memory.subarray(0, this.#used)
    this.#current = 1 - this.#current
    this.#used = 0
    this.#write(full, () => {
      block.busy = false
      if (!this.#paused || this.#block().busy) return
      this.#paused = false
      this.onRoom()
    })
  }

  #write(bytes: Uint8Array, written: () => void): void {
    const position = this.#position
    this.#position += bytes.length
    this.#writing = this.#writing.then(async () => {
      if (this.#problem !== undefined) return
      try {
        await writeAll(this.#handle, bytes, position)
        written()
      } catch (cause) {
        this.#problem = localFile(this.#path, cause)
        this.onFailure(this.#problem)
      }
    })
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

function newBlock(): Block {
  return { memory: Buffer.allocUnsafeSlow(BLOCK), busy: false }
}

function localFile(path: string, cause: unknown): FtpError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new FtpError('FTP_LOCAL_FILE', `Cannot write ${path}: ${why}`, { phase: 'local', cause })
}
