/** The files of a table server, in memory. */
import { posix } from 'node:path'

export interface TableEntry {
  readonly name: string
  readonly folder: boolean
  readonly size: number
  readonly modified: Date
}

/** A fixed time, so that a listing is the same every day. */
const LONG_AGO = new Date(Date.UTC(2024, 0, 2, 3, 4, 5))
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export class TableFiles {
  /** Contents by absolute path. */
  readonly contents = new Map<string, Buffer>()
  readonly #folders = new Set(['/'])
  readonly #modified = new Map<string, Date>()

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    for (const [path, content] of Object.entries(files))
      this.put(posix.resolve('/', path), Buffer.from(content))
  }

  isFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  exists(path: string): boolean {
    return this.isFolder(path) || this.contents.has(path)
  }

  /** Makes the folders above it too. */
  put(path: string, content: Buffer): void {
    this.contents.set(path, content)
    for (let above = posix.dirname(path); !this.#folders.has(above); above = posix.dirname(above)) {
      this.#folders.add(above)
    }
  }

  makeFolder(path: string): void {
    this.#folders.add(path)
  }

  remove(path: string): boolean {
    return this.contents.delete(path)
  }

  removeFolder(path: string): boolean {
    return this.list(path).length === 0 && this.#folders.delete(path)
  }

  rename(from: string, to: string): void {
    const content = this.contents.get(from)
    if (content) {
      this.contents.delete(from)
      this.put(to, content)
      return
    }
    for (const folder of [...this.#folders].filter((path) => inside(path, from))) {
      this.#folders.delete(folder)
      this.#folders.add(to + folder.slice(from.length))
    }
    for (const path of [...this.contents.keys()].filter((path) => inside(path, from))) {
      this.rename(path, to + path.slice(from.length))
    }
  }

  touch(path: string, modified: Date): void {
    this.#modified.set(path, modified)
  }

  entry(path: string): TableEntry {
    return {
      name: posix.basename(path),
      folder: this.isFolder(path),
      size: this.contents.get(path)?.length ?? 0,
      modified: this.#modified.get(path) ?? LONG_AGO,
    }
  }

  list(folder: string): TableEntry[] {
    return [...this.#folders, ...this.contents.keys()]
      .filter((path) => path !== '/' && posix.dirname(path) === folder)
      .map((path) => this.entry(path))
  }
}

function inside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

export function timeVal(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
}

export function fromTimeVal(text: string): Date | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)?.slice(1).map(Number)
  if (!parts) return undefined
  const [year = 0, month = 1, day, hour, minute, second] = parts
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
}

export function facts({ folder, size, modified, name }: TableEntry): string {
  return `type=${folder ? 'dir' : 'file'};size=${size};modify=${timeVal(modified)}; ${name}`
}

export function longLine({ folder, size, modified, name }: TableEntry): string {
  const day = String(modified.getUTCDate()).padStart(2)
  const date = `${MONTHS[modified.getUTCMonth()]} ${day}  ${modified.getUTCFullYear()}`
  return `${folder ? 'd' : '-'}rw-r--r--   1 owner    group    ${String(size).padStart(8)} ${date} ${name}`
}
