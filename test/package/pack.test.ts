/** The packed tarball, in an empty project. Needs a build. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PLAN = ['USER anonymous', 'PASS ***', 'TYPE I', 'PASV', 'RETR a']

let project: string
let packed: string[]

async function run(command: string, ...argv: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, argv, { cwd: project })
  return stdout
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'ftpwire-pack-'))
  const pack = await promisify(execFile)(
    'npm',
    // Not the scripts: they would build anew under the feet of other tests.
    ['pack', '--json', '--ignore-scripts', '--pack-destination', project],
    { cwd: root },
  )
  const parsed = JSON.parse(pack.stdout) as ReadonlyArray<PackReport> | Readonly<Record<string, PackReport>>
  const [report] = Object.values(parsed)
  if (report === undefined) throw new Error('npm pack reported nothing')
  packed = report.files.map(({ path }) => path)
  await writeFile(join(project, 'package.json'), '{ "private": true }\n')
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${report.filename}`)
}, 60_000)

afterAll(() => rm(project, { recursive: true }))

interface PackReport {
  readonly filename: string
  readonly files: ReadonlyArray<{ readonly path: string }>
}

describe('the tarball', () => {
  test('holds what a user needs, and nothing else', () => {
    const others = packed.filter((path) => !/^dist\/.*\.(?:js|d\.ts)$/.test(path) && path !== 'SECURITY.md')
    expect(others.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs/ftpwire.1',
      'package.json',
    ])
    const sources = packed.filter((path) => path.endsWith('.js')).map((path) => path.replace(/\.js$/, ''))
    const types = packed.filter((path) => path.endsWith('.d.ts')).map((path) => path.replace(/\.d\.ts$/, ''))
    expect(sources.toSorted()).toEqual(types.toSorted())
  })

  test('brings nothing with it', async () => {
    const tree = JSON.parse(await run('npm', 'ls', '--all', '--json')) as {
      dependencies: Record<string, { dependencies?: object }>
    }
    expect(Object.keys(tree.dependencies)).toEqual(['ftpwire'])
    expect(tree.dependencies['ftpwire']?.dependencies).toBeUndefined()
  })
})

describe('an empty project', () => {
  const show = `console.log(JSON.stringify(plan('ftp://h/a')))`

  test('imports it', async () => {
    const code = `import { plan } from 'ftpwire'; ${show}`
    expect(JSON.parse(await run(process.execPath, '--input-type=module', '-e', code))).toEqual(PLAN)
  })

  test('requires it', async () => {
    const code = `const { plan } = require('ftpwire'); ${show}`
    expect(JSON.parse(await run(process.execPath, '--input-type=commonjs', '-e', code))).toEqual(PLAN)
  })

  test('imports each of its entries', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>
    }
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
    const imports = entries.map((entry) => `await import(${JSON.stringify(`ftpwire${entry.slice(1)}`)})`)
    await run(process.execPath, '--input-type=module', '-e', imports.join('\n'))
  })

  test('has the command', async () => {
    expect(await run('npx', '--no-install', 'ftpwire', '--help')).toContain('Usage: ftpwire')
    const lines = await run('npx', '--no-install', 'ftpwire', 'plan', 'ftp://h/a')
    expect(lines.trim().split('\n')).toEqual(PLAN)
  })

  test.each([
    ['nodenext', 'module', 'import'],
    ['nodenext', 'commonjs', 'import'],
    ['bundler', 'module', 'import'],
  ])(
    'compiles against its types: %s, %s',
    async (resolution, type) => {
      const folder = join(project, `types-${resolution}-${type}`)
      await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
      await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
      await symlink(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
      await writeFile(join(folder, 'main.ts'), CONSUMER)
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            module: resolution === 'bundler' ? 'esnext' : 'nodenext',
            moduleResolution: resolution,
            target: 'es2022',
            lib: ['es2023', 'esnext.disposable'],
            types: ['node'],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
          },
          files: ['main.ts'],
        }),
      )
      await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder)
    },
    60_000,
  )
})

// Not run, only compiled, with the declarations checked as well: no skipLibCheck.
const CONSUMER = `
import { connect, FtpClient, FtpError, get, list, plan, type Entry, type FtpOptions } from 'ftpwire'
import { ftpFetch, getUri, type FtpFetchInit, type UriReadable } from 'ftpwire/fetch'
import { ListingParser, parseListing, type ListingOptions } from 'ftpwire/listing'
const options: FtpOptions = { tls: 'explicit', timeouts: { connect: 1000 } }
export const names: Promise<string[]> = list('ftp://h/', options)
export const bytes: Promise<Uint8Array> = get('ftp://h/a', { signal: AbortSignal.timeout(1) }).bytes()
export const commands: readonly string[] = plan(new URL('ftp://h/a'))
export async function text(url: string): Promise<string> {
  const client = new FtpClient(options)
  try {
    return await client.get(url).text()
  } catch (error) {
    if (error instanceof FtpError && error.code === 'FTP_NOT_FOUND') return ''
    throw error
  } finally {
    await client.close()
  }
}
export async function sizes(host: string): Promise<Array<number | undefined>> {
  const session = await connect({ host }, options)
  for await (const { path } of session.walk('pub', { include: ['*.txt'] })) await session.delete(path)
  await session.upload({ text: 'x' }, 'x', { mode: 'append' })
  return (await session.list('pub').toArray()).map((entry: Entry) => entry.size)
}
const init: FtpFetchInit = { ftp: options, method: 'GET' }
export const response: Promise<Response> = ftpFetch('ftp://h/a', init)
export const stream: Promise<UriReadable> = getUri('ftp://h/a', { secure: true })
const reading: ListingOptions = { now: new Date(), format: 'unix' }
export const entries: readonly Entry[] = parseListing('', reading).entries
export const parser: ListingParser = new ListingParser(reading)
// @ts-expect-error there is no such mode
export const wrong: FtpOptions = { tls: 'always' }
`
