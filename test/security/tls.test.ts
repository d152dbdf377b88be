import { describe, test } from 'vitest'
import { CERTIFICATES, DOWNGRADES } from './rows-tls.ts'
import { DATA, TRUNCATIONS } from './rows-tls-data.ts'
import { casesOf, playScene } from './scene.ts'

describe.each([
  ['certificates', CERTIFICATES],
  ['downgrades and injections', DOWNGRADES],
  ['TLS on data connections', DATA],
  ['TLS cut short', TRUNCATIONS],
])('%s', (_, scenes) => {
  test.each(casesOf(scenes))('%s: %s (%s)', (_id, _what, segment, scene) => playScene(scene, segment))
})
