import { describe, test } from 'vitest'
import { NAMES } from './rows-files.ts'
import { LISTINGS } from './rows-listings.ts'
import { casesOf, playScene } from './scene.ts'

describe.each([
  ['names', NAMES],
  ['listings and patience', LISTINGS],
])('%s', (_, scenes) => {
  test.each(casesOf(scenes))('%s: %s (%s)', (_id, _what, segment, scene) => playScene(scene, segment))
})
