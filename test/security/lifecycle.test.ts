import { describe, test } from 'vitest'
import { LIFE_GROUPS } from './rows-lifecycle.ts'
import { casesOf, playScene } from './scene.ts'

describe.each(LIFE_GROUPS)('%s', (_, scenes) => {
  test.each(casesOf(scenes))('%s: %s (%s)', (_id, _what, segment, scene) => playScene(scene, segment))
})
