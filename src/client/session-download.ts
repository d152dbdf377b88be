/**
 * Downloads of a session: the whole file or a part of it.
 */
import type { DataConnection } from '../transport/data-connection.ts'
import { FtpError } from '../errors.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { retrieve, sizeOfReply } from '../protocol/scripts/retrieve.ts'
import { sizeOf } from '../protocol/scripts/walk.ts'
import { Download, type DownloadOptions } from './download.ts'
import type { Incoming } from './incoming.ts'
import type { OperationOptions } from './options.ts'
import type { SessionLink } from './session-link.ts'

/** What `download` may be told. */
export interface SessionDownloadOptions extends OperationOptions {
  /** The byte to begin at (`REST`, RFC 3659 §5). Default 0. */
  readonly offset?: number
  /** How many bytes to take; the rest is broken off without harm to the session. Default: all. */
  readonly length?: number
  /** `'I'` for the bytes as they are, `'A'` for text with local line ends. Default `'I'`. */
  readonly type?: 'A' | 'I'
  /** Called about ten times a second while data come, and once at the end. */
  readonly onProgress?: DownloadOptions['onProgress']
}

/** Makes the download; it waits for its turn when it is read. */
export function openSessionDownload(
  session: SessionLink,
  path: Path,
  options: SessionDownloadOptions,
): Download {
  const { offset = 0, length, type = 'I', ...rest } = options
  for (const [name, value] of Object.entries({ offset, length: length ?? 0 })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new FtpError('FTP_INVALID_ARGUMENT', `The ${name} of a download is a whole number of bytes.`, {
        phase: 'arguments',
      })
  }
  if (offset > 0 && type === 'A')
    throw new FtpError('FTP_INVALID_ARGUMENT', 'Only a download of type I can begin in the middle.', {
      phase: 'arguments',
    })
  const open = async (
    receive: (data: DataConnection, text: boolean) => void,
    signal: AbortSignal,
  ): Promise<Incoming> => {
    const leave = await session.enter(signal)
    try {
      const incoming = await start(session, path, { offset, type }, receive, signal)
      const done = incoming.done.finally(leave)
      done.catch(() => undefined)
      return { ...incoming, done }
    } catch (error) {
      leave()
      throw error
    }
  }
  return new Download(open, { ...rest, length, lineEnd: session.settings.lineEnd })
}

async function start(
  session: SessionLink,
  path: Path,
  { offset, type }: { readonly offset: number; readonly type: 'A' | 'I' },
  receive: (data: DataConnection, text: boolean) => void,
  signal: AbortSignal,
): Promise<Incoming> {
  const link = session.current
  const typeSteps = link.typeSteps({ type })
  // SIZE rides along in TYPE I: it gives progress its total, and a download its proof. Over TLS it must be
  // known before the data connection is begun.
  const size = type === 'I' ? sizeOf(path) : undefined
  const sizeBefore = size !== undefined && (typeSteps.length > 0 || link.pi.dataProtected)
  const steps = [...typeSteps, ...(sizeBefore ? [size] : [])]
  const replies = steps.length === 0 ? [] : await link.prepare(steps, signal)
  link.noteType({ type })
  const known = sizeBefore ? sizeOfReply(replies.at(-1)) : undefined
  const started = await link.transfer(
    {
      command: retrieve(path),
      ...(offset > 0 ? { restart: offset } : {}),
      ...(size !== undefined && !sizeBefore ? { along: size } : {}),
      direction: 'receive',
      onData: (data) => receive(data, type === 'A'),
      size: known,
    },
    signal,
  )
  const left = started.size === undefined ? undefined : Math.max(started.size - offset, 0)
  return { size: left, exact: offset > 0, done: started.done, secure: link.pi.dataProtected }
}
