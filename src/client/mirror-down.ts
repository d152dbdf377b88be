/**
 * A remote folder, made again here.
 */
import type { Entry } from '../listing/index.ts'
import { LocalFolder } from './local-folder.ts'
import { MirrorRun, type MirrorOptions, type MirrorResult, type WithSession } from './mirror.ts'
import { isSafeHere } from './safe-name.ts'
import type { FtpSession } from './session.ts'

const PRECISION_MS = { day: 86_400_000, minute: 60_000, second: 1000, millisecond: 1 } as const

/** Downloads what is new or changed below the folder in which the sessions stand. */
export async function mirrorDown(
  withSession: WithSession,
  destination: string,
  options: MirrorOptions,
  concurrency: number,
  mostDepth: number,
): Promise<MirrorResult> {
  const run = new MirrorRun(options)
  const down = new MirrorDown(run, new LocalFolder(destination), mostDepth)
  down.addFolder('', '', 0)
  await run.drive(withSession, concurrency)
  if (options.delete === true && !run.failed) await down.removeOthers()
  return run.result()
}

class MirrorDown {
  readonly #run: MirrorRun
  readonly #local: LocalFolder
  readonly #mostDepth: number
  /** Local paths that the source has, to know what it has not. */
  readonly #seen = new Map<string, Set<string>>()

  constructor(run: MirrorRun, local: LocalFolder, mostDepth: number) {
    this.#run = run
    this.#local = local
    this.#mostDepth = mostDepth
  }

  /** Lists a folder, and adds tasks for what is in it. `local` differs from `remote` where names were mapped. */
  addFolder(remote: string, local: string, depth: number): void {
    this.#run.queue.add(
      { path: remote, attempt: 0, run: (session) => this.#list(session, remote, local, depth) },
      true,
    )
  }

  /** Removes what the source does not have. */
  async removeOthers(): Promise<void> {
    for (const [folder, names] of this.#seen) {
      const entries = await this.#local.list(folder).catch(() => [])
      for (const { name } of entries) {
        const path = below(folder, name)
        if (names.has(name) || this.#run.isExcluded(path) || !isSafeHere(name)) continue
        if (this.#run.options.dryRun !== true) await this.#local.remove(path)
        this.#run.report({ path, action: 'deleted', bytes: 0 })
      }
    }
  }

  async #list(session: FtpSession, remote: string, local: string, depth: number): Promise<void> {
    const names = new Set<string>()
    const twins = new Map<string, string>()
    const listing = session.list(remote === '' ? undefined : remote, { signal: this.#run.signal })
    for (const entry of await listing.toArray()) {
      const path = below(remote, entry.name)
      if (this.#run.isExcluded(path)) continue
      const name = isSafeHere(entry.name) ? entry.name : this.#run.options.renameUnsafe?.(entry.name)
      if (name === undefined || !isSafeHere(name)) {
        this.#run.report({ path, action: 'skipped', bytes: 0, reason: 'the name is not safe as a local one' })
        continue
      }
      const twin = twins.get(folded(name))
      if (twin !== undefined && twin !== name && isCaseBlind()) {
        this.#run.report({ path, action: 'skipped', bytes: 0, reason: `this system takes it for ${twin}` })
        continue
      }
      if (names.has(name)) {
        this.#run.report({ path, action: 'skipped', bytes: 0, reason: 'there is another of this name' })
        continue
      }
      twins.set(folded(name), name)
      names.add(name)
      this.#add(entry, path, below(local, name), depth)
    }
    // A folder that only seems empty, because its listing broke off, tells nothing of what to remove.
    if (!listing.presumedEmpty) this.#seen.set(local, names)
    if (this.#run.options.dryRun !== true) await this.#local.ensure(local)
  }

  #add(entry: Entry, remote: string, local: string, depth: number): void {
    if (entry.type === 'dir') {
      if (depth < this.#mostDepth) this.addFolder(remote, local, depth + 1)
      else
        this.#run.report({
          path: remote,
          action: 'skipped',
          bytes: 0,
          reason: 'it lies deeper than the limit depth',
        })
    } else if (entry.type === 'file') {
      if (!this.#run.isIncluded(remote)) return
      this.#run.queue.add({
        path: remote,
        attempt: 0,
        run: (session) => this.#fetch(session, entry, remote, local),
      })
    } else {
      this.#run.report({
        path: remote,
        action: 'skipped',
        bytes: 0,
        reason: entry.type === 'link' ? 'links are not followed' : 'it is no file',
      })
    }
  }

  async #fetch(session: FtpSession, entry: Entry, remote: string, local: string): Promise<void> {
    const { dryRun = false, compare = 'size-time' } = this.#run.options
    if (compare !== 'always' && (await this.#isUnchanged(entry, local, compare))) {
      this.#run.report({ path: remote, action: 'unchanged', bytes: 0 })
      return
    }
    if (dryRun) {
      this.#run.report({ path: remote, action: 'transferred', bytes: 0 })
      return
    }
    await this.#local.ensure(local.includes('/') ? local.slice(0, local.lastIndexOf('/')) : '')
    const { bytes } = await session.downloadTo(remote, this.#local.pathOf(local), {
      signal: this.#run.signal,
    })
    if (entry.modified !== undefined) await this.#local.setModified(local, entry.modified)
    this.#run.report({ path: remote, action: 'transferred', bytes })
  }

  async #isUnchanged(entry: Entry, local: string, compare: 'size-time' | 'size'): Promise<boolean> {
    const stat = await this.#local.stat(local)
    if (stat?.type !== 'file' || entry.size === undefined || stat.size !== entry.size) return false
    if (compare === 'size' || entry.modified === undefined) return true
    const tolerance = PRECISION_MS[entry.modifiedPrecision ?? 'second']
    return Math.abs(stat.modified.getTime() - entry.modified.getTime()) < Math.max(tolerance, 2000)
  }
}

/** HFS+, APFS and NTFS take `A` for `a`, and one form of an accent for the other. */
function isCaseBlind(): boolean {
  return process.platform === 'darwin' || process.platform === 'win32'
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
