/** The tables: the same on the terminal and in `results.md`. */

const HEAD = ['bench', 'who', 'median', '±', 'ratio', 'CPU', 'peak memory']
const GOAL_HEAD = ['bench', 'goal for', 'wanted', 'measured', 'met']

export function resultTable(results) {
  const rows = results.flatMap(({ name, rows }) =>
    rows.map(({ who, result, spread, ratio, sample }, number) => [
      number === 0 ? name : '',
      who,
      result,
      spread === undefined ? '' : `${(spread * 100).toFixed(0)} %`,
      ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
      sample === undefined ? '' : `${(sample.cpuMs / 1000).toFixed(2)} s`,
      sample === undefined ? '' : `${(sample.peakBytes / 1e6).toFixed(0)} MB`,
    ]),
  )
  return table(HEAD, rows)
}

export function goalTable(results) {
  const rows = results.flatMap(({ name, goals }) =>
    goals.map(({ what, wanted, got, met }) => [name, what, wanted, got, met ? 'yes' : '**no**']),
  )
  return table(GOAL_HEAD, rows)
}

/** The whole page. */
export function page({ results, machine, settings }) {
  const benches = results.map(({ name, title }) => `| ${title} | \`node bench/run.mjs --only=${name}\` |`)
  return [
    '# Results',
    'Written by `npm run bench`. What the columns mean stands in [performance.md](../docs/performance.md).',
    machine.map((line) => `- ${line}`).join('\n'),
    settings,
    '## Goals',
    goalTable(results),
    '## Medians',
    resultTable(results),
    '## To repeat one of them',
    ['| bench | command (after `npm run build`) |', '|---|---|', ...benches].join('\n'),
    '',
  ].join('\n\n')
}

function table(head, rows) {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [
    line(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map((row) => line(row)),
  ].join('\n')
}
