import { expect, test } from 'vitest'
import { casesOf, playScene, scene, type Scene } from '../scene.ts'

const MEBIBYTE = 1024 * 1024

/** LIST gets this block so many times. */
function blocks(block: string, count: number): Scene['server'] {
  return {
    replies: {
      FEAT: '211 no features',
      LIST: async (_, { send, data }) => {
        await send('150 here')
        const wire = await data()
        for (let at = 0; at < count; at++) if (!(await wire.write(block))) break
        await wire.fin()
        await send('226 done')
      },
    },
  }
}

const line = '-rw-r--r-- 1 owner group 12345 Jan  1 2020 a-file-with-a-name.txt\r\n'
const tenThousand = line.repeat(10_000)

const SCENES: readonly Scene[] = [
  scene(
    'H06',
    'a listing bomb: 13 million names of one letter trip the cap on entries',
    blocks(' a\n'.repeat(100_000), 140),
    async ({ session }) => (await session()).list(undefined, { listingFormat: 'mlsd' }).toArray(),
    'FTP_LIST_TOO_LARGE',
  ),
  scene(
    'H05',
    'ten million entries through an iterator, in little memory',
    blocks(tenThousand, 1000),
    async ({ session }) => {
      let count = 0
      let most = 0
      const before = process.memoryUsage().rss
      for await (const entry of (await session()).list()) {
        if (entry.type === 'file' && ++count % 1_000_000 === 0)
          most = Math.max(most, process.memoryUsage().rss - before)
      }
      expect(most).toBeLessThan(256 * MEBIBYTE)
      return count
    },
    { gives: 10_000_000 },
  ),
]

test.each(casesOf(SCENES.map((one) => ({ ...one, segments: ['whole'] as const }))))(
  '%s: %s (%s)',
  (_id, _what, segment, one) => playScene(one, segment),
)
