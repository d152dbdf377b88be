/** Every block of JavaScript, and every use of the command, in the documents runs as it stands. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authority, certificate } from '../support/certificates.ts'
import { startFtpSrv, type FtpSrvServer } from '../support/ftp-srv-server.mjs'
import { codeBlocks, documents, root } from './markdown.ts'

const run = promisify(execFile)
const SHOWN_ONLY = new Set(['', 'text', 'json', 'mermaid'])
const blocks = documents.flatMap(codeBlocks)
const scripts = blocks.filter(({ language }) => language === 'js' || language === 'ts')
const commands = blocks.filter(({ language, code }) => language === 'sh' && /^(?:npx )?ftpwire /m.test(code))

let server: FtpSrvServer
let parent: string

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'ftpwire-docs-'))
  const site = join(parent, 'site')
  await cp(join(root, 'fixtures/site'), site, { recursive: true })
  const tls = { mode: 'explicit', ...certificate('server') } as const
  server = await startFtpSrv({ root: site, user: 'joe', password: 's3cret', anonymous: true, tls })
})

afterAll(async () => {
  await server.close()
  await rm(parent, { recursive: true })
})

describe('the documents', () => {
  test('have code only in languages that are run, or plainly not code', () => {
    const others = blocks.filter(
      ({ language }) => !['js', 'ts', 'sh'].includes(language) && !SHOWN_ONLY.has(language),
    )
    expect(others).toEqual([])
    expect(scripts.length).toBeGreaterThan(10)
    expect(commands.length).toBeGreaterThan(0)
  })

  test.each(scripts)('$document:$line', async ({ language, code }) => {
    const folder = await newFolder()
    const javascript = language === 'ts' ? stripped(code) : code
    await writeFile(join(folder, 'block.mjs'), javascript)
    await run(process.execPath, ['block.mjs'], { cwd: folder, env: environment(folder), timeout: 15_000 })
  })

  test.each(commands)('$document:$line', async ({ code }) => {
    const folder = await newFolder()
    const lines = code.replaceAll(/^npx ftpwire /gm, 'ftpwire ')
    await run('sh', ['-euc', lines], { cwd: folder, env: environment(folder), timeout: 15_000 })
  })
})

/** A project in which ftpwire is installed, with the files that the documents take for granted. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(parent, 'block-'))
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink(root, join(folder, 'node_modules/ftpwire'))
  const command = join(folder, 'node_modules/.bin/ftpwire')
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${root}dist/cli/main.js" "$@"\n`)
  await chmod(command, 0o755)
  await writeFile(join(folder, 'report.txt'), 'A report.\n')
  await writeFile(join(folder, 'ca.pem'), authority)
  return folder
}

function environment(folder: string): NodeJS.ProcessEnv {
  const prelude = pathToFileURL(join(root, 'test/docs/example-server-prelude.mjs')).href
  return {
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    NODE_OPTIONS: `--import ${prelude}`,
    EXAMPLE_PORT: String(server.port),
  }
}

function stripped(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  return ts.transpileModule(code, { compilerOptions }).outputText
}
