/** The certificates of fixtures/tls, made by its make.sh, and the sides of TLS that test servers take with them. */
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'
import { fileURLToPath } from 'node:url'

export type CertificateName = 'server' | 'wrong-host' | 'self-signed' | 'expired' | 'client'

/** A certificate alone, or with what else the server's side of TLS shall be. */
export type TlsChoice =
  | CertificateName
  | (Pick<TlsOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'requestCert' | 'ALPNProtocols'> & {
      certificate: CertificateName
    })

export function tlsFile(name: `${CertificateName | 'ca'}.${'crt' | 'key'}` | 'ca.crt'): string {
  return fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
}

export function certificate(name: CertificateName): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tlsFile(`${name}.crt`)), key: readFileSync(tlsFile(`${name}.key`)) }
}

/** The authority that a client must trust to accept `server`. */
export const authority: Buffer = readFileSync(tlsFile('ca.crt'))

/** Contexts of one server: sessions can be resumed only where the context is the very same. */
export class SecureContexts {
  readonly #contexts = new Map<string, SecureContext>()

  get(choice: TlsChoice): SecureContext {
    const key = JSON.stringify(choice)
    const known = this.#contexts.get(key)
    if (known) return known
    const { certificate: name, ...rest } = typeof choice === 'string' ? { certificate: choice } : choice
    const context = createSecureContext({
      ...certificate(name),
      ca: authority,
      sessionIdContext: 'ftpwire-test',
      ...rest,
    })
    this.#contexts.set(key, context)
    return context
  }
}
