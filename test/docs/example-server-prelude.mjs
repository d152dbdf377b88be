// Loaded before each block of code in the documents: it is run as it stands, with ftp.example.com being this
// machine, and its port 21 the port of the test's server. Neither name servers nor the network are asked.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

const HOST = 'ftp.example.com'
const port = Number(process.env.EXAMPLE_PORT)

const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name === HOST ? '127.0.0.1' : name, ...rest)

const { connect } = net
net.connect = (options, ...rest) => connect(options?.port === 21 ? { ...options, port } : options, ...rest)

// The certificate of the tests is for localhost, and it is checked.
const { checkServerIdentity } = tls
tls.checkServerIdentity = (name, certificate) =>
  checkServerIdentity(name === HOST ? 'localhost' : name, certificate)

syncBuiltinESMExports()
