/**
 * A file on its way there: STOR, APPE, STOU, or STOR behind REST (RFC 959 §4.1.3, RFC 3659 §5).
 */
import { FtpError, type ReplySummary } from '../errors.ts'
import { NvtAsciiEncoder } from '../protocol/nvt-ascii.ts'
import type { Reply } from '../protocol/reply.ts'
import type { Step } from '../protocol/script.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { modificationTime } from '../protocol/scripts/file.ts'
import { sizeOfReply } from '../protocol/scripts/retrieve.ts'
import { tell } from '../transport/call-back.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import type { DataEnd } from '../transport/data-socket.ts'
import { deferred } from '../transport/deadline.ts'
import { sendData } from '../transport/send-data.ts'
import { deflated } from './deflate-source.ts'
import type { Progress } from './download.ts'
import type { Link } from './link.ts'
import type { OperationOptions } from './options.ts'
import type { OverwriteMode } from './receive-file.ts'
import { localStat, openSource, type OpenedSource, type UploadSource } from './upload-source.ts'

/** What is done about a file that is there already. */
export type UploadMode =
  /** Refuse where there is one. FTP has no command for it: it is looked for first. */
  | 'create'
  /** Replace it (`STOR`). */
  | 'overwrite'
  /** Add to its end (`APPE`). */
  | 'append'
  /** Send what it lacks (`REST` and `STOR`, else `APPE`). */
  | 'resume'
  /** Let the server choose a free name (`STOU`). */
  | 'unique'

/** What an upload may be told. */
export interface UploadOptions extends OperationOptions {
  /** Default `'overwrite'`. */
  readonly mode?: UploadMode
  /** `'I'` sends the bytes as they are, `'A'` converts line ends to the network's. Default `'I'`. */
  readonly type?: 'A' | 'I'
  /** Whether to compare the server's `SIZE` with what was sent, in `TYPE I`. Default `'size'`. */
  readonly verify?: 'size' | 'off'
  /**
   * With mode `'overwrite'`: whether a file that is there is replaced. `'newer'` and `'size'` compare with the
   * local file, and so need a path or `file:` URL as source. Default `'always'`.
   */
  readonly overwrite?: OverwriteMode
  /** Tell the server the size beforehand (`ALLO`), where it is known. Default false. */
  readonly allocate?: boolean
  /** Called as data leave, about ten times a second, and once at the end. */
  readonly onProgress?: (progress: Progress) => void
}

/** The names of {@link UploadOptions}. */
export const UPLOAD_NAMES: ReadonlyArray<keyof UploadOptions> = [
  'mode', 'type', 'verify', 'overwrite', 'allocate', 'onProgress', 'signal', 'timeoutMs',
] // prettier-ignore

/** What an upload did. */
export interface UploadResult {
  /** Bytes sent now; with `'resume'` fewer than the file has. */
  readonly bytes: number
  /** True where the server's `SIZE` says that it has exactly what was sent. */
  readonly verified: boolean
  /** The name that the server gave (`STOU`), or the one asked for. */
  readonly path: Path
  /** The final reply. */
  readonly reply: ReplySummary
  /** True where the file was left as it was, by the option `overwrite`. */
  readonly kept: boolean
}

const PROGRESS_MS = 100
const PATIENCE_MS = 1000

/** Uploads over a session whose turn it is. */
export async function uploadOver(
  link: Link,
  source: UploadSource,
  path: Path | undefined,
  options: UploadOptions,
  signal: AbortSignal,
): Promise<UploadResult> {
  const { mode = 'overwrite', type = 'I' } = options
  if (path === undefined && mode !== 'unique')
    throw new FtpError('FTP_INVALID_ARGUMENT', 'An upload needs a path, unless its mode is unique.', {
      phase: 'arguments',
    })
  if (mode === 'resume' && type !== 'I')
    throw new FtpError('FTP_INVALID_ARGUMENT', 'Only an upload of type I can be resumed.', {
      phase: 'arguments',
    })
  const present = mode === 'create' || mode === 'resume' ? await sizeAt(link, path ?? '', signal) : undefined
  if (mode === 'create' && present !== undefined)
    throw new FtpError('FTP_REFUSED', 'There is a file of this name already; nothing was sent.', {
      phase: 'arguments',
      kind: 'permanent',
    })
  if (
    mode === 'overwrite' &&
    (await isKept(link, source, path ?? '', options.overwrite ?? 'always', signal))
  ) {
    return {
      bytes: 0,
      verified: false,
      path: path ?? '',
      kept: true,
      reply: { code: 226, text: 'Nothing was sent.' },
    }
  }
  const offset = mode === 'resume' ? (present ?? 0) : 0
  const opened = await openSource(source, offset)
  try {
    if (options.allocate === true && opened.size !== undefined)
      await link.prepare([{ verb: 'ALLO', argument: String(opened.size), optional: true }], signal)
    const { end, reply, first } = await transferUp(link, opened, { path, options, offset, signal })
    const stored = mode === 'unique' ? uniqueName(first, reply, path) : (path ?? '')
    const verified = await verify(link, stored, { ...options, type, mode }, offset + end.bytes, signal)
    return { bytes: end.bytes, verified, path: stored, kept: false, reply: reply.toJSON() }
  } finally {
    await opened.close()
  }
}

