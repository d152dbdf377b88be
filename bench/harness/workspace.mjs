/** A folder with what is served and what is received; it goes when the run ends. */
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const MEBI = 1024 * 1024

export class Workspace {
  constructor(parent = tmpdir()) {
    this.folder = mkdtempSync(join(parent, 'ftpwire-bench-'))
    // Servers give their sessions the rights of other users.
    chmodSync(this.folder, 0o755)
    this.root = this.#made('root')
    this.received = this.#made('received')
  }

  /** A served file of random bytes, `/NAME`. @returns its path on the disk */
  random(name, mebibytes) {
    const path = this.#path(name)
    const file = openSync(path, 'w')
    for (let written = 0; written < mebibytes; written++) writeSync(file, randomBytes(MEBI))
    closeSync(file)
    return path
  }

  /** A served file of any size that takes no space. */
  sparse(name, bytes) {
    const path = this.#path(name)
    writeFileSync(path, '')
    truncateSync(path, bytes)
    return path
  }

  /** A served file with this text. @returns its path below the root */
  text(name, text) {
    writeFileSync(this.#path(name), text)
    return name
  }

  removeServed(name) {
    rmSync(join(this.root, name), { force: true })
  }

  /** Served files of so many bytes each, in one folder. @returns their names */
  many(folder, count, bytes) {
    const names = Array.from({ length: count }, (_, number) => `file-${String(number).padStart(4, '0')}.bin`)
    for (const name of names) writeFileSync(this.#path(`${folder}/${name}`), randomBytes(bytes))
    return names
  }

  /** Where a client shall put what it receives: a new folder for each. */
  local(name) {
    const path = join(this.received, name)
    rmSync(path, { recursive: true, force: true })
    return path
  }

  localFolder(name) {
    const path = this.local(name)
    mkdirSync(path)
    return path
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #made(name) {
    const path = join(this.folder, name)
    mkdirSync(path)
    return path
  }

  #path(name) {
    const path = join(this.root, name)
    mkdirSync(join(path, '..'), { recursive: true })
    return path
  }
}

/** SHA-256 of a file. */
export async function digestOf(path) {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: MEBI }), sum)
  return sum.digest('hex')
}
