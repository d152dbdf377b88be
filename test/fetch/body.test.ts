import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { FtpError } from '../../src/index.ts'
import { ftpFetch } from '../../src/fetch/index.ts'
import { startTableServer } from '../support/table-server.ts'
import { WatchedSockets } from './watched-sockets.ts'

const BIG = Buffer.alloc(30_000_000, 'x')

let sockets = new WatchedSockets()
beforeEach(() => {
  sockets = new WatchedSockets()
})

async function expectClosed(): Promise<void> {
  await expect.poll(() => sockets.open).toBe(0)
}

describe('a body', () => {
  test('comes as it is read, in memory of its own', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    await using table = await startTableServer({ files: { '/a': bytes } })
    const { body } = await ftpFetch(table.url('/a'), { ftp: sockets.options })
    const parts: Uint8Array[] = []
    for await (const chunk of body ?? []) {
      expect(chunk.byteLength).toBe(chunk.buffer.byteLength)
      // What its reader does with the memory is of no concern to the rest.
      parts.push(Uint8Array.from(chunk))
      chunk.fill(0)
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })

  test('can be read into the memory of its reader', async () => {
    await using table = await startTableServer({ files: { '/a': 'abc' } })
    const { body } = await ftpFetch(table.url('/a'), { ftp: sockets.options })
    const reader = body?.getReader({ mode: 'byob' })
    const first = await reader?.read(new Uint8Array(2))
    expect(Buffer.from(first?.value ?? []).toString()).toBe('ab')
    const second = await reader?.read(new Uint8Array(2))
    expect(Buffer.from(second?.value ?? []).toString()).toBe('c')
    expect((await reader?.read(new Uint8Array(2)))?.done).toBe(true)
  })

  test('holds the server back until it is read', async () => {
    await using table = await startTableServer({ files: { '/big': BIG } })
    const { body } = await ftpFetch(table.url('/big'), { ftp: sockets.options })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sockets.all.at(-1)?.bytesRead).toBeLessThan(1_000_000)
    await body?.cancel()
    await expectClosed()
  })

  test('that is cancelled ends the transfer and the connection', async () => {
    await using table = await startTableServer({ files: { '/big': BIG } })
    const { body } = await ftpFetch(table.url('/big'), { ftp: sockets.options })
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await expectClosed()
  })

  test('that is cancelled while a read is waiting ends too', async () => {
    await using table = await startTableServer({
      files: { '/a': 'x' },
      transfer: { delayClosingMs: 100_000 },
    })
    const { body } = await ftpFetch(table.url('/a'), { ftp: sockets.options })
    const reader = body?.getReader()
    await reader?.read()
    const waiting = reader?.read()
    await reader?.cancel()
    expect((await waiting)?.done).toBe(true)
    await expectClosed()
  })

  test('that was read to its end leaves nothing behind', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' } })
    const controller = new AbortController()
    const response = await ftpFetch(table.url('/a'), { ftp: sockets.options, signal: controller.signal })
    await response.text()
    await expectClosed()
    expect(sockets.all.length).toBe(2)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(table.received.at(-1)).toBe('QUIT')
  })

  test('fails where the file is not whole, with the FtpError as cause', async () => {
    await using table = await startTableServer({
      files: { '/a': 'abcdef' },
      transfer: { bytes: 3, end: 'fin' },
    })
    const response = await ftpFetch(table.url('/a'), { ftp: sockets.options })
    const error = await response.text().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'terminated', cause: { code: 'FTP_SHORT_TRANSFER' } })
    expect((error as TypeError).cause).toBeInstanceOf(FtpError)
    await expectClosed()
  })
})

describe('a signal', () => {
  test('that has fired already lets nothing begin', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' } })
    const reason = new Error('changed my mind')
    const signal = AbortSignal.abort(reason)
    await expect(ftpFetch(table.url('/a'), { signal, ftp: sockets.options })).rejects.toBe(reason)
    expect(table.connections).toBe(0)
  })

  test('ends the waiting for an answer with its reason', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' }, greeting: '' })
    const signal = AbortSignal.timeout(50)
    await expect(ftpFetch(table.url('/a'), { signal, ftp: sockets.options })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await expectClosed()
  })

  test.each([true, false])('ends a body that is being read, lastModified: %s', async (lastModified) => {
    await using table = await startTableServer({ files: { '/big': BIG } })
    const controller = new AbortController()
    const response = await ftpFetch(table.url('/big'), {
      ftp: sockets.options,
      signal: controller.signal,
      lastModified,
    })
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort()
    await expect(reader?.closed).rejects.toMatchObject({ name: 'AbortError' })
    await expectClosed()
  })

  test('of a Request counts, unless null takes it away', async () => {
    await using table = await startTableServer({ files: { '/a': 'x' } })
    const request = new Request(table.url('/a'), { signal: AbortSignal.abort() })
    await expect(ftpFetch(request)).rejects.toMatchObject({ name: 'AbortError' })
    const response = await ftpFetch(request, { signal: null })
    expect(await response.text()).toBe('x')
  })
})
