/** The work as get-uri does it: a stream from a URL, and nothing else. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { getUri } from 'get-uri'

export async function discard(task) {
  let bytes = 0
  for await (const chunk of await getUri(urlOf(task))) bytes += chunk.length
  return { bytes }
}

export async function hash(task) {
  const sum = createHash('sha256')
  for await (const chunk of await getUri(urlOf(task))) sum.update(chunk)
  return { digest: sum.digest('hex') }
}

export async function save(task) {
  await pipeline(await getUri(urlOf(task)), createWriteStream(task.local))
  return {}
}

export async function trips(task) {
  const start = performance.now()
  let firstByteMs
  for await (const _ of await getUri(urlOf(task))) firstByteMs ??= performance.now() - start
  return { first: { firstByteMs, endMs: performance.now() - start } }
}

function urlOf({ host, port, user, password, path }) {
  return `ftp://${user}:${encodeURIComponent(password)}@${host}:${port}/${path}`
}
