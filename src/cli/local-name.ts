/** A name that came from a URL or a server → a name for a file here, or nothing. */

const MOST_BYTES = 255
/** Names that Windows takes for devices, whatever suffix follows. */
const DEVICE =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\.|$)/i

/** True for a name that is one file in one folder, everywhere the same, and shows what it is. */
export function isSafeName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..') return false
  if (/[/\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return false
  if (Buffer.byteLength(name) > MOST_BYTES) return false
  return platform !== 'win32' || !(DEVICE.test(name) || /[:*?"<>|]|[. ]$/.test(name))
}
