import { describe, test } from 'vitest'
import { ARGUMENT_ROWS, CALLBACK_ROWS } from './rows-callbacks.ts'
import { UPLOAD_ROWS } from './rows-uploads.ts'
import { casesOf, playScene, type Scene } from './scene.ts'

const GROUPS: ReadonlyArray<readonly [name: string, scenes: readonly Scene[]]> = [
  ['uploads', UPLOAD_ROWS],
  ['callbacks', CALLBACK_ROWS],
  ['arguments', ARGUMENT_ROWS],
]

describe.each(GROUPS)('%s', (_, scenes) => {
  test.each(casesOf(scenes))('%s: %s (%s)', (_id, _what, segment, scene) => playScene(scene, segment))
})
