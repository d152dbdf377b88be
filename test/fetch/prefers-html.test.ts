import { expect, test } from 'vitest'
import { prefersHtml } from '../../src/fetch/prefers-html.ts'

test.each([
  [null, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/*', true],
  ['text/html, application/json', false],
  ['text/html;q=0.9, application/json', false],
  ['text/html, application/json;q=0.9', true],
  ['text/html;q=0, */*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', true],
  ['text/html;q=nonsense', false],
  ['image/png', false],
])('%j', (accept, html) => {
  expect(prefersHtml(accept)).toBe(html)
})
