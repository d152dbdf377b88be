/**
 * A local folder, made again there.
 */
import type { Entry } from '../listing/index.ts'
import { FtpError } from '../errors.ts'
import { LocalFolder, type LocalEntry } from './local-folder.ts'
import { MirrorRun, type MirrorOptions, type MirrorResult, type WithSession } from './mirror.ts'
import { isSafeThere } from './safe-name.ts'
import { removeTree } from './remove-tree.ts'
import type { FtpSession } from './session.ts'

/** A clock in an unknown zone may be off by so much. */
const WIDEST_ZONE_MS = 14 * 3_600_000

/** Uploads what is new or changed into the folder in which the sessions stand. */
export async function mirrorUp(
  withSession: WithSession,
  source: string,
  options: MirrorOptions,
  concurrency: number,
  mostDepth: number,
): Promise<MirrorResult> {
  const local = new LocalFolder(source)
  // A source that is not there is the caller's mistake, not one file's failure.
  await local.list('')
  const run = new MirrorRun(options)
  new MirrorUp(run, local, mostDepth).addFolder('', false, 0)
  await run.drive(withSession, concurrency)
  return run.result()
}

class MirrorUp {
  readonly #run: MirrorRun
  readonly #local: LocalFolder
  readonly #mostDepth: number

  constructor(run: MirrorRun, local: LocalFolder, mostDepth: number) {
    this.#run = run
    this.#local = local
    this.#mostDepth = mostDepth
  }

  /** Compares a folder with its like on the server. A folder that is new there need not be listed. */
  addFolder(path: string, isNew: boolean, depth: number): void {
    this.#run.queue.add(
      { path, attempt: 0, run: (session) => this.#folder(session, path, isNew, depth) },
      true,
    )
  }

  async #folder(session: FtpSession, path: string, isNew: boolean, depth: number): Promise<void> {
    const { options, signal } = this.#run
    const here = await this.#local.list(path)
    const there = new Map<string, Entry>()
    if (!isNew) {
      const listing = session.list(path === '' ? undefined : path, { signal })
      for (const entry of await listing.toArray()) there.set(entry.name, entry)
    }
    for (const entry of here) {
      const place = below(path, entry.name)
      if (this.#run.isExcluded(place)) continue
      if (entry.type === 'dir')
        await this.#reported(session, place, () =>
          this.#subfolder(session, place, there.get(entry.name), depth),
        )
      else if (entry.type === 'file') this.#file(entry, place, there.get(entry.name))
      else
        this.#run.report({
          path: place,
          action: 'skipped',
          bytes: 0,
          reason: entry.type === 'link' ? 'links are not followed' : 'it is no file',
        })
    }
    if (options.delete !== true || this.#run.failed) return
    const names = new Set(here.map(({ name }) => name))
    for (const entry of there.values())
      if (!names.has(entry.name)) await this.#remove(session, entry, below(path, entry.name))
  }

  /** One name that cannot be sent, or is taken, must not stop the rest of its folder. */
  async #reported(session: FtpSession, path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof FtpError) || !session.alive) throw error
      this.#run.report({ path, action: 'failed', bytes: 0, reason: error.message, error })
    }
  }

  async #subfolder(
    session: FtpSession,
    place: string,
    there: Entry | undefined,
    depth: number,
  ): Promise<void> {
    if (depth >= this.#mostDepth) {
      this.#run.report({
        path: place,
        action: 'skipped',
        bytes: 0,
        reason: 'it lies deeper than the limit depth',
      })
      return
    }
    if (there !== undefined && there.type === 'file')
      throw new FtpError('FTP_REFUSED', `On the server ${place} is a file.`, {
        phase: 'local',
        kind: 'permanent',
      })
    if (there === undefined) {
      if (this.#run.options.dryRun !== true) await session.mkdir(place, { signal: this.#run.signal })
      this.#run.report({ path: place, action: 'made', bytes: 0 })
    }
    this.addFolder(place, there === undefined, depth + 1)
  }

  #file(entry: LocalEntry, place: string, there: Entry | undefined): void {
    if (!this.#run.isIncluded(place)) return
    if (there !== undefined && this.#isUnchanged(entry, there)) {
      this.#run.report({ path: place, action: 'unchanged', bytes: 0 })
    } else if (this.#run.options.dryRun === true) {
      this.#run.report({ path: place, action: 'transferred', bytes: 0 })
    } else {
      this.#run.queue.add({ path: place, attempt: 0, run: (session) => this.#send(session, entry, place) })
    }
  }

  async #send(session: FtpSession, entry: LocalEntry, place: string): Promise<void> {
    const { signal } = this.#run
    const { bytes } = await session.upload(this.#local.pathOf(place), place, { signal })
    // A server that sets no times shows that of the upload, which is later: the comparison allows for that.
    await session.setModified(place, entry.modified, { signal }).catch((error: unknown) => {
      if (!(error instanceof FtpError) || !session.alive) throw error
    })
    this.#run.report({ path: place, action: 'transferred', bytes })
  }

  async #remove(session: FtpSession, entry: Entry, place: string): Promise<void> {
    const { options, signal } = this.#run
    if (this.#run.isExcluded(place) || !isSafeThere(entry.name)) return
    if (options.dryRun !== true) {
      if (entry.type === 'dir') await removeTree(session, place, signal)
      else await session.delete(place, { signal })
    }
    this.#run.report({ path: place, action: 'deleted', bytes: 0 })
  }

  #isUnchanged(here: LocalEntry, there: Entry): boolean {
    const { compare = 'size-time' } = this.#run.options
    if (compare === 'always' || there.type !== 'file' || there.size !== here.size) return false
    if (compare === 'size' || there.modified === undefined) return true
    const slack = there.modifiedZoneKnown ? 2000 : WIDEST_ZONE_MS
    return there.modified.getTime() + slack >= here.modified.getTime()
  }
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
