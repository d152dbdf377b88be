/** Options that several commands have, each with one meaning. */
import type { OptionSpec } from './command.ts'

export const CONTINUE: OptionSpec = {
  name: 'continue',
  short: 'c',
  summary: 'go on with what is there of a file',
}

export const FORCE: OptionSpec = { name: 'force', short: 'f', summary: 'replace a file with the same name' }

export const RETRIES: OptionSpec = {
  name: 'retries',
  value: 'N',
  summary:
    'go on N times after the connection was lost (default 3, and only once data had begun; given, also where ' +
    'the server cannot be reached)',
}

export const CONCURRENCY: OptionSpec = {
  name: 'concurrency',
  value: 'N',
  summary: 'transfer N files at the same time (default 4)',
}

/** Sessions at the same time where `--concurrency` says nothing. */
export const DEFAULT_CONCURRENCY = 4

export const NO_GLOB: OptionSpec = { name: 'no-glob', summary: '* and [ in a URL are themselves' }

export const PARENTS: OptionSpec = {
  name: 'parents',
  short: 'p',
  summary: 'make the folders above it as well',
}

export const RECURSIVE: OptionSpec = {
  name: 'recursive',
  short: 'r',
  summary: 'folders with all that is in them',
}

export const DRY_RUN: OptionSpec = { name: 'dry-run', short: 'n', summary: 'only show what would be done' }

export const DEPTH: OptionSpec = {
  name: 'depth',
  value: 'N',
  summary: 'go down N levels; 0 is the folder alone',
}

export const INCLUDE: OptionSpec = {
  name: 'include',
  value: 'PATTERN',
  repeats: true,
  summary: 'only what matches: *.txt, docs/**',
}

export const EXCLUDE: OptionSpec = {
  name: 'exclude',
  value: 'PATTERN',
  repeats: true,
  summary: 'nothing that matches, nor what is below it',
}
