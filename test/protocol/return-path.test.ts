import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnPath } from '../../src/protocol/return-path.ts'

describe('returnPath', () => {
  it.each<[walked: string[] | undefined, segments: string[], way: object]>([
    [[], [], { kind: 'extend', directories: [] }],
    [[], ['a'], { kind: 'extend', directories: ['a'] }],
    [['a'], ['a', 'b'], { kind: 'extend', directories: ['b'] }],
    [['a', ''], ['a', '', 'b'], { kind: 'extend', directories: ['b'] }],
    [['a', 'b'], ['a'], { kind: 'absolute', directories: ['/home', 'a'] }],
    [['a'], ['A'], { kind: 'absolute', directories: ['/home', 'A'] }],
    [['a'], [], { kind: 'absolute', directories: ['/home'] }],
    [['..'], [], { kind: 'absolute', directories: ['/home'] }],
    [undefined, ['a'], { kind: 'absolute', directories: ['/home', 'a'] }],
  ])('from %j to %j', (walked, segments, way) => {
    expect(returnPath('/home', walked, segments)).toEqual(way)
    const unknown = way && 'kind' in way && way.kind === 'extend' ? way : { kind: 'reconnect' }
    expect(returnPath(undefined, walked, segments)).toEqual(unknown)
    expect(returnPath('', walked, segments)).toEqual(unknown)
  })

  it('ends where the segments say, whatever was walked', () => {
    const segments = fc.array(fc.constantFrom('a', 'b', '..', ''), { maxLength: 4 })
    fc.assert(
      fc.property(segments, segments, (walked, wanted) => {
        const way = returnPath('/login', walked, wanted)
        if (way.kind === 'extend') expect([...walked, ...way.directories]).toEqual(wanted)
        else expect(way).toEqual({ kind: 'absolute', directories: ['/login', ...wanted] })
      }),
    )
  })
})
