/**
 * Text from a server may hold terminal controls (CVE-2019-6109). Whatever reaches a message, a log or a
 * terminal passes through {@link escapeText} first.
 */

// C0, DEL, C1, lone surrogates, line and paragraph separators, and the controls that turn text around.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Replaces every character that is not plainly visible by `\xNN` or `\u{…}`. */
export function escapeText(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  // An octet that could not be decoded is kept as U+DC80–U+DCFF (see text.ts): show the octet.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`
  if (code === 0x0a) return '\\n'
  if (code === 0x0d) return '\\r'
  if (code === 0x09) return '\\t'
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** Replaces each of `secrets` in `text` by `***`: some servers echo a password in their refusal. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  let redacted = text
  for (const secret of secrets) if (secret.length > 0) redacted = redacted.replaceAll(secret, '***')
  return redacted
}
