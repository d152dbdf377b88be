// A mirror as cron or systemd runs it: one at a time, with a log, an end and an exit status.
//
//   15 2 * * *  node nightly-job.mjs ftp://joe@ftp.example.com/reports/ /srv/reports >> /var/log/reports.log 2>&1
//
// Exit status: 0 all is here, 1 some files failed, 75 try again later (unreachable, or still running), 2 usage.
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { FtpClient, FtpError } from 'ftpwire'

const TRY_LATER = 75
const MOST_HOURS = 6

const [url, folder] = process.argv.slice(2)
if (url === undefined || folder === undefined) {
  console.error('Usage: FTP_PASSWORD=… node nightly-job.mjs URL FOLDER')
  process.exit(2)
}

const log = (text) => console.log(`${new Date().toISOString()} ${text}`)

// Holds a name that only one process can have, one for each folder. Unlike a lock file it cannot be left
// behind: the system takes it back however the process ends. (Linux and Windows; launchd needs no lock.)
function lock() {
  const name = `ftpwire-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`
  const holder = createServer()
  return new Promise((held, refused) => {
    holder.once('error', refused)
    holder.listen(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`, () => held(holder))
  })
}

async function run() {
  // A night has an end, and whoever stops the job wants it stopped: files under way are given up, those that
  // are whole stay.
  const stopped = new AbortController()
  process.once('SIGTERM', () => stopped.abort(new Error('stopped')))
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(MOST_HOURS * 3_600_000)])

  const client = new FtpClient({ password: process.env.FTP_PASSWORD })
  try {
    const result = await client.mirror(url, folder, {
      signal,
      // Each file is tried this often again after a lost connection.
      retries: 5,
      onOutcome: ({ action, path, bytes, error }) => {
        if (action === 'transferred') log(`got ${path} (${bytes} bytes)`)
        else if (action === 'failed') log(`FAILED ${path}: ${error.code}: ${error.message}`)
      },
    })
    log(`done: ${result.files} fetched, ${result.unchanged} unchanged, ${result.failed} failed`)
    return result.failed > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof FtpError)) throw error
    log(`FAILED: ${error.code}: ${error.message}`)
    return error.retryable || signal.aborted ? TRY_LATER : 1
  } finally {
    await client.close()
  }
}

try {
  const holder = await lock()
  process.exitCode = await run().finally(() => holder.close())
} catch (error) {
  if (error.code !== 'EADDRINUSE') throw error
  log('the last run is still at work')
  process.exitCode = TRY_LATER
}
