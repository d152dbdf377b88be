/** Names side by side, as ls(1) has them. */
import { displayWidth, padded } from './display-width.ts'

const GAP = 2

/** The names, down before across, in as few lines as fit into `columns`; 0 columns: one on a line. */
export function columned(names: readonly string[], columns: number): string {
  const widths = names.map(displayWidth)
  const most = columns === 0 ? 1 : Math.max(1, Math.floor((columns + GAP) / (1 + GAP)))
  for (let across = Math.min(most, names.length); across > 1; across--) {
    const rows = Math.ceil(names.length / across)
    const spans = columnWidths(widths, rows)
    const total = spans.reduce((sum, width) => sum + width + GAP, -GAP)
    if (total < columns) return grid(names, rows, spans)
  }
  return names.map((name) => `${name}\n`).join('')
}

function columnWidths(widths: readonly number[], rows: number): number[] {
  const spans: number[] = []
  for (let start = 0; start < widths.length; start += rows) {
    spans.push(widths.slice(start, start + rows).reduce((most, width) => Math.max(most, width), 0))
  }
  return spans
}

function grid(names: readonly string[], rows: number, spans: readonly number[]): string {
  let text = ''
  for (let row = 0; row < rows; row++) {
    const line = spans.map((width, column) => padded(names[column * rows + row] ?? '', width + GAP)).join('')
    text += `${line.trimEnd()}\n`
  }
  return text
}
