// A web server whose /files/… are the files of an FTP server. Needs the package `express`.
//
//   PORT=8080 node examples/express-route.mjs ftp://ftp.example.com/pub/
//   curl http://localhost:8080/files/hello.txt
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { FtpClient, FtpError } from 'ftpwire'

const [base] = process.argv.slice(2)
if (base === undefined || !base.endsWith('/')) {
  console.error('Usage: PORT=8080 node express-route.mjs ftp://HOST/FOLDER/')
  process.exit(2)
}

// One client for all requests: it keeps its connections, and lets no more than these run at once. Others wait.
const client = new FtpClient({ maxSessions: 8, password: process.env.FTP_PASSWORD })
const app = express()

// Express 5 takes a handler that is async: what it throws ends as a 500.
// oxlint-disable-next-line oxc/no-async-endpoint-handlers
app.get('/files/*path', sendFile)

async function sendFile(request, response) {
  const segments = request.params.path
  // A visitor names a file below the folder. "..", and a "/" that came as %2F, would lead out of it.
  if (segments.some((segment) => segment === '' || /^\.\.?$|\//.test(segment))) {
    response.status(404).end()
    return
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const download = client.get(base + segments.map(encodeURIComponent).join('/'), {
    // Whoever closes the tab ends the transfer, and the FTP connection is free for the next one.
    signal: gone.signal,
  })
  try {
    // The server has agreed to send: only now is it known that there is such a file, and how long it is.
    const { size } = await download.opened
    if (size !== undefined) response.set('content-length', String(size))
    response.type(segments.at(-1).match(/\.\w+$/)?.[0] ?? 'application/octet-stream')
    if (request.method === 'HEAD') {
      response.end()
      download.destroy()
      return
    }
    // As fast as the visitor reads. If FTP fails in the middle, the response is cut, not ended: with the
    // length above, every browser knows that it has got less than the file.
    await pipeline(download, response)
  } catch (error) {
    if (gone.signal.aborted || response.headersSent) return
    response.removeHeader('content-length')
    response.status(statusFor(error)).type('text').send('There is no such file, or it cannot be had now.\n')
    // The visitor need not know the server behind this one; the log has the reason.
    console.error(error instanceof FtpError ? `${error.code}: ${error.message}` : error)
  }
}

function statusFor(error) {
  if (!(error instanceof FtpError)) return 500
  if (error.code === 'FTP_NOT_FOUND') return 404
  return error.retryable ? 503 : 502
}

const listener = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${listener.address().port}/files/`)
})

process.once('SIGTERM', () => {
  listener.close(() => client.close())
})
