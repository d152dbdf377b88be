// Fetches a file through an HTTP proxy that allows CONNECT. Needs nothing but Node.
//
//   node examples/through-an-http-proxy.mjs http://127.0.0.1:3128 ftp://ftp.example.com/pub/hello.txt > hello.txt
//
// Many proxies allow CONNECT only to port 443. FTP needs port 21 and the server's data ports.
import { request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { FtpError, get } from 'ftpwire'

const [proxyUrl, url] = process.argv.slice(2)
if (proxyUrl === undefined || url === undefined) {
  console.error('Usage: node through-an-http-proxy.mjs http://[USER:PASSWORD@]HOST:PORT URL')
  process.exit(2)
}
const proxy = new URL(proxyUrl)
const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
const headers =
  credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }

// Called for the control connection, and for the data connection of each transfer.
function connect({ host, port, purpose, signal }) {
  if (process.env.VERBOSE) console.error(`${purpose} connection to ${host}:${port}`)
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...headers },
      // Gives the socket up as soon as ftpwire does.
      signal,
    })
      .once('connect', ({ statusCode, statusMessage }, socket, head) => {
        if (statusCode !== 200) {
          socket.destroy()
          reject(new Error(`the proxy says ${statusCode} ${statusMessage} to ${target}`))
          return
        }
        // FTP servers speak first: a greeting may have come in one packet with the proxy's answer.
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      })
      // An answer that is no tunnel at all, as from a plain web server.
      .once('response', (response) => {
        response.destroy()
        reject(new Error(`the proxy says ${response.statusCode} ${response.statusMessage} to ${target}`))
      })
      .once('error', reject)
      .end()
  })
}

try {
  await pipeline(get(url, { connect, password: process.env.FTP_PASSWORD }), process.stdout)
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
