/** Where connections go: names are resolved once, proxies stay proxies, IPv6 stays IPv6; what happens to idle sessions. */
import { createConnection, type LookupFunction } from 'node:net'
import { describe, expect, test } from 'vitest'
import { FtpClient } from '../../src/client/client.ts'
import type { FtpOptions } from '../../src/client/options.ts'
import { get } from '../../src/client/verbs.ts'
import { loopbacks } from '../support/listener.ts'
import { startScriptedServer, type Script } from '../support/scripted-server.ts'

const anonymous: Script = [
  { send: '220 hi\r\n' },
  { expect: 'USER anonymous' },
  { send: '230 in\r\n' },
  { expect: 'PASS anonymous@' },
  { send: '230 in\r\n' },
]
const typed: Script = [
  { expect: 'TYPE I' },
  { send: '200 ok\r\n' },
  { expect: 'SIZE f' },
  { send: '213 4\r\n' },
]
const delivery: Script = [
  { acceptData: true },
  { expect: 'RETR f' },
  { send: '150 ok\r\n' },
  { dataSend: 'data' },
  { fin: 'data' },
  { send: '226 ok\r\n' },
]
const pasv: Script = [{ openData: true }, { expect: 'PASV' }, { send: '227 ({{pasv}})\r\n' }]
const session: Script = [...anonymous, ...typed, ...pasv, ...delivery]

const TIMEOUTS = { close: 30, abort: 100 }

describe('endpoints', () => {
  test('a name is resolved once; data go where control went (C18)', async () => {
    await using server = await startScriptedServer(session)
    const asked: string[] = []
    const lookup: LookupFunction = (host, options, done) => {
      asked.push(host)
      const address = asked.length === 1 ? '127.0.0.1' : '192.0.2.1'
      if (options.all === true) done(null, [{ address, family: 4 }])
      else done(null, address, 4)
    }
    const url = `ftp://a.test:${server.port}/f`
    expect(await get(url, { lookup, timeouts: TIMEOUTS }).text()).toBe('data')
    expect(asked).toEqual(['a.test'])
  })

  test('every address is asked about, and none that is denied is dialled (M03)', async () => {
    await using server = await startScriptedServer(session)
    const asked: string[] = []
    const allowAddress: FtpOptions['allowAddress'] = (address, _, purpose) => {
      asked.push(`${address} ${purpose}`)
      return purpose === 'control'
    }
    await expect(get(server.url('/f'), { allowAddress, timeouts: TIMEOUTS }).bytes()).rejects.toMatchObject({
      code: 'FTP_ADDRESS_FORBIDDEN',
    })
    expect(asked).toContain('127.0.0.1 data')
    expect(server.dataConnections).toBe(0)
  })

  test('loopback is private', async () => {
    await using server = await startScriptedServer(session)
    await expect(get(server.url('/f'), { blockPrivate: true }).bytes()).rejects.toMatchObject({
      code: 'FTP_ADDRESS_FORBIDDEN',
    })
    expect(server.connections).toBe(0)
  })

  test('a connection of the caller’s own goes to the host by its name, never to the address of a 227 (C19)', async () => {
    await using server = await startScriptedServer(session)
    const asked: string[] = []
    const hook: FtpOptions['connect'] = ({ host, port, purpose }) => {
      asked.push(`${purpose} ${host}`)
      return createConnection({ host: '127.0.0.1', port })
    }
    const url = `ftp://a.test:${server.port}/f`
    expect(await get(url, { connect: hook, timeouts: TIMEOUTS }).text()).toBe('data')
    expect(asked).toEqual(['control a.test', 'data a.test'])
  })

  test.runIf(loopbacks.includes('::1'))('IPv6: EPSV is refused and PASV not tried (C16)', async () => {
    const server = await startScriptedServer(
      [...anonymous, ...typed, { expect: 'EPSV' }, { send: '500 what?\r\n' }],
      { host: '::1' },
    )
    await expect(get(server.url('/f'), { timeouts: TIMEOUTS }).bytes()).rejects.toMatchObject({
      code: 'FTP_REFUSED',
      command: 'EPSV',
    })
    expect(server.received).not.toContain('PASV')
    await server.close()
  })
})

