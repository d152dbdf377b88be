import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, test, expect } from 'vitest'
import { certificate } from './certificates.ts'
import { startFtpSrv } from './ftp-srv-server.mjs'
import { loopbacks } from './listener.ts'
import { dial, upgraded } from './peer.ts'

const site = fileURLToPath(new URL('../../fixtures/site', import.meta.url))

describe('ftp-srv in process', () => {
  test('runs a split command as one, answers an empty line, and keeps the order of a flight', async () => {
    await using server = await startFtpSrv({ root: site })
    const peer = dial(server)
    await peer.until(/^220/)
    peer.socket.write('USER anon')
    await new Promise((resolve) => setTimeout(resolve, 20))
    peer.socket.write('ymous\r\n\r\nCWD pub\r\nSIZE hello.txt\r\nQUIT\r\n')
    await peer.closed
    expect(peer.text.match(/^\d{3}/gm)).toEqual(['220', '230', '500', '250', '213', '221'])
    expect(server.log).toEqual(['USER anonymous', '', 'CWD pub', 'SIZE hello.txt', 'QUIT'])
  })

  test('answers 426 when the client closes the data connection, and 226 to ABOR', async () => {
    await using server = await startFtpSrv({
      root: fileURLToPath(new URL('../../node_modules', import.meta.url)),
    })
    const peer = dial(server)
    await peer.ask('USER anonymous', /^230/m)
    for (const [how, replies] of [
      ['destroy', /^426/m],
      ['abort', /^426[^\n]*\n226/m],
    ] as const) {
      const [, port] = await peer.ask('EPSV', /\|\|\|(\d+)\|/)
      const data = connect(Number(port), server.host).on('error', () => {})
      await peer.ask('RETR typescript/lib/typescript.js', /^150/m)
      if (how === 'destroy') data.destroy()
      await (how === 'abort' ? peer.ask('ABOR', replies) : peer.until(replies))
      data.destroy()
    }
  })

  test.each(loopbacks)('upgrades to TLS every time (%s)', async (host) => {
    const tls = { mode: 'explicit', ...certificate('server') } as const
    await using server = await startFtpSrv({ root: site, tls, host })
    for (let round = 0; round < 10; round++) {
      const plain = dial(server)
      await plain.ask('AUTH TLS', /^234.*\r\n/m)
      const peer = await upgraded(plain)
      await peer.ask('USER anonymous', /^230/m)
      peer.socket.destroy()
    }
  })

  test('adds no signal handler, and nothing keeps the process alive after close', async () => {
    const code = `
      import { startFtpSrv } from ${JSON.stringify(new URL('ftp-srv-server.mjs', import.meta.url).href)}
      import { connect } from 'node:net'
      const server = await startFtpSrv({ root: '.' })
      const socket = connect(server.port, server.host).on('error', () => {})
      socket.write('USER anonymous\\r\\nEPSV\\r\\nNLST\\r\\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (process.listenerCount('SIGTERM') > 0) throw new Error('a signal handler was left')
      await server.close()
      setTimeout(() => { throw new Error('still alive') }, 500).unref()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  })
})
