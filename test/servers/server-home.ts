/** The folder in which one real server lives: what it serves, who may log in, its certificate and configuration. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tlsFile, type CertificateName } from '../support/certificates.ts'

export const USER = 'tester'
export const PASSWORD = 'secret'

/** Numbers that no system is likely to have given to anyone. */
export const USER_ID = 64123
export const ANONYMOUS_ID = 64124

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

export interface ServerHome {
  /** Configuration and logs. */
  readonly state: string
  readonly root: string
  readonly certificate: string
  readonly key: string
  /** Certificate and key in one file, as Pure-FTPd wants them. */
  readonly pair: string
  /** POSIX text of the zone in which the server shows times; undefined for UTC. */
  readonly timeZone: string | undefined
  readonly passwordHash: string
  /** Writes a file of the server's state and tells where it stands. */
  write(name: string, lines: readonly string[]): string
  /** Account files of this machine with the two users added, to be mounted over its own where only the server sees it. */
  accounts(): { readonly passwd: string; readonly group: string; readonly shadow: string }
  remove(): void
}

export interface HomeOptions {
  readonly root?: string
  readonly certificate?: CertificateName
  readonly timeZone?: string
}

/** Without a `root`, a copy of the fixtures is served. A folder `upload` is made in it, which the user may write to. */
export function makeHome(options: HomeOptions = {}): ServerHome {
  const { root: givenRoot, certificate: certificateName = 'server', timeZone } = options
  const state = mkdtempSync(join(tmpdir(), 'ftpwire-server-'))
  chmodSync(state, 0o755)
  const root = givenRoot ?? join(state, 'root')
  if (givenRoot === undefined) cpSync(site, root, { recursive: true })
  const upload = join(root, 'upload')
  mkdirSync(upload, { recursive: true })
  chownSync(upload, USER_ID, USER_ID)

  const write = (name: string, lines: readonly string[]): string => {
    const path = join(state, name)
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
    return path
  }
  // Servers refuse a key that others may read, and a repository keeps no such permissions.
  const key = join(state, 'server.key')
  copyFileSync(tlsFile(`${certificateName}.key`), key)
  chmodSync(key, 0o600)
  const certificate = tlsFile(`${certificateName}.crt`)
  const pair = write('pair.pem', [readFileSync(certificate, 'utf8'), readFileSync(key, 'utf8')])
  const passwordHash = execFileSync('openssl', ['passwd', '-6', PASSWORD], { encoding: 'utf8' }).trim()

  return {
    state,
    root,
    certificate,
    key,
    pair,
    timeZone,
    passwordHash,
    write,
    accounts() {
      const passwd = write('passwd', [
        ...without('/etc/passwd', 'ftp', USER),
        `ftp:x:${ANONYMOUS_ID}:${ANONYMOUS_ID}::${root}:/bin/sh`,
        `${USER}:x:${USER_ID}:${USER_ID}::${root}:/bin/sh`,
      ])
      const group = write('group', [
        ...without('/etc/group', 'ftp', USER),
        `ftp:x:${ANONYMOUS_ID}:`,
        `${USER}:x:${USER_ID}:`,
      ])
      chmodSync(passwd, 0o644)
      chmodSync(group, 0o644)
      const shadow = write('shadow', [
        ...without('/etc/shadow', 'ftp', USER),
        'ftp:!:19000:0:99999:7:::',
        `${USER}:${passwordHash}:19000:0:99999:7:::`,
      ])
      return { passwd, group, shadow }
    },
    remove: () => rmSync(state, { recursive: true, force: true }),
  }
}

function without(file: string, ...names: string[]): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !names.some((name) => line.startsWith(`${name}:`)))
}
