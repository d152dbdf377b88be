import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('SECURITY.md', root), 'utf8')
const rows = [...text.matchAll(/^\|.*\| `([^`]+)` +\| \[[^\]]+\]\(([^)]+)\) +\|$/gm)].map(
  ([, id = '', path = '']) => [id, path] as const,
)

describe('SECURITY.md', () => {
  test('has a table of past holes', () => {
    expect(rows.length).toBeGreaterThan(35)
  })

  test.each(rows)('%s is guarded in %s', (id, path) => {
    expect(readFileSync(fileURLToPath(new URL(path, root)), 'utf8')).toContain(id)
  })

  test('reports go where they are private, and to no address that nobody reads', () => {
    expect(text).toContain('Report a vulnerability')
    expect(text).not.toMatch(/[\w.]+@[\w.]+/)
  })
})
