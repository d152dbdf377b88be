/** The work as basic-ftp does it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'basic-ftp'

export async function discard(task) {
  let bytes = 0
  await download(task, (chunk) => (bytes += chunk.length))
  return { bytes }
}

export async function hash(task) {
  const sum = createHash('sha256')
  await download(task, (chunk) => sum.update(chunk))
  return { digest: sum.digest('hex') }
}

export function save(task) {
  return using(task, async (client) => {
    await client.downloadTo(task.local, task.path)
    return {}
  })
}

export function upload(task) {
  return using(task, async (client) => {
    await client.uploadFrom(task.local, task.path)
    return {}
  })
}

export async function many(task) {
  const { names, folder, local, sessions } = task
  const queue = names.values()
  const work = () =>
    using(task, async (client) => {
      await client.cd(folder)
      for (const name of queue) await client.downloadTo(join(local, name), name)
    })
  await Promise.all(Array.from({ length: sessions }, work))
  return {}
}

export async function trips(task) {
  const start = performance.now()
  return using(task, async (client) => {
    const first = await timed(client, task.path, start)
    await sleep(task.pauseMs)
    const next = await timed(client, task.nextPath, performance.now())
    return { first, next }
  })
}

async function timed(client, path, start) {
  let firstByteMs
  await client.downloadTo(
    toSink(() => (firstByteMs ??= performance.now() - start)),
    path,
  )
  return { firstByteMs, endMs: performance.now() - start }
}

function download(task, receive) {
  return using(task, (client) => client.downloadTo(toSink(receive), task.path))
}

function toSink(receive) {
  return new Writable({
    highWaterMark: 256 * 1024,
    write(chunk, _, done) {
      receive(chunk)
      done()
    },
  })
}

async function using({ host, port, user, password, authority }, work) {
  const client = new Client()
  try {
    await client.access({
      host,
      port,
      user,
      password,
      ...(authority === undefined
        ? {}
        : { secure: true, secureOptions: { ca: readFileSync(authority), host } }),
    })
    return await work(client)
  } finally {
    client.close()
  }
}
