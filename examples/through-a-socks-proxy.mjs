// Fetches a file through a SOCKS5 proxy. Needs the package `socks`.
//
//   node examples/through-a-socks-proxy.mjs socks5://127.0.0.1:1080 ftp://ftp.example.com/pub/hello.txt > hello.txt
import { pipeline } from 'node:stream/promises'
import { FtpError, get } from 'ftpwire'
import { SocksClient } from 'socks'

const [proxyUrl, url] = process.argv.slice(2)
if (proxyUrl === undefined || url === undefined) {
  console.error('Usage: node through-a-socks-proxy.mjs socks5://[USER:PASSWORD@]HOST:PORT URL')
  process.exit(2)
}
const { hostname, port, username, password } = new URL(proxyUrl)
const proxy = {
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || 1080),
  type: 5,
  ...(username === ''
    ? {}
    : { userId: decodeURIComponent(username), password: decodeURIComponent(password) }),
}

// FTP uses one connection for commands and one for each transfer. Both are made here: the first with
// purpose 'control', the others with purpose 'data'.
async function connect({ host, port, purpose, signal }) {
  if (process.env.VERBOSE) console.error(`${purpose} connection to ${host}:${port}`)
  // The host goes to the proxy as it is: a name is looked up there, and nobody here learns of it.
  const made = SocksClient.createConnection({
    proxy,
    command: 'connect',
    destination: { host, port },
    // ftpwire has given up when its own time-out fires; this one closes the socket to the proxy as well.
    timeout: 15_000,
  })
  const { socket } = await made
  // Too late: nobody wants the connection any more.
  if (signal.aborted) socket.destroy()
  return socket
}

try {
  await pipeline(get(url, { connect, password: process.env.FTP_PASSWORD }), process.stdout)
} catch (error) {
  if (!(error instanceof FtpError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
