/** The names of months in listings: servers print them in the language of their locale. */

// The abbreviations of the common locales, January to December, with the variants that their systems
// write. A trailing dot is never part of a key.
const LANGUAGES = [
  // English, and the long forms that begin it
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'january february march april may june july august sept october november december',
  // German, Austrian
  'jan feb mär apr mai jun jul aug sep okt nov dez',
  'jän feb mrz apr mai juni juli aug sept okt nov dez',
  // French
  'janv févr mars avr mai juin juil août sept oct nov déc',
  'jan fév mar avr mai jui jul aoû sep oct nov déc',
  // Spanish, Catalan, Portuguese, Italian
  'ene feb mar abr may jun jul ago sep oct nov dic',
  'gen febr març abr maig juny jul ag set oct nov des',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  // Dutch, Danish, Norwegian, Swedish, Icelandic
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
  'jan feb mar apr maj jun jul aug sep okt nov dec',
  'jan feb mars april mai juni juli aug sep okt nov des',
  'jan feb mars april maj juni juli aug sept okt nov dec',
  'jan feb mar apr maí jún júl ágú sep okt nóv des',
  // Finnish, Estonian
  'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu',
  'tam hel maa huh tou kes hei elo syy lok mar jou',
  'jaan veebr märts apr mai juuni juuli aug sept okt nov dets',
  // Polish, Czech, Slovak
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'led úno bře dub kvě čen čec srp zář říj lis pro',
  'jan feb mar apr máj jún júl aug sep okt nov dec',
  // Hungarian, Romanian, Slovene, Croatian
  'jan febr márc ápr máj jún júl aug szept okt nov dec',
  'ian feb mar apr mai iun iul aug sep oct noi dec',
  'jan feb mar apr maj jun jul avg sep okt nov dec',
  'sij vel ožu tra svi lip srp kol ruj lis stu pro',
  // Latvian, Lithuanian, Turkish
  'janv febr marts apr maijs jūn jūl aug sept okt nov dec',
  'sau vas kov bal geg bir lie rgp rgs spa lap grd',
  'oca şub mar nis may haz tem ağu eyl eki kas ara',
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian
  'янв фев мар апр май июн июл авг сен окт ноя дек',
  'янв февр марта апр мая июня июля авг сент окт нояб дек',
  'січ лют бер кві тра чер лип сер вер жов лис гру',
  'сту лют сак кра май чэр ліп жні вер кас ліс сне',
  'яну фев мар апр май юни юли авг сеп окт ное дек',
  'јан феб мар апр мај јун јул авг сеп окт нов дец',
  // Greek
  'ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπ οκτ νοέ δεκ',
  'ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
]

const MONTHS = buildMonths()

function buildMonths(): Map<string, number> {
  const months = new Map<string, number>()
  const disputed = new Set<string>()
  const english = new Set(LANGUAGES[0]?.split(' '))
  for (const language of LANGUAGES) {
    language.split(' ').forEach((name, index) => {
      const known = months.get(name)
      // A name that is two months in two languages is none, unless it is English.
      if (known !== undefined && known !== index + 1 && !english.has(name)) disputed.add(name)
      if (known === undefined) months.set(name, index + 1)
    })
  }
  for (const name of disputed) months.delete(name)
  return months
}

/** The number of a month by its English name at `at`, three letters in any case; else 0. */
export function englishMonthAt(line: string, at: number): number {
  const first = line.charCodeAt(at) | 0x20
  const second = line.charCodeAt(at + 1) | 0x20
  const third = line.charCodeAt(at + 2) | 0x20
  switch ((first << 16) | (second << 8) | third) {
    case 0x6a616e:
      return 1
    case 0x666562:
      return 2
    case 0x6d6172:
      return 3
    case 0x617072:
      return 4
    case 0x6d6179:
      return 5
    case 0x6a756e:
      return 6
    case 0x6a756c:
      return 7
    case 0x617567:
      return 8
    case 0x736570:
      return 9
    case 0x6f6374:
      return 10
    case 0x6e6f76:
      return 11
    case 0x646563:
      return 12
    default:
      return 0
  }
}

/** The number of the month that `word` names in any language of the table, or 0. */
export function monthOf(word: string): number {
  if (word.length < 2 || word.length > 12) return 0
  // Bytes that were not UTF-8 (text.ts) are tried as Latin-1: `M\xe4r`.
  const name = word
    .toLowerCase()
    .replace(/[.,]$/, '')
    .replaceAll(/[\udc80-\udcff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) - 0xdc00))
  return MONTHS.get(name) ?? 0
}

/**
 * The number of a month, day or year with the mark that Chinese, Japanese and Korean put behind it (`8月`,
 * `17日`, `2003年`), in whatever encoding the mark is; else -1.
 */
export function markedNumber(word: string): number {
  const match = /^(\d{1,4})[^\u0000-\u007f]{1,4}$/.exec(word)
  return match === null ? -1 : Number(match[1])
}
