import { describe, test } from 'vitest'
import { LIFE_GROUPS } from './rows-lifecycle.ts'
import { ABORTED, IDLE, POOL } from './rows-pool.ts'
import { casesOf, playScene } from './scene.ts'

describe.each([
  ...LIFE_GROUPS,
  ['signals', ABORTED] as const,
  ['idle sessions', IDLE] as const,
  ['the pool', POOL] as const,
])('%s', (_, scenes) => {
  test.each(casesOf(scenes))('%s: %s (%s)', (_id, _what, segment, scene) => playScene(scene, segment))
})
