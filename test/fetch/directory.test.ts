import { describe, expect, test } from 'vitest'
import { ftpFetch, type DirectoryEntry } from '../../src/fetch/index.ts'
import { fileURLToPath } from 'node:url'
import { startFtpSrv } from '../support/ftp-srv-server.mjs'
import { startTableServer, type TableOptions } from '../support/table-server.ts'

const root = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

async function page(path: string, options: TableOptions): Promise<string> {
  await using table = await startTableServer(options)
  const response = await ftpFetch(`${table.url()}${path}`, { headers: { accept: 'text/html' } })
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  return response.text()
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)">/g)].map(([, link = '']) => link)
}

describe('a directory as JSON', () => {
  test('is an array of entries', async () => {
    await using table = await startTableServer({
      replies: { MDTM: '213 20240501100000' },
      files: { '/pub/a.txt': 'four', '/pub/sub/b': '' },
    })
    const response = await ftpFetch(table.url('/pub/'))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('vary')).toBe('accept')
    const entries = (await response.json()) as DirectoryEntry[]
    const file = entries.find(({ name }) => name === 'a.txt')
    expect(file).toMatchObject({ type: 'file', size: 4 })
    const folder = entries.find(({ name }) => name === 'sub')
    expect(folder).toMatchObject({ type: 'dir' })
    expect(folder).not.toHaveProperty('size')
    expect(file?.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('says no more of a time than the server did', async () => {
    const line = (date: string, name: string): string => `-rw-r--r-- 1 o g 5 ${date} ${name}\r\n`
    await using table = await startTableServer({
      files: { '/a': '' },
      replies: {
        FEAT: '502 No',
        LIST: async (_argument, context) => {
          await context.send('150 Here')
          const wire = await context.data()
          await wire.write(line('Feb 11  2020', 'old') + line('2024-05-01 10:20', 'new'), 'whole')
          await wire.fin()
          return '226 Done'
        },
      },
    })
    const response = await ftpFetch(table.url('/'))
    expect(await response.json()).toEqual([
      { name: 'old', type: 'file', size: 5, modified: '2020-02-11' },
      { name: 'new', type: 'file', size: 5, modified: '2024-05-01T10:20:00' },
    ])
  })

  test('is an empty array where there is nothing', async () => {
    await using table = await startTableServer({ replies: { MLSD: '550 No files found' } })
    const response = await ftpFetch(table.url('/'))
    expect(await response.json()).toEqual([])
  })

  test('comes from the login directory where the URL has no path', async () => {
    await using server = await startFtpSrv({ root, cwd: '/pub' })
    const response = await ftpFetch(server.url('').replace(/\/$/, ''))
    expect(response.url).toBe(server.url('/'))
    const entries = (await response.json()) as DirectoryEntry[]
    expect(entries.map(({ name }) => name)).toContain('hello.txt')
  })

  test.each(['/pub/a', '/pub/a/'])('is asked for by ;type=d of %s as well', async (path) => {
    await using table = await startTableServer({ files: { '/pub/a/x': '1' } })
    const response = await ftpFetch(`${table.url(path)};type=d`)
    const entries = (await response.json()) as DirectoryEntry[]
    expect(entries.map(({ name }) => name)).toEqual(['x'])
  })

  test('of many entries comes in pieces', async () => {
    const names = Array.from({ length: 3000 }, (_, at) => `file-${at}`)
    const files = Object.fromEntries(names.map((name) => [`/${name}`, '']))
    await using table = await startTableServer({ files })
    const response = await ftpFetch(table.url('/'))
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    expect(chunks.length).toBeGreaterThan(3)
    const entries = JSON.parse(Buffer.concat(chunks).toString()) as DirectoryEntry[]
    expect(entries.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })
})

describe('a directory as HTML', () => {
  const NASTY = [`<img src=x onerror=alert(1)>`, `a"b'c&d`, 'javascript:alert(1)', 'a b;type=d', '50%?#']

  test('shows names and links that lead to them, whatever they are', async () => {
    const files = Object.fromEntries(NASTY.map((name) => [`/pub/${name}`, name]))
    await using table = await startTableServer({ files })
    const response = await ftpFetch(table.url('/pub/'), { headers: { accept: 'text/html' } })
    const html = await response.text()
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).toContain('a&quot;b&#39;c&amp;d')
    const [parent, ...links] = linksOf(html)
    expect(parent).toBe('../')
    const contents: string[] = []
    for (const link of links) {
      const file = await ftpFetch(new URL(link, response.url).href)
      contents.push(await file.text())
    }
    expect(contents.toSorted()).toEqual(NASTY.toSorted())
  })

  test('has directories with a slash, and a parent except at the top', async () => {
    expect(linksOf(await page('', { files: { '/sub/x': '' } }))).toEqual(['sub/'])
    expect(linksOf(await page('sub/', { files: { '/sub/x': '' } }))).toEqual(['../', 'x'])
  })

  test('has links from where its URL is read, with ;type=d too', async () => {
    const links = linksOf(await page('p%20b/sub;type=d', { files: { '/p b/sub/x y': '' } }))
    expect(links).toEqual(['./', 'sub/x%20y'])
  })

  test('keeps names that are no UTF-8 byte for byte', async () => {
    const html = await page('', {
      replies: {
        MLSD: async (_argument, context) => {
          await context.send('150 Here')
          const wire = await context.data()
          await wire.write(Buffer.from('type=file;size=1; gr\xfc\xdfe\r\n', 'latin1'), 'whole')
          await wire.fin()
          return '226 Done'
        },
      },
    })
    expect(linksOf(html)).toEqual(['gr%FC%DFe'])
  })
})
