/**
 * Whether a name from a server may become a local file name. The server, and whoever can name a file on
 * it, is not trusted (CVE-2026-27699, CVE-2019-6109).
 */

const NEVER = 1
const NOT_ON_WINDOWS = 2

const ASCII_KIND = new Uint8Array(128)
for (let code = 0; code < 0x20; code++) ASCII_KIND[code] = NEVER
ASCII_KIND[0x7f] = NEVER
ASCII_KIND[0x2f] = NEVER // /
ASCII_KIND[0x5c] = NEVER // \
ASCII_KIND[0x3a] = NOT_ON_WINDOWS // `a:b` is a stream of the file `a`, `C:x` a path on a drive

// Names of devices in every folder, whatever the suffix and the blanks before it.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:[.:]|$)/i

/** What {@link isSafeName} checks. */
export interface SafeNameOptions {
  /**
   * Also refuse what is a name on other systems but not on Windows: `NUL`, `a:b`, `x.`. Default: true, so
   * that a "safe" name is safe wherever the files go next.
   */
  readonly windows?: boolean
}

/**
 * True where `name` names a file in the folder that it is joined to, and shows as what it is: not empty,
 * not `.` or `..`, no slash or backslash, no control character, nothing that turns text around.
 */
export function isSafeName(name: string, options: SafeNameOptions = {}): boolean {
  return options.windows === false ? isSafe(name, NEVER) : isSafeEverywhere(name)
}

/** {@link isSafeName} with its default options, for the parsers. */
export function isSafeEverywhere(name: string): boolean {
  if (!isSafe(name, NEVER | NOT_ON_WINDOWS)) return false
  const last = name.charCodeAt(name.length - 1)
  // Windows drops a dot or blank at the end: `x.` is written to `x`.
  if (last === 0x2e || last === 0x20) return false
  // c, p, a, n, l: only these begin a device's name.
  const first = name.charCodeAt(0) | 0x20
  const mayBeDevice = first === 0x63 || first === 0x70 || first === 0x61 || first === 0x6e || first === 0x6c
  return !(mayBeDevice && DEVICE.test(name))
}

function isSafe(name: string, forbidden: number): boolean {
  const length = name.length
  if (length === 0) return false
  for (let at = 0; at < length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x80) {
      if (((ASCII_KIND[code] ?? 0) & forbidden) !== 0) return false
    } else if (isControl(code)) return false
  }
  return !(name.charCodeAt(0) === 0x2e && (length === 1 || (length === 2 && name.charCodeAt(1) === 0x2e)))
}

/** C1 controls, line and paragraph separator, and the characters of Unicode's bidirectional algorithm. */
function isControl(code: number): boolean {
  if (code < 0xa0) return true
  if (code === 0x061c || code === 0x200e || code === 0x200f) return true
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}
