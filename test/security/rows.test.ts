import { describe, test } from 'vitest'
import { BOTH, type Row } from './row.ts'
import { ADDRESS_ROWS } from './rows-addresses.ts'
import { REPLY_ROWS } from './rows-replies.ts'
import { SEQUENCE_ROWS } from './rows-sequence.ts'
import { TRANSFER_ROWS } from './rows-transfers.ts'
import { playRow } from './runner.ts'

const GROUPS: ReadonlyArray<readonly [name: string, rows: readonly Row[]]> = [
  ['replies', REPLY_ROWS],
  ['the sequence of replies', SEQUENCE_ROWS],
  ['addresses of data connections', ADDRESS_ROWS],
  ['transfers', TRANSFER_ROWS],
]

describe.each(GROUPS)('%s', (_, rows) => {
  const cases = rows.flatMap((row) =>
    (row.segments ?? BOTH).map((segment) => [row.id, row.what, segment, row] as const),
  )
  test.each(cases)('%s: %s (%s)', (_id, _what, segment, row) => playRow(row, segment))
})
