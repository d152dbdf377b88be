// Downloads a file and shows how far it is.
//
//   node examples/download-with-progress.mjs ftp://ftp.example.com/pub/image.bin [FILE]
import { basename } from 'node:path'
import { FtpError, get, parseFtpUrl } from 'ftpwire'

const [url, file] = process.argv.slice(2)
if (url === undefined) {
  console.error('Usage: node download-with-progress.mjs URL [FILE]')
  process.exit(2)
}
// A server's name for a file may lead anywhere ("../../.profile"): only its last part becomes a name here.
const path = file ?? basename(parseFtpUrl(url).name)

const MB = 1_000_000
const begun = performance.now()

// Called about ten times a second, and once at the end. `size` is unknown where the server does not tell it.
function show({ bytes, size }) {
  const share = size ? `${Math.floor((bytes / size) * 100)} %` : 'of unknown size'
  const rate = bytes / MB / ((performance.now() - begun) / 1000)
  const line = `${(bytes / MB).toFixed(1)} MB, ${share}, ${rate.toFixed(1)} MB/s`
  // On a terminal one line is written over and over; in a log each report gets its own.
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

try {
  // The file has its name only when all of it is here, so a program that waits for it never reads a half.
  const { bytes, verified } = await get(url, { onProgress: show }).saveTo(path)
  if (process.stderr.isTTY) process.stderr.write('\n')
  console.log(`${path}: ${bytes} bytes${verified ? ', as many as the server has' : ''}`)
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`\n${error.code}: ${error.message}`)
  process.exitCode = 1
}
