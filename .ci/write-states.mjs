// Writes docs/states.md from the transition tables of src/protocol/machine.ts, as they are in dist.
// With --check it writes nothing and fails where the page differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { VERBS } from '../dist/protocol/commands.js'
import { CONNECTION, EXCHANGES, isOver } from '../dist/protocol/machine.js'

const PAGE = new URL('../docs/states.md', import.meta.url)

/** One plain sentence for each kind of exchange. */
const SENTENCES = {
  greeting: 'What the server says first: it may ask to wait (`120`) before it is ready (`220`).',
  simple: 'A command that is done or refused: one reply, nothing between.',
  login: 'A step of the login, after which the server may want another one (`331`, `332`).',
  sequence: '`RNFR` only prepares: `RNTO` has to follow. A `250` is taken for the `350` it should be.',
  restart: 'Only a `350` says that the transfer which follows begins at the marker.',
  transfer:
    'Data flow between a preliminary reply, which some servers leave out and others send twice, and the final one.',
}

function diagram(first, states) {
  const lines = [`  [*] --> ${first}`]
  const targets = new Set()
  for (const [from, events] of Object.entries(states)) {
    for (const [event, to] of Object.entries(events)) {
      lines.push(`  ${from} --> ${to}: ${event}`)
      targets.add(to)
    }
  }
  return { lines, targets }
}

function mermaid(lines) {
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

function exchange(kind) {
  const sentence = SENTENCES[kind]
  if (sentence === undefined) throw new Error(`.ci/write-states.mjs has no sentence for ${kind}`)
  const { lines, targets } = diagram('awaiting', EXCHANGES[kind])
  for (const state of targets) if (isOver(state)) lines.push(`  ${state} --> [*]`)
  const verbs = Object.keys(VERBS).filter((verb) => VERBS[verb].exchange === kind)
  const used = verbs.length === 0 ? [] : [`Used by ${verbs.map((verb) => `\`${verb}\``).join(', ')}.`]
  return [`### ${kind}`, sentence, ...used, mermaid(lines)].join('\n\n')
}

function page() {
  const { lines } = diagram('greeting', CONNECTION)
  return `${[
    '# States',
    'Written by `npm run docs:states` from [`src/protocol/machine.ts`](../src/protocol/machine.ts); a test fails where the two differ.',
    '## The control connection',
    'A connection waits for the greeting, then sends commands and takes their replies until it ends. `answered` means that no reply is outstanding any more.',
    mermaid([...lines, '  closed --> [*]']),
    '## Exchanges',
    'A command and its replies are one exchange. What the first digit of a reply says is the event: `1yz` preliminary, `2yz` completion, `3yz` intermediate, `4yz` and `5yz` refusal. A reply that has no arrow breaks the protocol, and the connection is given up. Commands that are sent in one flight play their diagrams one after the other.',
    ...Object.keys(EXCHANGES).map(exchange),
  ].join('\n\n')}\n`
}

const wanted = page()
if (process.argv.includes('--check')) {
  if (readFileSync(PAGE, 'utf8') !== wanted) {
    console.error('docs/states.md differs from src/protocol/machine.ts: npm run docs:states')
    process.exitCode = 1
  }
} else writeFileSync(PAGE, wanted)
