/** What the figures were measured on. */
import { execFileSync, spawnSync } from 'node:child_process'
import os from 'node:os'

export function describeMachine() {
  const [cpu] = os.cpus()
  const lines = [
    `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${(os.totalmem() / 1024 ** 3).toFixed(0)} GiB of memory`,
    `${os.type()} ${os.release()} (${os.arch()}), Node ${process.versions.node}`,
    `load before the run: ${os
      .loadavg()
      .map((load) => load.toFixed(2))
      .join(', ')}`,
    [versionOf('curl', ['--version']), versionOf('lftp', ['--version']), serverVersion()]
      .filter((text) => text !== '')
      .join('; '),
  ]
  return lines.filter((line) => line !== '')
}

function versionOf(program, words) {
  const { stdout, status } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) return ''
  const [, version] = /(\d+\.\d+(?:\.\d+)?)/.exec(stdout) ?? []
  return version === undefined ? '' : `${program} ${version}`
}

function serverVersion() {
  try {
    const words = ['-W', '-f', '${Version}', 'vsftpd']
    return `vsftpd ${execFileSync('dpkg-query', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('-')[0]}`
  } catch {
    return ''
  }
}
