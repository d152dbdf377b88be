// Uploads what comes on standard input, compressed on the way. Neither end ever holds the whole of it, and
// nothing is written to a disk here.
//
//   pg_dump shop | node examples/upload-a-stream.mjs ftp://joe@ftp.example.com/backups/shop.sql.gz
//
// The password comes from the environment (FTP_PASSWORD): arguments are visible to every user of a machine.
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { connect, FtpError, parseFtpUrl } from 'ftpwire'

const [url] = process.argv.slice(2)
if (url === undefined) {
  console.error('Usage: COMMAND | node upload-a-stream.mjs URL')
  process.exit(2)
}

try {
  const { name } = parseFtpUrl(url)
  const session = await connect(new URL('.', url), { password: process.env.FTP_PASSWORD })
  try {
    // FTP has no way to undo an upload that breaks off, so until it is whole it has a name that nobody takes
    // for a backup.
    const unfinished = `${name}.part`
    // The stream is finished when the server has confirmed the last byte. If anything before it fails, the data
    // connection is reset: a server would take an orderly end for the end of the file.
    await pipeline(process.stdin, createGzip(), session.createWriteStream(unfinished))
    await session.rename(unfinished, name)
    console.log(`${name}: ${await session.size(name)} bytes`)
  } finally {
    await session.close()
  }
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  // What is piped in is of no use any more, and must not keep this process waiting.
  process.stdin.destroy()
  process.exitCode = 1
}
