/**
 * A listing as an HTML page. Names come from the server, and with them whatever a stranger uploaded.
 */
import type { Entry } from '../index.ts'
import { dateText } from './date-text.ts'

/** What the page needs to know beside its entries. */
export interface HtmlIndexOptions {
  /** The URL of the directory, for the title. */
  readonly url: string
  /** What stands in front of each link. */
  readonly prefix: string
  readonly hasParent: boolean
}

// RFC 3986 §2.3. Everything else is encoded: no name can be a scheme, a path of its own or a `;type=`.
const UNRESERVED = /[A-Za-z0-9\-._~]/

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The text of the page, in parts. */
export async function* htmlIndex(
  entries: AsyncIterable<Entry>,
  { url, prefix, hasParent }: HtmlIndexOptions,
): AsyncGenerator<string, void> {
  const title = `Index of ${escaped(url)}`
  yield `<!doctype html>\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>\n<table>\n`
  if (hasParent) yield row(prefix === '' ? '../' : './', '../', '', '')
  for await (const entry of entries) {
    const slash = entry.type === 'dir' ? '/' : ''
    const link = `${prefix}${percentEncoded(entry.rawName)}${slash}`
    const size = entry.type === 'file' ? (entry.size?.toString() ?? '') : ''
    yield row(link, `${escaped(entry.name)}${slash}`, size, (dateText(entry) ?? '').replace('T', ' '))
  }
  yield '</table>\n'
}

function row(link: string, shown: string, size: string, date: string): string {
  return `<tr><td><a href="${link}">${shown}</a></td><td>${size}</td><td>${date}</td></tr>\n`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The bytes as the server sent them, so that the link leads to this very name whatever its encoding. */
function percentEncoded(bytes: Uint8Array): string {
  let encoded = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    encoded += UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}
