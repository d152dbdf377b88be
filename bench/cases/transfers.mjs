/** One large file: received and thrown away, received to a file, sent from a file, in the clear and over TLS. */
import { join } from 'node:path'
import { isInstalled, runClient, runTool } from '../harness/child.mjs'
import { AUTHORITY } from '../harness/servers.mjs'
import { digestOf } from '../harness/workspace.mjs'

/** CPU seconds for a gigabyte. */
const perGigabyte = (sample) => sample.cpuMs / 1000 / (sample.bytes / 1e9)
const MEASURE = { label: 'CPU s/GB', of: perGigabyte, digits: 3 }

export const receiveDiscard = {
  name: 'receive-discard',
  title: 'CPU per GB received and thrown away',
  async run(context) {
    const task = await largeFile(context)
    const contestants = new Map([
      ['limit: bare socket', () => runClient('bare', 'discard', task)],
      ['ftpwire, reused buffer (internal)', () => runClient('ftpwire', 'discardReused', task)],
      ['ftpwire, stream', () => runClient('ftpwire', 'discard', task)],
      ['ftpwire, for await', () => runClient('ftpwire', 'iterate', task)],
      ['curl', () => runTool('curl', ['-sS', '-o', '/dev/null', urlOf(task)])],
      ['basic-ftp', () => runClient('basic-ftp', 'discard', task)],
      ['get-uri', () => runClient('get-uri', 'discard', task)],
    ])
    await sameBytes(context, task, ['ftpwire', 'basic-ftp', 'get-uri'])
    const samples = await measured(context, task, contestants)
    return context.table(samples, MEASURE, 'limit: bare socket', [
      ['ftpwire, reused buffer (internal)', 'limit: bare socket', 1.15],
      ['ftpwire, stream', 'limit: bare socket', 1.15],
      ['ftpwire, stream', 'curl', 1],
    ])
  },
}

export const receiveFile = {
  name: 'receive-file',
  title: 'CPU per GB received to a file',
  async run(context) {
    const task = await largeFile(context)
    const contestants = new Map([
      ['limit: bare socket', (local) => runClient('bare', 'save', { ...task, local })],
      ['ftpwire', (local) => runClient('ftpwire', 'save', { ...task, local })],
      ['curl', (local) => runTool('curl', ['-sS', '-o', local, urlOf(task)])],
      ['basic-ftp', (local) => runClient('basic-ftp', 'save', { ...task, local })],
      ['get-uri', (local) => runClient('get-uri', 'save', { ...task, local })],
    ])
    const samples = await measured(context, task, toFiles(context, task, contestants))
    return context.table(samples, MEASURE, 'limit: bare socket', [
      ['ftpwire', 'limit: bare socket', 1.25],
      ['ftpwire', 'curl', 0.5],
    ])
  },
}

export const sendFile = {
  name: 'send-file',
  title: 'CPU per GB sent from a file',
  async run(context) {
    const { local, digest, ...task } = await largeFile(context)
    const path = 'upload/big.bin'
    const contestants = new Map([
      ['limit: bare socket', () => runClient('bare', 'upload', { ...task, path, local })],
      ['ftpwire', () => runClient('ftpwire', 'upload', { ...task, path, local })],
      ['curl', () => runTool('curl', ['-sS', '-T', local, urlOf({ ...task, path })])],
      ['basic-ftp', () => runClient('basic-ftp', 'upload', { ...task, path, local })],
    ])
    const arrived = join(context.workspace.root, path)
    for (const [name, run] of contestants) {
      contestants.set(name, async () => {
        context.workspace.removeServed(path)
        return run()
      })
    }
    const samples = await measured(context, task, contestants, async (name) => {
      if ((await digestOf(arrived)) !== digest) throw new Error(`${name} sent other bytes`)
    })
    context.workspace.removeServed(path)
    return context.table(samples, MEASURE, 'limit: bare socket', [['ftpwire', 'curl', 1]])
  },
}

export const receiveTls = {
  name: 'receive-tls',
  title: 'CPU per GB received over TLS and thrown away',
  async run(context) {
    const task = await largeFile(context, 'tls')
    const contestants = new Map([
      ['limit: bare tls.connect', () => runClient('bare', 'discard', task)],
      ['ftpwire, reused buffer (internal)', () => runClient('ftpwire', 'discardReused', task)],
      ['ftpwire, stream', () => runClient('ftpwire', 'discard', task)],
      ['curl', () => runTool('curl', [...CURL_TLS, '-o', '/dev/null', urlOf(task)])],
      ['basic-ftp', () => runClient('basic-ftp', 'discard', task)],
    ])
    await sameBytes(context, task, ['ftpwire', 'basic-ftp'])
    const samples = await measured(context, task, contestants)
    return context.table(samples, MEASURE, 'limit: bare tls.connect', [
      ['ftpwire, reused buffer (internal)', 'limit: bare tls.connect', 1.15],
      ['ftpwire, stream', 'limit: bare tls.connect', 1.15],
    ])
  },
}

export const receiveTlsFile = {
  name: 'receive-tls-file',
  title: 'CPU per GB received over TLS to a file',
  async run(context) {
    const task = await largeFile(context, 'tls')
    const contestants = new Map([
      ['limit: bare tls.connect', (local) => runClient('bare', 'save', { ...task, local })],
      ['ftpwire', (local) => runClient('ftpwire', 'save', { ...task, local })],
      ['curl', (local) => runTool('curl', [...CURL_TLS, '-o', local, urlOf(task)])],
    ])
    const samples = await measured(context, task, toFiles(context, task, contestants))
    return context.table(samples, MEASURE, 'limit: bare tls.connect', [
      ['ftpwire', 'limit: bare tls.connect', 1.25],
    ])
  },
}

const CURL_TLS = ['-sS', '--ssl-reqd', '--cacert', AUTHORITY]

async function largeFile(context, mode = 'plain') {
  const { local, bytes, digest } = await context.large()
  const server = await context.server(mode)
  return {
    ...server,
    path: 'big.bin',
    bytes,
    digest,
    local,
    ...(mode === 'tls' ? { authority: AUTHORITY } : {}),
  }
}

/** Each gets a place of its own, which is empty before the clock runs. */
function toFiles({ workspace }, { digest }, contestants) {
  return new Map(
    [...contestants].map(([name, run]) => [
      name,
      async () => {
        const local = workspace.local('big.bin')
        const sample = await run(local)
        if ((await digestOf(local)) !== digest) throw new Error(`${name} received other bytes`)
        workspace.local('big.bin')
        return sample
      },
    ]),
  )
}

async function sameBytes(context, task, clients) {
  for (const client of clients) {
    const { digest } = await runClient(client, 'hash', task)
    if (digest !== task.digest) throw new Error(`${client} received other bytes`)
  }
}

/** @param {(name: string) => Promise<void>} afterEach */
async function measured(context, task, contestants, afterEach = async () => {}) {
  if (!isInstalled('curl')) contestants.delete('curl')
  const counted = [...contestants].map(([name, run]) => [
    name,
    async () => {
      const sample = await run()
      if (sample.bytes !== undefined && sample.bytes !== task.bytes)
        throw new Error(`${name} moved ${sample.bytes} bytes of ${task.bytes}`)
      await afterEach(name)
      return { ...sample, bytes: task.bytes }
    },
  ])
  return context.alternate(new Map(counted))
}

export function urlOf({ host, port, user, password, path }) {
  return `ftp://${user}:${password}@${host}:${port}/${path}`
}
