/**
 * What the verbs of a client stand on: a URL, a session that stands where the URL says, and the work.
 */
import { encodeCommand } from '../protocol/commands.ts'
import { planFor, type FetchPlan } from '../protocol/plan.ts'
import { nameList, retrieve } from '../protocol/scripts/retrieve.ts'
import { represent, walk } from '../protocol/scripts/walk.ts'
import { parseFtpUrl, type FtpTarget } from '../protocol/url.ts'
import type { DataConnection } from '../transport/data-connection.ts'
import { credentialsFor } from './credentials.ts'
import { fetchOver } from './fetch-over.ts'
import type { Incoming, OpenDownload } from './incoming.ts'
import { Lender, type LendRequest } from './lender.ts'
import type { Link } from './link.ts'
import type { LinkTarget } from './link-request.ts'
import { settingsOf, type FtpOptions, type OperationOptions, type Settings } from './options.ts'
import type { FtpSession } from './session.ts'
import { operationSignal } from './turn-queue.ts'

/** What {@link FtpClient} inherits. */
export class ClientCore {
  /** @internal */
  readonly settings: Settings
  /** @internal */
  readonly lender: Lender

  /** @throws FtpError `FTP_INVALID_OPTION` */
  constructor(options: FtpOptions = {}) {
    this.settings = settingsOf(options)
    this.lender = new Lender(this.settings)
  }

  /** @internal */
  fetch(target: FtpTarget, receive: Parameters<OpenDownload>[0], signal: AbortSignal): Promise<Incoming> {
    const { settings } = this
    checkPlan(planFor(target, settings), settings)
    let data: DataConnection | undefined
    const request: LendRequest = {
      target: linkTargetFor(target, settings),
      signal,
      distance: (kept) => distanceTo(target, kept, settings),
      mayRepeat: () => (data?.bytes ?? 0) === 0,
    }
    return this.lender.lend(request, async (link, reused) => {
      const plan = planFor(target, reused ? { ...settings, state: link.state } : settings)
      const onData = (begun: DataConnection): void => {
        data = begun
        receive(begun, plan.representation.type === 'A')
      }
      const { size, done } = await fetchOver(link, plan, { onData, signal, keep: settings.idleMs > 0 })
      return { value: { size, done, secure: link.pi.dataProtected }, done }
    })
  }

  /** @internal */
  at<T>(
    url: string | URL,
    work: (session: FtpSession, name: string) => Promise<T>,
    options: OperationOptions,
  ): Promise<T> {
    const { directory, name } = this.placeOf(url)
    return this.useIn(directory, (session) => work(session, name), options)
  }

  /** @internal The directory of a target, as a target of its own, and the name in it. */
  placeOf(url: string | URL): { readonly directory: FtpTarget; readonly name: string } {
    const target = parseTarget(url, this.settings)
    if (target.name !== '') return { directory: { ...target, name: '', type: undefined }, name: target.name }
    const name = target.segments.at(-1)
    if (name === undefined || name === '') return { directory: target, name: '.' }
    return { directory: { ...target, segments: target.segments.slice(0, -1) }, name }
  }

  /** @internal */
  useIn<T>(
    directory: FtpTarget,
    work: (session: FtpSession) => Promise<T>,
    options: OperationOptions,
  ): Promise<T> {
    const { settings } = this
    const { signal, release } = operationSignal(options)
    let started = false
    const request: LendRequest = {
      target: linkTargetFor(directory, settings),
      signal,
      distance: (kept) => distanceTo(directory, kept, settings),
      mayRepeat: () => !started,
    }
    return this.lender
      .lend(request, async (link) => {
        // Loaded at the first use: who only fetches URLs waits for none of it.
        const sessions = await import('./sessions.ts')
        const session = await sessions.SessionLink.over(link, signal)
        const { directories, path } = planFor(directory, { ...settings, state: link.state })
        await session.goTo(directories, path, signal)
        started = true
        const value = await work(new sessions.FtpSession(session)).catch((error: unknown) => {
          // What was begun and not waited for would go on while somebody else has the session.
          if (session.busy) link.destroy()
          throw error
        })
        return { value, done: session.idle() }
      })
      .finally(release)
  }
}

function distanceTo(target: FtpTarget, kept: Link, settings: Settings): number | undefined {
  const { start, directories } = planFor(target, { ...settings, state: kept.state })
  return start === 'continue' ? directories.length : undefined
}

/** Reads a URL by the client's options. */
export function parseTarget(url: string | URL, { limits, allowPorts, encoding }: Settings): FtpTarget {
  return parseFtpUrl(url, { limits, allowPorts, encoding })
}

function linkTargetFor(target: FtpTarget, settings: Settings): LinkTarget {
  const tls = target.protocol === 'ftps' ? 'implicit' : settings.tls
  return { host: target.host, port: target.port, tls, credentials: credentialsFor(target, settings) }
}

/** Whatever cannot be sent is refused before anything is. */
function checkPlan(plan: FetchPlan, { encoding, limits }: Settings): void {
  const { action } = plan
  const commands = [
    ...walk(plan.directories),
    represent(plan.representation),
    action.kind === 'retrieve' ? retrieve(action.name) : nameList(action.name),
  ]
  for (const command of commands) encodeCommand(command, { encoding, commandBytes: limits.commandBytes })
}
