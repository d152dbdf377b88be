/** Entries one below the other, as `ls -l` has them. */
import type { Entry } from '../index.ts'
import { displayWidth, padded } from './display-width.ts'
import { timeOfEntry } from './entry-shape.ts'
import { shortBytes } from './human.ts'
import { visible } from './visible.ts'

const LETTERS = { file: '-', dir: 'd', link: 'l', other: '?' } as const

/** The lines; a column that would be empty is left out. `exact` shows sizes in bytes. */
export function longListing(entries: readonly Entry[], exact: boolean): string {
  const rows = entries.map((entry) => cellsOf(entry, exact))
  const widths = [0, 1, 2, 3, 4].map((column) =>
    rows.reduce((most, cells) => Math.max(most, displayWidth(cells[column] ?? '')), 0),
  )
  return rows.map((cells, at) => `${lineOf(cells, widths)}${nameOf(entries[at])}\n`).join('')
}

function cellsOf(entry: Entry, exact: boolean): readonly string[] {
  const { type, permissions = '', owner = '', group = '', size, sizeText } = entry
  const shown = size === undefined ? (sizeText ?? '') : exact ? String(size) : shortBytes(size)
  return [
    `${LETTERS[type]}${permissions}`,
    visible(owner),
    visible(group),
    // The size of a folder is that of its list of names, which nobody wants to know.
    type === 'dir' ? '-' : visible(shown),
    timeOfEntry(entry),
  ]
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return widths
    .map((width, column) => {
      const cell = cells[column] ?? ''
      const isSize = column === 3
      if (width === 0 || (isSize && width === 1 && cell === '')) return ''
      return `${isSize ? ' '.repeat(width - displayWidth(cell)) + cell : padded(cell, width)}  `
    })
    .join('')
}

function nameOf(entry: Entry | undefined): string {
  if (entry === undefined) return ''
  const target = entry.linkTarget === undefined ? '' : ` -> ${visible(entry.linkTarget)}`
  return `${visible(entry.name)}${entry.type === 'dir' ? '/' : ''}${target}`
}
