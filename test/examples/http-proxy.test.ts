import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectProxy } from './connect-proxy.ts'
import { runExample } from './run-example.ts'
import { openSite, type Site } from './site.ts'

const EXAMPLE = 'through-an-http-proxy.mjs'
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site[Symbol.asyncDispose]())

describe(EXAMPLE, () => {
  test('takes control and data through the proxy', async () => {
    const { server, big } = site
    await using proxy = await connectProxy()
    const words = [`http://127.0.0.1:${proxy.port}`, server.url('/big.bin')]
    const { code, stdout, stderr } = await runExample(EXAMPLE, words, { env: { VERBOSE: '1' } })
    expect(code).toBe(0)
    expect(big.equals(stdout)).toBe(true)
    expect(stderr).toMatch(/^control connection to 127\.0\.0\.1:\d+\ndata connection to 127\.0\.0\.1:\d+\n$/)
    expect(proxy.tunnels).toHaveLength(2)
    expect(proxy.tunnels[0]).toBe(`127.0.0.1:${server.port}`)
  })

  test('lets the proxy look the name up', async () => {
    await using proxy = await connectProxy()
    const url = site.server.url('/etc/motd').replace('127.0.0.1', 'localhost')
    const { code, stdout } = await runExample(EXAMPLE, [`http://127.0.0.1:${proxy.port}`, url])
    expect(code).toBe(0)
    expect(stdout.length).toBe(92)
    expect(proxy.tunnels.every((target) => target.startsWith('localhost:'))).toBe(true)
  })

  test('gives the proxy its password', async () => {
    await using proxy = await connectProxy({ credentials: 'ann:p@ss' })
    const url = site.server.url('/etc/motd')
    const { code } = await runExample(EXAMPLE, [`http://ann:p%40ss@127.0.0.1:${proxy.port}`, url])
    expect(code).toBe(0)
    const refused = await runExample(EXAMPLE, [`http://127.0.0.1:${proxy.port}`, url])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('FTP_CONNECT_FAILED')
    expect(refused.stderr).toContain('407')
  })

  test('says that the proxy does not allow the data port', async () => {
    const { server } = site
    await using proxy = await connectProxy({ refuses: (target) => !target.endsWith(`:${server.port}`) })
    const words = [`http://127.0.0.1:${proxy.port}`, server.url('/big.bin')]
    const { code, stderr } = await runExample(EXAMPLE, words)
    expect(code).toBe(1)
    expect(stderr).toContain('FTP_DATA_CONNECTION_FAILED')
    expect(stderr).toContain('403')
  })
})
