/**
 * The `Accept` header (RFC 9110 §12.5.1), as far as two formats need it.
 */

/** True where HTML is wanted more than JSON. Without a preference JSON it is: programs seldom say what they want. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false
  const weights = weightsOf(accept)
  return weightFor(weights, 'text', 'html') > weightFor(weights, 'application', 'json')
}

function weightsOf(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const value = weight === undefined ? 1 : Number(weight)
    weights.set(range, value >= 0 && value <= 1 ? value : 0)
  }
  return weights
}

/** The most specific range decides. */
function weightFor(weights: ReadonlyMap<string, number>, type: string, subtype: string): number {
  return weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0
}
