// A thousand operations of every kind on one client, some of them broken off: nothing leaks, no byte is wrong.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FtpError, type FtpClient } from '../../src/index.ts'
import { clientFor, startServer, uploadUrl, type AnyServer } from './any-server.ts'

const OPERATIONS = 1000
const AT_ONCE = 4
const FILES = 12
/** What a heap may grow by and still be called flat: caches, compiled code, the test's own records. */
const GROWTH_BYTES = 24 << 20

/** Mulberry32: a seed gives the same run again. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function bytesOf(version: number, length: number): Buffer {
  return Buffer.alloc(length, createHash('sha256').update(`${version}`).digest())
}

/** One worker's files are its own, so that it knows what must be in them. */
class Worker {
  readonly #client: FtpClient
  readonly #random: () => number
  readonly #url: (name: string) => string
  readonly #files = new Map<string, Buffer>()
  #version = 0
  aborts = 0

  constructor(client: FtpClient, random: () => number, url: (name: string) => string) {
    this.#client = client
    this.#random = random
    this.#url = url
  }

  async step(): Promise<void> {
    const dice = this.#random()
    const name = `file ${Math.floor(this.#random() * FILES)}`
    if (dice < 0.3) await this.#put(name)
    else if (dice < 0.55) await this.#get(name)
    else if (dice < 0.7) await this.#abortGet(name)
    else if (dice < 0.8) await this.#abortPut()
    else if (dice < 0.87) await this.#list()
    else if (dice < 0.94) await this.#stat(name)
    else await this.#remove(name)
  }

  async #put(name: string): Promise<void> {
    const bytes = bytesOf(++this.#version, Math.floor(this.#random() ** 4 * 800_000))
    const result = await this.#client.put(bytes, this.#url(name))
    expect(result.bytes).toBe(bytes.length)
    this.#files.set(name, bytes)
  }

  async #get(name: string): Promise<void> {
    const bytes = await this.#client.get(this.#url(name)).bytes().catch(notFound)
    expect(bytes?.equals(this.#files.get(name) ?? Buffer.of())).toBe(this.#files.has(name) ? true : undefined)
  }

  /** By the signal after some time, or by the stream after some bytes: before, during or after the transfer. */
  async #abortGet(name: string): Promise<void> {
    const controller = new AbortController()
    const download = this.#client.get(this.#url(name), { signal: controller.signal })
    const timer = setTimeout(() => controller.abort(), this.#random() * 8)
    const until = this.#random() * 400_000
    let seen = 0
    try {
      for await (const chunk of download) {
        const part = chunk as Buffer
        const whole = this.#files.get(name)
        expect(whole?.subarray(seen, seen + part.length).equals(part)).toBe(true)
        seen += part.length
        if (seen > until) break
      }
    } catch (error) {
      expect(error).toBeInstanceOf(FtpError)
      expect(['FTP_ABORTED', 'FTP_NOT_FOUND']).toContain((error as FtpError).code)
    } finally {
      clearTimeout(timer)
      this.aborts++
    }
  }

  async #abortPut(): Promise<void> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), this.#random() * 8)
    const source = bytesOf(0, 1_500_000)
    await this.#client
      .put(source, this.#url('broken off'), { signal: controller.signal })
      .catch((error: FtpError) => expect(error.code).toBe('FTP_ABORTED'))
    clearTimeout(timer)
    this.aborts++
  }

  async #list(): Promise<void> {
    const entries = await this.#client.entries(this.#url(''))
    const sizes = entries.filter(({ name }) => name !== 'broken off').map(({ name, size }) => [name, size])
    const known = [...this.#files].map(([name, bytes]) => [name, bytes.length])
    expect(Object.fromEntries(sizes)).toEqual(Object.fromEntries(known))
  }

  async #stat(name: string): Promise<void> {
    const entry = await this.#client.stat(this.#url(name)).catch(notFound)
    expect(entry?.size).toBe(this.#files.get(name)?.length)
  }

  async #remove(name: string): Promise<void> {
    const known = this.#files.delete(name)
    const gone = await this.#client.remove(this.#url(name)).then(() => true, notFound)
    expect(gone).toBe(known ? true : undefined)
  }
}

function notFound(error: unknown): undefined {
  if (!(error instanceof FtpError) || error.code !== 'FTP_NOT_FOUND') throw error
  return undefined
}

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((what) => /TCP|TLS|FSReq|FILEHANDLE/i.test(what))
}

describe.each(['vsftpd', 'pyftpdlib'] as const)('%s', (kind) => {
  let server: AnyServer

  beforeAll(async () => {
    server = await startServer(kind)
  })
  afterAll(() => server?.close())

  it('stands a thousand mixed operations with aborts', { timeout: 120_000 }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const before = openHandles()
    const client = clientFor(server, { maxSessions: AT_ONCE })
    const heaps: number[] = []
    const errors: unknown[] = []
    const workers: Worker[] = []
    for (let at = 0; at < AT_ONCE; at++) {
      await client.mkdir(uploadUrl(server, `worker${at}`))
      workers.push(
        new Worker(client, randomFrom(seed + at), (name) =>
          uploadUrl(server, `worker${at}/${encodeURI(name)}`),
        ),
      )
    }
    for (let round = 0; round < 10; round++) {
      const runs = workers.map(async (worker) => {
        for (let at = 0; at < OPERATIONS / 10 / AT_ONCE; at++) await worker.step()
      })
      for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') errors.push(run.reason)
      globalThis.gc?.()
      heaps.push(process.memoryUsage().heapUsed)
    }
    await client.close()
    for (let patience = 100; openHandles().length > before.length && patience > 0; patience--) await sleep(20)
    expect(errors, `seed ${seed}`).toEqual([])
    expect(openHandles().length, `seed ${seed}`).toBeLessThanOrEqual(before.length)
    expect(workers.reduce((sum, { aborts }) => sum + aborts, 0)).toBeGreaterThan(OPERATIONS / 10)
    expect(Math.min(...heaps.slice(5)) - Math.min(...heaps.slice(0, 5)), `seed ${seed}`).toBeLessThan(
      GROWTH_BYTES,
    )
  })
})
