/**
 * Hashes that the server computes: HASH (draft-bryan-ftpext-hash) and the older X commands.
 */
import type { Features } from '../protocol/features.ts'
import { send, type Script } from '../protocol/script.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { notFound, notSupported } from '../protocol/scripts/refusals.ts'

/** A hash that both ends can compute, named as `node:crypto` names it. */
export type HashAlgorithm = 'sha512' | 'sha256' | 'sha1' | 'md5'

/** A hash that the server has computed. */
export interface RemoteHash {
  readonly algorithm: HashAlgorithm
  /** Hexadecimal, in lower case. */
  readonly digits: string
}

const DIGITS: Readonly<Record<HashAlgorithm, number>> = { sha512: 128, sha256: 64, sha1: 40, md5: 32 }

/** How to ask this server for a hash. */
export interface HashWay {
  readonly algorithm: HashAlgorithm
  readonly verb: 'HASH' | 'XSHA512' | 'XSHA256' | 'XSHA1' | 'XMD5'
  /** `OPTS HASH` must select the algorithm first. */
  readonly select: string | undefined
}

const HASH_NAMES: ReadonlyArray<readonly [string, HashAlgorithm]> = [
  ['SHA-512', 'sha512'],
  ['SHA-256', 'sha256'],
  ['SHA-1', 'sha1'],
  ['MD5', 'md5'],
]
const X_COMMANDS = [
  ['XSHA512', 'sha512'],
  ['XSHA256', 'sha256'],
  ['XSHA1', 'sha1'],
  ['XMD5', 'md5'],
] as const

/** The strongest hash that the features offer. */
export function hashWay(features: Features): HashWay | undefined {
  const offered = features.get('HASH')
  if (offered !== undefined) {
    const names = offered.split(';').map((name) => name.trim().toUpperCase())
    for (const [name, algorithm] of HASH_NAMES) {
      // An asterisk marks the algorithm that is selected already.
      if (names.includes(`${name}*`)) return { algorithm, verb: 'HASH', select: undefined }
      if (names.includes(name)) return { algorithm, verb: 'HASH', select: name }
    }
  }
  for (const [verb, algorithm] of X_COMMANDS)
    if (features.has(verb)) return { algorithm, verb, select: undefined }
  return undefined
}

/** Asks for the hash of a file; undefined where the reply holds none of this algorithm. */
export function* remoteHash(path: Path, way: HashWay): Script<RemoteHash | undefined> {
  const { algorithm, verb, select } = way
  if (select !== undefined) yield* send('OPTS', `HASH ${select}`)
  const reply = yield* send(verb, path, (refused) => ({ ...notFound(refused), ...notSupported(refused) }))
  const found = reply.rawText.match(new RegExp(`\\b[\\da-f]{${DIGITS[algorithm]}}\\b`, 'i'))?.[0]
  return found === undefined ? undefined : { algorithm, digits: found.toLowerCase() }
}