async function isKept(
  link: Link,
  source: UploadSource,
  path: Path,
  overwrite: OverwriteMode,
  signal: AbortSignal,
): Promise<boolean> {
  if (overwrite === 'always') return false
  const size = await sizeAt(link, path, signal)
  if (size === undefined) return false
  if (overwrite === 'never') return true
  const local = await localStat(source)
  if (overwrite === 'size') return local.size === size
  const modified = await link.command(modificationTime(path), signal)
  return modified !== undefined && local.mtimeMs <= modified.getTime()
}

interface UpRequest {
  readonly path: Path | undefined
  readonly options: UploadOptions
  readonly offset: number
  readonly signal: AbortSignal
}

async function transferUp(
  link: Link,
  opened: OpenedSource,
  { path, options, offset, signal }: UpRequest,
): Promise<{ end: DataEnd; reply: Reply; first: Reply }> {
  const { type = 'I', mode = 'overwrite', onProgress } = options
  await link.prepare(link.typeSteps({ type }), signal)
  link.noteType({ type })
  let sent: Promise<DataEnd> | undefined
  let data: DataConnection | undefined
  let bytes = 0
  const ready = deferred<void>()
  const agreed = link.transfer(
    {
      command: commandFor(mode, path),
      ...(offset > 0 ? { restart: offset } : {}),
      direction: 'send',
      sent: () => sent,
      onData: (begun) => {
        data = begun
        begun.receiveNothing()
        const plain = waitingFor(ready.promise, type === 'A' ? toNetwork(opened.chunks) : opened.chunks)
        const count = (passed: number): void => {
          bytes = passed
        }
        const source = link.deflates ? deflated(plain, count) : plain
        // Each attempt, by PASV or by EPSV, has an end of its own.
        sent = sendData(begun, source, {
          stallMs: link.settings.timeouts.stall,
          limiter: link.settings.limiter,
          onBytes: link.deflates ? () => undefined : count,
        }).then((end) => ({ ...end, bytes }))
        sent.catch(() => undefined)
      },
    },
    signal,
  )
  // The first byte leaves when the server has agreed: a refused upload must not drain its source. A server
  // that sends no 1yz waits for the data in its turn, so this end does not wait for ever.
  const patience = setTimeout(() => ready.resolve(), PATIENCE_MS)
  const { reply: first, done } = await agreed.finally(() => {
    clearTimeout(patience)
    ready.resolve()
  })
  const stop = (): void => data?.destroy(signal.reason)
  let failure: FtpError | undefined
  const report = (bytes: number): void =>
    tell(
      'onProgress',
      () => onProgress?.({ bytes, size: opened.size }),
      (error) => {
        failure ??= error
        data?.destroy(error)
      },
    )
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const timer = onProgress === undefined ? undefined : setInterval(() => report(bytes), PROGRESS_MS)
  try {
    const end = await done
    report(end.bytes)
    if (failure !== undefined) throw failure
    return { end, reply: end.reply, first }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  }
}

function commandFor(mode: UploadMode, path: Path | undefined): Step {
  if (mode === 'unique') return path === undefined ? { verb: 'STOU' } : { verb: 'STOU', argument: path }
  return { verb: mode === 'append' ? 'APPE' : 'STOR', argument: path ?? '' }
}

async function sizeAt(link: Link, path: Path, signal: AbortSignal): Promise<number | undefined> {
  const replies = await link.prepare(
    [...link.typeSteps({ type: 'I' }), { verb: 'SIZE', argument: path, optional: true }],
    signal,
  )
  link.noteType({ type: 'I' })
  return sizeOfReply(replies.at(-1))
}

async function verify(
  link: Link,
  path: Path,
  options: UploadOptions,
  expected: number,
  signal: AbortSignal,
): Promise<boolean> {
  // Only in TYPE I does SIZE count the same bytes; behind APPE nobody knows what was there.
  if (
    options.verify === 'off' ||
    options.type === 'A' ||
    options.mode === 'append' ||
    path.length === 0 ||
    !link.alive
  )
    return false
  const size = await sizeAt(link, path, signal)
  if (size === undefined || size === expected) return size === expected
  throw new FtpError('FTP_SIZE_MISMATCH', `The server has ${size} bytes of the ${expected} that were sent.`, {
    phase: 'final-reply',
    bytes: size,
    expected,
  })
}

/** RFC 1123 §4.1.2.9: `150 FILE: name`, on any line of the reply; others say it in the 226, ftp-srv as a bare path. */
function uniqueName(first: Reply, last: Reply, path: Path | undefined): Path {
  for (const line of [...first.lines, ...last.lines]) {
    const [, quoted, plain] = /FILE:\s*(?:"([^"]+)"|(.+?))\s*$/i.exec(line) ?? []
    const name = quoted ?? plain
    if (name !== undefined) return name
  }
  const end = last.lines.at(-1) ?? ''
  const [, quoted, said, bare] = /(?:"([^"]+)"|\bas (\S+)|^\s*(\/\S+)\s*$)/.exec(end) ?? []
  return quoted ?? said?.replace(/\.$/, '') ?? bare ?? path ?? ''
}

async function* toNetwork(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new NvtAsciiEncoder()
  for await (const chunk of chunks) yield encoder.push(chunk)
}

async function* waitingFor(
  ready: Promise<void>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  await ready
  yield* chunks
}
