/** The work as ftpwire does it, through its public interface unless a name says otherwise. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, FtpClient, get } from 'ftpwire'
import { watchEventLoop } from '../harness/event-loop.mjs'

/** Receives as a stream and forgets. */
export async function discard(task) {
  let bytes = 0
  const download = get(urlOf(task), optionsOf(task))
  download.on('data', (chunk) => (bytes += chunk.length))
  const { verified } = await download.result
  return { bytes, verified }
}

/** The same through an iterator. */
export async function iterate(task) {
  let bytes = 0
  for await (const chunk of chunksOf(task)) bytes += chunk.length
  return { bytes }
}

/** Receives into one reused buffer, as `saveTo` does, and forgets. The sink is no part of the public interface. */
export async function discardReused(task) {
  const { NullSink } = await import('../../dist/transport/sink.js')
  const { bytes } = await get(urlOf(task), optionsOf(task)).into(new NullSink())
  return { bytes }
}

export async function hash(task) {
  const sum = createHash('sha256')
  for await (const chunk of chunksOf(task)) sum.update(chunk)
  return { digest: sum.digest('hex') }
}

export async function save(task) {
  const { bytes } = await get(urlOf(task), optionsOf(task)).saveTo(task.local)
  return { bytes }
}

export async function upload(task) {
  const session = await connect(endpointOf(task), optionsOf(task))
  const { bytes } = await session.upload(task.local, task.path)
  await session.close()
  return { bytes }
}

/** A large download to a file or a large upload, with the event loop watched. */
export async function steady(task) {
  const stop = watchEventLoop()
  const result = task.direction === 'upload' ? await upload(task) : await save(task)
  return { ...result, ...stop() }
}

/** Many small files from one folder, over so many sessions. */
export async function many(task) {
  const { names, folder, local, sessions } = task
  const client = new FtpClient({ ...optionsOf(task), maxSessions: sessions })
  const queue = names.values()
  const work = async () => {
    for (const name of queue)
      await client.get(urlOf({ ...task, path: `${folder}/${name}` })).saveTo(join(local, name))
  }
  await Promise.all(Array.from({ length: sessions }, work))
  await client.close()
  return {}
}

/** Time to the first byte and to the end, from nothing; then the next file of the same folder. */
export async function trips(task) {
  const client = new FtpClient(optionsOf(task))
  const first = await timed(client.get(urlOf(task)))
  await sleep(task.pauseMs)
  const next = await timed(client.get(urlOf({ ...task, path: task.nextPath })))
  await client.close()
  return { first, next }
}

/** Commands, and how often a connection was opened: a fallback would open another. */
export async function connections(task) {
  const commands = []
  const client = new FtpClient({ ...optionsOf(task), onCommand: (command) => commands.push(command) })
  for (const path of task.paths) await client.get(urlOf({ ...task, path })).bytes()
  await client.close()
  return { connections: commands.filter((command) => command.startsWith('USER ')).length }
}

async function timed(download) {
  const start = performance.now()
  let firstByteMs
  await new Promise((resolve, reject) => {
    const sink = new Writable({
      write(_, __, done) {
        firstByteMs ??= performance.now() - start
        done()
      },
    })
    download.on('error', reject).pipe(sink).on('error', reject).on('finish', resolve)
  })
  return { firstByteMs, endMs: performance.now() - start }
}

/** @returns {AsyncIterable<Buffer>} */
function chunksOf(task) {
  return get(urlOf(task), optionsOf(task))
}

function urlOf({ host, port, user, path }) {
  const userInfo = user === 'anonymous' ? '' : `${user}@`
  return `ftp://${userInfo}${host}:${port}/${path}`
}

function endpointOf({ host, port, user, password }) {
  return { host, port, user, password }
}

function optionsOf({ user, password, pipelining = 'auto', authority }) {
  return {
    pipelining,
    ...(user === 'anonymous' ? {} : { password }),
    ...(authority === undefined ? {} : { tls: 'explicit', tlsOptions: { ca: readFileSync(authority) } }),
  }
}
