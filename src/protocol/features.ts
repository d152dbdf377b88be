/**
 * FEAT (RFC 2389): what the server can do beyond RFC 959.
 */
import type { Reply } from './reply.ts'

/** Feature names in upper case, each with what stood behind it. */
export type Features = ReadonlyMap<string, string>

/** No feature at all: a server that does not know FEAT. */
export const NO_FEATURES: Features = new Map()

/**
 * Reads the reply to FEAT in all the forms that servers send: the lines between the first and the last, with
 * or without the blank that RFC 2389 puts before a feature, and with `211-` repeated before each (ProFTPD's
 * issue 1085).
 */
export function parseFeatures(reply: Reply | undefined): Features {
  if (reply?.kind !== 'completion' || reply.lines.length < 3) return NO_FEATURES
  const features = new Map<string, string>()
  for (const line of reply.lines.slice(1, -1)) {
    const [, name, parameters = ''] = /^\s*(?:\d{3}-\s*)?([!-~]+)(?:\s+(.*))?$/.exec(line) ?? []
    if (name !== undefined) features.set(name.toUpperCase(), parameters.trim())
  }
  return features
}

/** The facts that an MLST feature offers, lower case, in its order (RFC 3659 §7.8). */
export function factsOfFeature(parameters: string): string[] {
  return parameters
    .split(';')
    .map((fact) => fact.trim().replace(/\*$/, '').toLowerCase())
    .filter((fact) => fact !== '')
}
