/** A server with files to try the examples on, and a folder to work in. */
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFtpSrv, type FtpSrvServer } from '../support/ftp-srv-server.mjs'

const FIXTURES = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

export interface Site extends AsyncDisposable {
  /** What is served: `fixtures/site` and `big.bin`. */
  readonly root: string
  /** Where examples run. */
  readonly work: string
  readonly server: FtpSrvServer
  readonly big: Buffer
}

export async function openSite(bigBytes = 8_000_000): Promise<Site> {
  const parent = await mkdtemp(join(tmpdir(), 'ftpwire-examples-'))
  const [root, work] = [join(parent, 'site'), join(parent, 'work')]
  const big = randomBytes(bigBytes)
  await cp(FIXTURES, root, { recursive: true })
  await writeFile(join(root, 'big.bin'), big)
  await mkdir(work)
  const server = await startFtpSrv({ root, user: 'joe', password: 's3cret', anonymous: true })
  const close = async (): Promise<void> => {
    await server.close()
    await rm(parent, { recursive: true })
  }
  return { root, work, server, big, [Symbol.asyncDispose]: close }
}
