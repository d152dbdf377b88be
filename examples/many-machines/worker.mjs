// Takes files out of the queue and fetches them. Start as many as you like, on as many machines as you like.
//
//   node worker.mjs ftp://ftp.example.com/pub/ /srv/mirror
//
// FOLDER is best a file system that all machines share: then any of them goes on where a dead one stopped.
import { mkdir, rename, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UnrecoverableError, Worker } from 'bullmq'
import { FtpClient, FtpError } from 'ftpwire'
import { connection, milliseconds, QUEUE } from './queue.mjs'

const [url, folder] = process.argv.slice(2)
if (url === undefined || folder === undefined) {
  console.error('Usage: node worker.mjs ftp://HOST/FOLDER/ FOLDER')
  process.exit(2)
}
const concurrency = Number(process.env.CONCURRENCY ?? 2)

// The login stays here: jobs name a path only, so Redis holds no password.
const client = new FtpClient({
  maxSessions: concurrency,
  password: process.env.FTP_PASSWORD,
  ...(process.env.BYTES_PER_SECOND && { maxBytesPerSecond: Number(process.env.BYTES_PER_SECOND) }),
})

async function fetchFile({ id, data: { path, size, modified } }, _token, signal) {
  const file = join(folder, path)
  // A worker may die between giving a file its name and saying so. Whoever gets the job then finds it done.
  if (await isThere(file, size, modified)) return { path, bytes: 0, resumedAt: size }

  await mkdir(dirname(file), { recursive: true })
  // The job's id is in the name, so the part of an older version of the file is never gone on with.
  const part = join(dirname(file), `.${basename(path).slice(0, 180)}.${id.slice(0, 16)}.part`)
  try {
    const { bytes, resumedAt } = await client.use(
      url,
      (session) => session.downloadTo(path, part, { resume: true, verify: 'size', signal }),
      { signal },
    )
    if (modified !== undefined) await utimes(part, new Date(), new Date(modified))
    // In one step: nobody ever sees a file that is not whole under its own name.
    await rename(part, file)
    return { path, bytes, resumedAt }
  } catch (error) {
    // Another try cannot help where the server has no such file, or does not let us have it.
    if (error instanceof FtpError && error.kind === 'permanent') throw new UnrecoverableError(error.message)
    throw error
  }
}

async function isThere(file, size, modified) {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || found.size !== size || modified === undefined) return false
  return Math.abs(found.mtimeMs - Date.parse(modified)) < 1000
}

const worker = new Worker(QUEUE, fetchFile, {
  connection,
  concurrency,
  // A worker renews the locks of its jobs. Those of one that was killed run out after this time, and the jobs
  // go to others.
  lockDuration: milliseconds('LOCK_MS', 30_000),
  stalledInterval: milliseconds('STALLED_MS', 30_000),
  // How many workers may die over one file before it counts as failed.
  maxStalledCount: 5,
})

// Whoever cannot renew the lock (Redis was away, the machine slept) may not go on: the job may be another's by
// now. The part stays.
worker.on('lockRenewalFailed', (ids) => {
  for (const id of ids) worker.cancelJob(id, 'the lock was lost')
})
worker.on('active', ({ data }) => console.log(`begun ${data.path}`))
worker.on('completed', (_, { path, bytes, resumedAt }) => {
  console.log(`done ${path}: ${bytes} bytes${resumedAt > 0 ? `, from ${resumedAt} on` : ''}`)
})
worker.on('failed', (job, error) => console.log(`failed ${job?.data.path ?? '(removed)'}: ${error.message}`))
worker.on('error', (error) => console.error(error.message))

// A worker that is asked to end finishes the files that it has begun. One that is killed leaves them to others.
await new Promise((resolve) => {
  process.once('SIGTERM', resolve).once('SIGINT', resolve)
})
await worker.close()
await client.close()