describe('a session that is kept', () => {
  const kept: Script = [
    ...anonymous,
    { expect: 'PWD' },
    { send: '257 "/"\r\n' },
    ...typed,
    ...pasv,
    ...delivery,
  ]

  test.each([
    ['a stale reply (B04)', { send: '226 stale\r\n' }],
    ['421 (bug 08)', { send: '421 Timeout\r\n' }],
    ['half a reply', { send: '22' }],
    ['an end', { fin: 'control' }],
    ['a reset', { rst: 'control' }],
  ] as const)('gets %s while it is idle: the next download uses another', async (_, event) => {
    await using server = await startScriptedServer([
      [...kept, { pauseMs: 20 }, event, { awaitEnd: true }],
      kept,
    ])
    await using client = new FtpClient({ timeouts: TIMEOUTS })
    expect(await client.get(server.url('/f')).text()).toBe('data')
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(await client.get(server.url('/f')).text()).toBe('data')
    expect(server.connections).toBe(2)
    expect(server.receivedBy[0]).not.toContain('QUIT')
  })

  test.each(['257 "/\x03"', '257 "/\x7f"', '257 "only one', '257 no', '500 what?'])(
    'PWD gets %j: no way back, and no CWD to it (A26, A28)',
    async (reply) => {
      const script: Script = kept.map((step) =>
        'send' in step && step.send === '257 "/"\r\n' ? { send: `${reply}\r\n` } : step,
      )
      const below: Script = [
        ...anonymous,
        { expect: 'PWD' },
        { send: `${reply}\r\n` },
        { expect: 'CWD d' },
        { send: '250 ok\r\n' },
        ...typed,
        ...pasv,
        ...delivery,
      ]
      await using server = await startScriptedServer([below, script])
      await using client = new FtpClient({ timeouts: TIMEOUTS })
      expect(await client.get(server.url('/d/f')).text()).toBe('data')
      expect(await client.get(server.url('/f')).text()).toBe('data')
      expect(server.connections).toBe(2)
      expect(server.received.filter((line) => line.startsWith('CWD'))).toEqual(['CWD d'])
    },
  )

  test.each([
    ['nothing', []],
    ['a megabyte', [{ send: `221-${'x'.repeat(1000)}\r\n`.repeat(1000) }]],
    ['a reset', [{ rst: 'control' }]],
  ] satisfies Array<[string, Script]>)('QUIT gets %s: close comes back (B20)', async (_, answer) => {
    await using server = await startScriptedServer([
      ...kept,
      { expect: 'QUIT' },
      ...answer,
      { awaitEnd: true },
    ])
    const client = new FtpClient({ timeouts: TIMEOUTS })
    expect(await client.get(server.url('/f')).text()).toBe('data')
    await Promise.all([client.close(), client.close()])
    await server.closed
    await expect(client.get(server.url('/f')).bytes()).rejects.toMatchObject({ code: 'FTP_CLOSED' })
  })

  test.each([
    ['426 and 226', '426 aborted\r\n226 ok\r\n', 1],
    ['226 alone', '226 ok\r\n', 2],
    ['nothing', '', 2],
  ])('ABOR gets %s: in step, or gone (B21)', async (_, answer, connections) => {
    const aborted: Script = [
      ...kept.slice(0, -3),
      { dataSend: 'da' },
      { expect: 'ABOR' },
      ...(answer === '' ? [] : [{ send: answer }]),
      ...(connections === 1
        ? ([
            { expect: 'PWD' },
            { send: '257 "/"\r\n' },
            ...pasv,
            { acceptData: true },
            { expect: 'SIZE f' },
            { send: '213 4\r\n' },
            ...delivery.slice(1),
          ] as const)
        : ([{ awaitEnd: true }] as const)),
    ]
    await using server = await startScriptedServer([aborted, kept])
    await using client = new FtpClient({ maxSessions: 1, timeouts: TIMEOUTS })
    const download = client.get(server.url('/f'))
    await download.opened
    for await (const chunk of download) {
      expect(String(chunk)).toBe('da')
      break
    }
    expect(await client.get(server.url('/f')).text()).toBe('data')
    expect(server.connections).toBe(connections)
  })
})
