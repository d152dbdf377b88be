// Makes a local folder like a remote one. Run it again: only what has changed is fetched.
//
//   node examples/mirror-a-folder.mjs ftp://ftp.example.com/pub/ pub
//   node examples/mirror-a-folder.mjs ftp://ftp.example.com/pub/ pub --dry-run
import { FtpClient, FtpError } from 'ftpwire'

const dryRun = process.argv.includes('--dry-run')
const [url, folder] = process.argv.slice(2).filter((word) => word !== '--dry-run')
if (url === undefined || folder === undefined) {
  console.error('Usage: node mirror-a-folder.mjs URL FOLDER [--dry-run]')
  process.exit(2)
}

// Three files at a time: most of the time of a small file is waiting for replies.
const client = new FtpClient({ maxSessions: 3, password: process.env.FTP_PASSWORD })
try {
  const { files, bytes, unchanged, failed } = await client.mirror(url, folder, {
    dryRun,
    exclude: ['**/*.tmp', '**/.*'],
    // One bad file does not stop the others; each tells here what became of it.
    onOutcome: ({ action, path, reason }) => {
      if (action !== 'unchanged') console.log(`${action} ${path}${reason ? ` (${reason})` : ''}`)
    },
  })
  console.log(`${files} files, ${bytes} bytes; ${unchanged} unchanged, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
} catch (error) {
  // Nothing could be done at all: no connection, no login, no such folder.
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
} finally {
  await client.close()
}
