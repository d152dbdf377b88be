// Suffixes that mean lines of text wherever they are met. A suffix with a second, binary meaning is left
// out (`.ts` is also an MPEG stream, `.doc` and `.pot` also office files): TYPE A would corrupt those.
const TEXT_SUFFIXES: ReadonlySet<string> = new Set(
  (
    'asc bat c cfg conf cpp css csv diff h htm html ini java js json log md nfo patch pl py ' +
    'rst sh sql svg tex text toml tsv txt xhtml xml xsl yaml yml'
  ).split(' '),
)

/**
 * The transfer type that a file's name suggests (RFC 1630): `A` for well-known suffixes of text, else `I`,
 * which corrupts nothing.
 *
 * @example
 * inferType('README.TXT') // 'A'
 * inferType('notes.txt.gz') // 'I'
 */
export function inferType(name: string): 'A' | 'I' {
  // A VMS name ends in a version: `LOGIN.TXT;1`.
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/;\d{1,5}$/, '')
  const dot = base.lastIndexOf('.')
  return dot > 0 && TEXT_SUFFIXES.has(base.slice(dot + 1).toLowerCase()) ? 'A' : 'I'
}
