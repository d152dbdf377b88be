/**
 * The local side of a mirror: nothing is read or written through a symbolic link.
 */
import { lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { FtpError } from '../errors.ts'
import { isSafeHere } from './safe-name.ts'

/** What stands at a local path. */
export interface LocalStat {
  readonly type: 'file' | 'dir' | 'link' | 'other'
  readonly size: number
  readonly modified: Date
}

/** An entry of a local folder. */
export interface LocalEntry extends LocalStat {
  readonly name: string
}

/** One folder and everything in it. */
export class LocalFolder {
  readonly root: string
  readonly #made = new Map<string, Promise<void>>()

  constructor(root: string) {
    this.root = resolve(root)
  }

  /** The local path of a path below the folder; every segment must be a safe name. */
  pathOf(path: string): string {
    const segments = path === '' ? [] : path.split('/')
    if (!segments.every((segment) => isSafeHere(segment))) {
      throw new FtpError('FTP_UNSAFE_NAME', 'The name cannot be a local file name.', { phase: 'local' })
    }
    return join(this.root, ...segments)
  }

  /** Makes the folder `path`, and each one on the way; refuses a symbolic link in their place (CVE-2014-4877). */
  ensure(path: string): Promise<void> {
    const made = this.#made.get(path)
    if (made !== undefined) return made
    const making = this.#make(path)
    this.#made.set(path, making)
    making.catch(() => this.#made.delete(path))
    return making
  }

  /** What is there, without following a link; undefined for nothing. */
  async stat(path: string): Promise<LocalStat | undefined> {
    return statOf(this.pathOf(path))
  }

  /** The entries of a folder, by name. */
  async list(path: string): Promise<LocalEntry[]> {
    const place = path === '' ? this.root : join(this.root, ...path.split('/'))
    const names = await readdir(place).catch((cause: unknown) => {
      throw localError(place, cause)
    })
    const entries: LocalEntry[] = []
    for (const name of names.sort()) {
      const stat = await statOf(join(place, name))
      if (stat !== undefined) entries.push({ name, ...stat })
    }
    return entries
  }

  /** Sets the time of the last change, where it is one that a file can have. */
  async setModified(path: string, modified: Date): Promise<void> {
    await utimes(this.pathOf(path), modified, modified).catch(() => undefined)
  }

  /** Removes a file, a link, or a folder with all it holds; a link in it is removed, not followed. */
  async remove(path: string): Promise<void> {
    await rm(this.pathOf(path), { recursive: true, force: true })
  }

  async #make(path: string): Promise<void> {
    if (path === '') {
      await mkdir(this.root, { recursive: true })
      return
    }
    await this.ensure(dirname(path) === '.' ? '' : dirname(path))
    const place = this.pathOf(path)
    const stat = await statOf(place)
    if (stat === undefined)
      await mkdir(place).catch((cause: unknown) => Promise.reject(localError(place, cause)))
    else if (stat.type !== 'dir') {
      throw new FtpError('FTP_LOCAL_FILE', `${place} is in the way: it is no folder.`, { phase: 'local' })
    }
  }
}

async function statOf(place: string): Promise<LocalStat | undefined> {
  const stat = await lstat(place).catch(() => undefined)
  if (stat === undefined) return undefined
  const type = stat.isFile() ? 'file' : stat.isDirectory() ? 'dir' : stat.isSymbolicLink() ? 'link' : 'other'
  return { type, size: stat.size, modified: stat.mtime }
}

function localError(place: string, cause: unknown): FtpError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new FtpError('FTP_LOCAL_FILE', `Cannot use ${place}: ${why}`, { phase: 'local', cause })
}
