/**
 * A file on its way here: a Readable that ends only when the server has confirmed the last byte.
 */
import { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { FtpError } from '../errors.ts'
import { tell } from '../transport/call-back.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import { Deadline, deferred } from '../transport/deadline.ts'
import { aborted } from '../transport/open-socket.ts'
import type { Sink } from '../transport/sink.ts'
import { AsciiSink } from './ascii-sink.ts'
import { CollectSink } from './collect-sink.ts'
import { FileSink } from './file-sink.ts'
import { checkDownload, type DownloadResult, type OpenDownload } from './incoming.ts'
import { LimitSink } from './limit-sink.ts'
import { StreamSink } from './stream-sink.ts'

/** How far a transfer is. */
export interface Progress {
  /** Bytes that have passed. */
  readonly bytes: number
  /** Bytes in all, where they are known. */
  readonly size: number | undefined
}

/** What a download may be told. */
export interface DownloadOptions {
  /** Aborts the transfer. */
  readonly signal?: AbortSignal | undefined
  /** Aborts it after so many milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Called about ten times a second while data come, and once at the end. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Bytes after which the transfer is broken off, which is then no failure. */
  readonly length?: number | undefined
  /** Line ends of text. */
  readonly lineEnd: 'local' | 'lf' | 'crlf' | 'keep'
}

const PROGRESS_MS = 100
/** Breaks a transfer off without failing it. */
const ENOUGH = new FtpError('FTP_ABORTED', 'The part that was asked for has come.', { phase: 'data' })

/**
 * A download. Nothing is sent before it is read, or one of its methods is called. Take the data once: as a
 * stream, or through {@link bytes}, {@link text} or {@link saveTo}.
 */
export class Download extends Readable {
  readonly #open: OpenDownload
  readonly #options: DownloadOptions
  readonly #controller = new AbortController()
  readonly #opened = deferred<{ readonly size: number | undefined }>()
  readonly #result = deferred<DownloadResult>()
  #data: DataConnection | undefined
  #size: number | undefined
  #state: 'new' | 'running' | 'over' = 'new'

  /** @internal */
  constructor(open: OpenDownload, options: DownloadOptions) {
    super({ highWaterMark: 256 * 1024 })
    this.#open = open
    this.#options = options
    const { signal } = options
    if (signal?.aborted === true) this.#controller.abort(aborted(signal.reason))
    signal?.addEventListener('abort', this.#onSignal, { once: true })
  }

  /** The size in bytes that the server told; undefined before {@link opened}, and where it told none. */
  get size(): number | undefined {
    return this.#size
  }

  /** Bytes received so far. */
  get received(): number {
    return this.#data?.bytes ?? 0
  }

  /** Resolves when the server has agreed to send; starts the download. Rejects as the download does. */
  get opened(): Promise<{ readonly size: number | undefined }> {
    if (!this.listeners('error').includes(told)) this.on('error', told)
    if (this.#state === 'new' && !this.destroyed) this.#stream()
    return this.#opened.promise
  }

  /** Resolves when everything has come and is confirmed. Does not start the download. */
  get result(): Promise<DownloadResult> {
    if (!this.listeners('error').includes(told)) this.on('error', told)
    return this.#result.promise
  }

  /** The whole file in memory. */
  async bytes(): Promise<Buffer> {
    const sink = new CollectSink()
    await this.#run(sink)
    return sink.bytes()
  }

  /** The whole file as text: UTF-8, or whatever `encoding` names. */
  async text(encoding = 'utf-8'): Promise<string> {
    const decoder = decoderFor(encoding)
    return decoder.decode(await this.bytes())
  }

  /**
   * Writes the file to `path`. Until it is whole it stands beside it under another name, and a file that is
   * there already is replaced only by a whole one.
   */
  async saveTo(path: string): Promise<DownloadResult> {
    const file = await FileSink.open(path).catch((error: unknown) => {
      if (this.#state === 'new') this.destroy()
      throw error
    })
    file.onRoom = () => this.#data?.resume()
    file.onFailure = (error) => this.#data?.destroy(error)
    try {
      const result = await this.#run(file)
      await file.finish()
      return result
    } catch (error) {
      await file.discard()
      throw error
    }
  }

  /** @internal Sends the bytes to a sink of the caller's own. */
  into(sink: Sink): Promise<DownloadResult> {
    return this.#run(sink)
  }

  /** @internal The sink has room again. */
  resumeData(): void {
    this.#data?.resume()
  }

  /** @internal Breaks the transfer off. */
  breakOff(error: FtpError): void {
    if (this.#state === 'over') return
    this.#controller.abort(error)
    this.#data?.destroy(error)
  }

  override _read(): void {
    if (this.#state === 'new') this.#stream()
    else this.#data?.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#state === 'new') {
      this.#state = 'over'
      this.#release()
      const reason =
        error ??
        new FtpError('FTP_ABORTED', 'The download was destroyed before it began.', { phase: 'abort' })
      this.#opened.reject(reason)
      this.#result.reject(reason)
    } else if (this.#state === 'running') this.breakOff(aborted(error ?? 'The stream was destroyed.'))
    done(error)
  }

  readonly #onSignal = (): void => {
    const error = aborted(this.#options.signal?.reason)
    this.breakOff(error)
    if (this.#state === 'new') this.destroy(error)
  }

  /** Hands the data to those who read this stream. */
  #stream(): void {
    this.#run(new StreamSink((chunk) => this.push(chunk)), true).then(
      () => this.push(null),
      (error: unknown) => this.destroy(error as Error),
    )
  }

  async #run(sink: Sink, streaming = false): Promise<DownloadResult> {
    if (this.#state !== 'new')
      throw new FtpError('FTP_BUSY', 'The data of a download can be taken only once.', { phase: 'arguments' })
    this.#state = 'running'
    const stopTimers = this.#startTimers()
    try {
      const result = await this.#transfer(sink)
      this.#state = 'over'
      this.#result.resolve(result)
      return result
    } catch (error) {
      // Nothing goes on behind an error, whoever made it: a listener for `open` may throw, too.
      this.breakOff(aborted(error))
      this.#state = 'over'
      this.#opened.reject(error)
      this.#result.reject(error)
      throw error
    } finally {
      stopTimers()
      this.#release()
      // Nobody reads this stream: it is over as a stream as well.
      if (!streaming) this.destroy()
    }
  }

  async #transfer(sink: Sink): Promise<DownloadResult> {
    const { signal } = this.#controller
    const brokenOff = abortOf(signal)
    let ascii: AsciiSink | undefined
    const receive = (data: DataConnection, text: boolean): void => {
      this.#data = data
      ascii = this.#asciiFor(text, sink)
      data.receive(this.#limited(ascii ?? sink, data))
    }
    // Whoever breaks it off is told at once; to bring the session back in step may take a while longer.
    const incoming = await Promise.race([brokenOff, this.#open(receive, signal)])
    this.#size = incoming.size
    this.#opened.resolve({ size: incoming.size })
    this.emit('open', { size: incoming.size })
    const end = await Promise.race([brokenOff, incoming.done]).catch((error: unknown) => {
      if (error !== ENOUGH) throw error
      return undefined
    })
    if (end === undefined) return this.#partial()
    ascii?.end()
    this.#report(end.bytes)
    if (signal.aborted) throw signal.reason
    return checkDownload(incoming, end)
  }

  #asciiFor(text: boolean, sink: Sink): AsciiSink | undefined {
    const { lineEnd } = this.#options
    if (!text || lineEnd === 'keep') return undefined
    const local = process.platform === 'win32' ? '\r\n' : '\n'
    return new AsciiSink(sink, lineEnd === 'local' ? local : lineEnd === 'lf' ? '\n' : '\r\n')
  }

  #limited(sink: Sink, data: DataConnection): Sink {
    const { length } = this.#options
    return length === undefined ? sink : new LimitSink(sink, length, () => data.destroy(ENOUGH))
  }

  /** Everything that was asked for is here; the rest of the file was broken off. */
  #partial(): DownloadResult {
    const bytes = this.#options.length ?? 0
    this.#report(bytes)
    return {
      bytes,
      verified: false,
      cleanClose: undefined,
      reply: { code: 226, text: 'The rest was broken off.' },
    }
  }

  #startTimers(): () => void {
    const { onProgress, timeoutMs } = this.#options
    const progress = onProgress === undefined ? undefined : setInterval(() => this.#report(), PROGRESS_MS)
    const deadline = new Deadline(() =>
      this.breakOff(
        new FtpError('FTP_TIMEOUT', `The download took longer than ${timeoutMs} ms.`, {
          phase: 'data',
          // The caller's own limit: another try would outlast it.
          kind: 'aborted',
        }),
      ),
    )
    deadline.set(timeoutMs ?? 0)
    return () => {
      clearInterval(progress)
      deadline.clear()
    }
  }

  #report(bytes = this.received): void {
    tell(
      'onProgress',
      () => this.#options.onProgress?.({ bytes, size: this.#size }),
      (error) => this.breakOff(error),
    )
  }

  #release(): void {
    this.#options.signal?.removeEventListener('abort', this.#onSignal)
  }
}

/** Whoever waits for a promise is told through it: the stream's own error must not end the process as well. */
function told(): void {
  // Nothing is left to do.
}

/** Rejects when the signal fires, with its reason. */
function abortOf(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  promise.catch(() => undefined)
  return promise
}

function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch (cause) {
    throw new FtpError('FTP_INVALID_ARGUMENT', 'The encoding is none that TextDecoder knows.', {
      phase: 'arguments',
      cause,
    })
  }
}
