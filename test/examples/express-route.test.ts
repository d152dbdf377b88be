import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startExample, type RunningExample } from './run-example.ts'
import { openSite, type Site } from './site.ts'

let site: Site
let app: RunningExample
let base: string

beforeAll(async () => {
  // More than the buffers of two connections take.
  site = await openSite(60_000_000)
  app = startExample('express-route.mjs', [site.server.url('/')], { env: { PORT: '0' } })
  base = await vi.waitFor(
    () => {
      const [url] = /http:\S+/.exec(app.output()) ?? []
      if (url === undefined) throw new Error(`it does not listen: ${app.output()}`)
      return url
    },
    { timeout: 15_000 },
  )
})

afterAll(async () => {
  app.process.kill('SIGTERM')
  const { code } = await app.finished
  await site[Symbol.asyncDispose]()
  expect(code).toBe(0)
})

function request(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(base + path, { agent: false }, resolve).on('error', reject))
}

describe('express-route.mjs', () => {
  test('streams a file with its length and type', async () => {
    const response = await fetch(`${base}big.bin`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('60000000')
    expect(response.headers.get('content-type')).toContain('application/octet-stream')
    expect(site.big.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  test.each([
    ['pub/hello.txt', 'text/plain', 60],
    ['pub/a%20b/c%20d.txt', 'text/plain', 39],
    ['pub/names/100%25.txt', 'text/plain', 17],
    ['pub/names/%231.txt', 'text/plain', 70],
    ['pub/empty.txt', 'text/plain', 0],
  ])('serves %s', async (path, type, length) => {
    const response = await fetch(base + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect((await response.arrayBuffer()).byteLength).toBe(length)
  })

  test('answers HEAD without the data', async () => {
    const response = await fetch(`${base}big.bin`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('60000000')
  })

  test.each(['nope', 'pub/nope.txt', 'pub/%2Fetc%2Fmotd', 'pub/..%2F..%2Fetc', 'pub//hello.txt'])(
    'has no %s',
    async (path) => {
      const response = await fetch(base + path)
      expect(response.status).toBe(404)
      await response.body?.cancel()
    },
  )

  test('never leaves the folder, whatever a client sends', async () => {
    const before = site.server.log.length
    for (const path of ['%2e%2e/%2e%2e/etc/passwd', '../../etc/passwd', '%2Fetc/motd']) {
      const response = await request(path)
      response.resume()
      expect(response.statusCode).toBe(404)
    }
    expect(site.server.log.slice(before).filter((line) => /^(?:RETR|CWD)/.test(line))).toEqual([])
  })

  test('ends the transfer when the client goes away, and serves the next one', async () => {
    const before = site.server.log.length
    for (let visitor = 0; visitor < 10; visitor++) {
      const response = await request('big.bin')
      response.on('error', () => {})
      await new Promise((resolve) => response.once('data', resolve))
      response.destroy()
    }
    // Ten came, eight sessions at most are allowed: without an end to the transfers nobody would be served now.
    const response = await fetch(`${base}pub/hello.txt`)
    expect((await response.arrayBuffer()).byteLength).toBe(60)
    const sent = site.server.log.slice(before)
    expect(sent.filter((line) => line === 'RETR big.bin')).toHaveLength(10)
  })
})
