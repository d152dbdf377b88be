/**
 * ftp-srv in this process, on an ephemeral loopback port, with its faults mended.
 *
 * Plain JavaScript so that the demo runs it on a Node that cannot strip types; the types are in the .d.mts
 * beside it. What is mended stands in ftp-srv-mends.mjs, function by function.
 */
import { createSecureContext } from 'node:tls'
import { randomBytes } from 'node:crypto'
import { FtpSrv } from 'ftp-srv'
import {
  MendedFileSystem,
  adopt,
  mendConnection,
  mendDisconnecting,
  withoutSignalHandlers,
} from './ftp-srv-mends.mjs'

const ANONYMOUS = 'anonymous'

/**
 * @param {import('./ftp-srv-server.mjs').FtpSrvOptions} options
 * @returns {Promise<import('./ftp-srv-server.mjs').FtpSrvServer>}
 */
export async function startFtpSrv(options) {
  const host = options.host ?? '127.0.0.1'
  const shownHost = host.includes(':') ? `[${host}]` : host
  const implicit = options.tls?.mode === 'implicit'
  const scheme = implicit ? 'ftps' : 'ftp'
  const tls = options.tls && secured(options.tls)
  const log = []
  const state = {
    log,
    tls,
    secureContext: tls && createSecureContext(tls),
    dataTimeoutMs: options.dataTimeoutMs ?? 5000,
    handles: new Set(),
    dataResumed: [],
  }

  const server = withoutSignalHandlers(
    () =>
      new FtpSrv({
        url: `${scheme}://${shownHost}:0`,
        pasv_url: host,
        log: silentLog(),
        anonymous: admitsAnonymous(options) === true,
        blacklist: [...(options.blacklist ?? [])],
        whitelist: [...(options.whitelist ?? [])],
        greeting: options.greeting ?? null,
        tls: tls ?? false,
      }),
  )
  adopt(server, state)
  mendDisconnecting(server)
  server.on('connect', ({ connection }) => mendConnection(connection))
  server.on('login', ({ connection, username, password }, resolve, reject) => {
    if (admits(options, username, password)) {
      resolve({ fs: new MendedFileSystem(connection, { root: options.root, cwd: options.cwd ?? '/' }) })
    } else {
      reject(new Error('Login incorrect'))
    }
  })
  await server.listen()

  const port = server.server.address().port
  let closing
  const close = () => (closing ??= shut(server, state))
  return {
    host,
    port,
    log,
    dataResumed: state.dataResumed,
    url: (path = '/', userInfo) =>
      `${scheme}://${userInfo === undefined ? '' : `${userInfo}@`}${shownHost}:${port}${path}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Ticket keys are shared, or a session of an implicit control connection could not be resumed on a data connection. */
function secured({ mode: _mode, ...material }) {
  return { sessionIdContext: 'ftp-srv', ticketKeys: randomBytes(48), ...material }
}

function admitsAnonymous(options) {
  return options.anonymous ?? options.user === undefined
}

function admits(options, user, password) {
  if (user === ANONYMOUS && admitsAnonymous(options)) return true
  return options.user !== undefined && user === options.user && password === (options.password ?? '')
}

async function shut(server, state) {
  const closed = new Promise((resolve) => server.server.close(resolve))
  await Promise.all([...state.handles].map((handle) => ended(handle)))
  await closed
  server.removeAllListeners()
}

function ended(handle) {
  return new Promise((resolve) => {
    handle.once('close', resolve)
    if (handle.destroy) handle.destroy()
    else handle.close()
  })
}

function silentLog() {
  const quiet = () => {}
  const log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log }
  return log
}
