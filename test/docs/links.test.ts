/** Every relative link of the documents leads somewhere, also to the heading that it names. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { documents, proseOf, root } from './markdown.ts'

/** The anchors that GitHub gives to the headings of a document. */
function anchors(document: string): string[] {
  return [...proseOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function links(document: string): string[] {
  return [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

function isDead(document: string, target: string): boolean {
  if (/^https?:/.test(target)) return false
  const [path = '', anchor] = target.split('#')
  const linked = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(root, linked))) return true
  return anchor !== undefined && !anchors(linked).includes(anchor)
}

test.each(documents)('%s has no dead link', (document) => {
  expect(links(document).filter((target) => isDead(document, target))).toEqual([])
})
