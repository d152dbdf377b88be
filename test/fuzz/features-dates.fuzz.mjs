// Any reply to FEAT gives a map of plain names, and any date gives a valid one, or none; neither ever throws.
// Needs a build. node test/fuzz/features-dates.fuzz.mjs [--runs N | --seconds N] [--seed N]
import { Reply } from '../../dist/index.js'
import { parseFeatures, factsOfFeature } from '../../dist/protocol/features.js'
import { formatTimeVal, parseTimeVal } from '../../dist/protocol/time.js'
import { fuzz } from './random.mjs'

const FEATURES =
  'MLST type*;size*;|REST STREAM|__proto__|constructor x|toString| |  |\t|;|;;|*|UTF8|AUTH TLS;SSL|é|\u202e|\0|\x1b[2J|MODE Z|=|HASH SHA-256*;MD5'.split(
    '|',
  )
const DATES =
  '2025|0000|9999|13|02|29|30|31|00|24|60|59|.|999999999|-|+| |Z|1|19700101000000|20030401|x|é'.split('|')

await fuzz('features and dates', 100_000, ({ below, pick, random }, shown) => {
  const lines = Array.from({ length: below(12) }, () =>
    random() < 0.8 ? ` ${pick(FEATURES)}` : String.fromCharCode(below(0x3000)).repeat(below(40)),
  )
  shown.sent = JSON.stringify(lines)
  const features = parseFeatures(new Reply(211, ['Extensions', ...lines, 'End']))
  for (const [name, value] of features) {
    if (name === '' || name !== name.toUpperCase() || typeof value !== 'string')
      throw new Error(`name ${name}`)
    factsOfFeature(value)
  }
  if ({}.x !== undefined || Object.prototype.MLST !== undefined) throw new Error('a prototype has changed')

  const text = Array.from({ length: below(8) }, () => pick(DATES)).join('')
  shown.sent = text
  const time = parseTimeVal(text)
  if (time === undefined) return
  if (Number.isNaN(time.date.getTime())) throw new Error('an invalid date')
  const again = parseTimeVal(formatTimeVal(time.date))
  if (
    again?.date.getTime() !== Math.floor(time.date.getTime() / 1000) * 1000 &&
    again?.date.getTime() !== time.date.getTime()
  )
    throw new Error('another date comes back')
})
