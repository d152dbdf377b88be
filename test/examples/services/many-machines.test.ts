/** The mirror spread over workers on a real Redis; one of them is killed in the middle of a file. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashesBelow, runExample, startExample, type RunningExample } from '../run-example.ts'
import { openSite, type Site } from '../site.ts'
import { startService, type Service } from './service.ts'

const BIG_FILES = 4
const SMALL_FILES = 30
const PATIENCE = { timeout: 50_000, interval: 50 }

let site: Site
let redis: Service
let queue: Queue
let env: Record<string, string>

beforeAll(async () => {
  site = await openSite()
  await mkdir(join(site.root, 'many/deep'), { recursive: true })
  for (let at = 0; at < BIG_FILES; at++)
    await writeFile(join(site.root, `many/big-${at}.bin`), randomBytes(10_000_000))
  for (let at = 0; at < SMALL_FILES; at++)
    await writeFile(join(site.root, `many/deep/small ${at}.bin`), randomBytes(at * 1000))
  redis = await startService(
    'redis-server',
    (port) => ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', site.work],
    site.work,
  )
  env = {
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    FTP_PASSWORD: 's3cret',
    LOCK_MS: '1500',
    STALLED_MS: '500',
  }
  queue = new Queue('ftp-mirror', { connection: { host: '127.0.0.1', port: redis.port } })
})

afterAll(async () => {
  await queue.close()
  await redis[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const url = (): string => site.server.url('/many/', 'joe')

function startWorker(folder: string, more: Record<string, string> = {}): RunningExample {
  return startExample('many-machines/worker.mjs', [url(), folder], { env: { ...env, ...more } })
}

/** Resolves with the path of a part that has begun, and is far from its end. */
function aPart(folder: string): Promise<string> {
  return vi.waitFor(async () => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (name.endsWith('.part') && (await stat(path)).size > 1_000_000) return path
    }
    throw new Error('no part yet')
  }, PATIENCE)
}

async function end(worker: RunningExample): Promise<void> {
  worker.process.kill('SIGTERM')
  const { code, stderr } = await worker.finished
  expect(stderr).toBe('')
  expect(code).toBe(0)
}

describe('many-machines', () => {
  test('brings every file once and whole, although a worker is killed in the middle', async () => {
    const folder = join(site.work, 'mirror')
    const produced = await runExample('many-machines/producer.mjs', [url()], { env })
    expect(produced).toMatchObject({ code: 0, stderr: '' })
    expect(produced.stdout.toString()).toBe(`${BIG_FILES + SMALL_FILES} files listed\n`)
    expect(JSON.stringify(await queue.getJobs())).not.toContain('s3cret')

    // So slow that it cannot be done before it is killed.
    const killed = startWorker(folder, { BYTES_PER_SECOND: '4000000' })
    const part = await aPart(folder)
    killed.process.kill('SIGKILL')
    await killed.finished
    const { size } = await stat(part)
    expect(size).toBeLessThan(10_000_000)

    const others = [startWorker(folder), startWorker(folder)]
    await vi.waitFor(async () => {
      const { completed, failed } = await queue.getJobCounts('completed', 'failed')
      expect(failed).toBe(0)
      expect(completed).toBe(BIG_FILES + SMALL_FILES)
    }, PATIENCE)
    await Promise.all(others.map(end))

    const wanted = await hashesBelow(join(site.root, 'many'))
    expect(await hashesBelow(folder)).toEqual(wanted)
    const output = [killed, ...others].map((worker) => worker.output()).join('')
    const done = [...output.matchAll(/^done (.*): \d+ bytes/gm)].map(([, path = '']) => path)
    expect(done.toSorted()).toEqual(Object.keys(wanted).toSorted())
    // Nothing that had come was fetched again.
    expect(site.server.log).toContain(`REST ${size}`)
    expect(output).toContain(`from ${size} on\n`)
  })

  test('adds only what is new when the producer runs again', async () => {
    await writeFile(join(site.root, 'many/late.txt'), 'late\n')
    const before = site.server.log.length
    await runExample('many-machines/producer.mjs', [url()], { env })
    const worker = startWorker(join(site.work, 'mirror'))
    await vi.waitFor(async () => {
      expect(await queue.getJobCountByTypes('completed')).toBe(BIG_FILES + SMALL_FILES + 1)
    }, PATIENCE)
    await end(worker)
    const fetched = site.server.log.slice(before).filter((line) => line.startsWith('RETR'))
    expect(fetched).toEqual(['RETR late.txt'])
  })

  test('does not try again what the server refuses', async () => {
    await queue.add('file', { path: 'missing.txt', size: 3 }, { jobId: 'f'.repeat(64), attempts: 8 })
    const worker = startWorker(join(site.work, 'mirror'))
    await vi.waitFor(async () => {
      expect(await queue.getJobCountByTypes('failed')).toBe(1)
    }, PATIENCE)
    await end(worker)
    const [job] = await queue.getFailed()
    expect(job?.attemptsMade).toBe(1)
    expect(job?.failedReason).toContain('missing.txt')
    expect((await readdir(join(site.work, 'mirror'))).filter((name) => name.includes('missing'))).toEqual([])
  })
})
