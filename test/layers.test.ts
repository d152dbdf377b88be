import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** What each layer may import of the others; every layer may import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  protocol: ['errors'],
  listing: ['protocol', 'errors'],
  transport: ['protocol', 'errors'],
  client: ['transport', 'listing', 'protocol', 'errors'],
  index: ['client', 'transport', 'listing', 'protocol', 'errors'],
  fetch: ['index'],
  cli: ['index'],
}

/** In these nothing has an effect but its result. */
const PURE = ['errors', 'protocol', 'listing']

const EFFECTS =
  /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|process\.(?:env|stdout|stderr|nextTick|hrtime)|performance\.now|Date\.now|Math\.random|console)\b|\bnew Date\(\s*\)/

interface Source {
  readonly path: string
  readonly layer: string
  readonly imports: readonly string[]
  readonly text: string
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const text = readFileSync(file, 'utf8')
      return {
        path: relative(SRC, file),
        layer: layerOf(relative(SRC, file)),
        imports: importsOf(text),
        text,
      }
    })
}

function layerOf(path: string): string {
  return path.replace(/\.ts$/, '').split(/[\\/]/)[0] ?? ''
}

function importsOf(text: string): string[] {
  const from = /^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm
  const bare = /^import\s*['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [from, bare, dynamic].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

const SOURCES = sourcesIn(SRC)
const LIBRARY = SOURCES.filter(({ layer }) => layer !== 'cli')

describe('the layers', () => {
  test('every file belongs to one', () => {
    expect(SOURCES.length).toBeGreaterThan(30)
    for (const { path, layer } of SOURCES) expect(Object.keys(MAY_IMPORT), path).toContain(layer)
  })

  test('imports point one way', () => {
    const wrong = SOURCES.flatMap(({ path, layer, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(SRC, join(SRC, dirname(path), name)))
        .filter(
          (target) => layerOf(target) !== layer && MAY_IMPORT[layer]?.includes(layerOf(target)) !== true,
        )
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('the pure ones know no socket, file, name service, clock or timer', () => {
    const pure = SOURCES.filter(({ layer }) => PURE.includes(layer))
    const wrong = pure.flatMap(({ path, imports, text }) => {
      const modules = imports.filter(
        (name) => name.startsWith('node:') && !/^node:(?:buffer|util|url)$/.test(name),
      )
      const effect = EFFECTS.exec(withoutComments(text))?.[0]
      return [...modules, ...(effect === undefined ? [] : [effect])].map((what) => `${path}: ${what}`)
    })
    expect(wrong).toEqual([])
  })

  test('nothing is imported but Node and this package', () => {
    for (const { path, imports } of SOURCES)
      for (const name of imports) expect(name, path).toMatch(/^(?:\.{1,2}\/.*\.ts|node:[a-z/_]+)$/)
  })

  test('no two files of the library import each other, however long the way round', () => {
    const graph = new Map(
      LIBRARY.map(({ path, imports, text }) => {
        // A type is gone at run time: files may know each other's.
        const types = new Set(
          [...text.matchAll(/^(?:import|export) type\b[^'"]*?from\s*['"]([^'"]+)['"]/gm)].map(
            ([, name]) => name,
          ),
        )
        const values = imports.filter((name) => name.startsWith('.') && !types.has(name))
        return [path, values.map((name) => relative(SRC, join(SRC, dirname(path), name)))]
      }),
    )
    const done = new Set<string>()
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) expect.fail([...way.slice(way.indexOf(path)), path].join(' → '))
      if (done.has(path)) return
      for (const target of graph.get(path) ?? []) visit(target, [...way, path])
      done.add(path)
    }
    for (const path of graph.keys()) visit(path, [])
  })
})
