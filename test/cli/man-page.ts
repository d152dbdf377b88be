/** The manual page, made of what the commands say of themselves. */
import type { Command, OptionSpec } from '../../src/cli/command.ts'
import {
  CONNECTION_OPTIONS,
  GENERAL_OPTIONS,
  URL_OPTIONS,
  VOICE_OPTIONS,
} from '../../src/cli/common-options.ts'
import { EXIT_MEANINGS } from '../../src/cli/exit-code.ts'

/** The page in the man(7) macros. */
export function manPage(commands: readonly Command[]): string {
  return [
    '.\\" Written by the tests from the table of commands: vitest run test/cli/manual.test.ts --update',
    '.TH FTPWIRE 1 "" ftpwire "User Commands"',
    '.SH NAME',
    'ftpwire \\- transfer, list and manage files by FTP',
    '.SH SYNOPSIS',
    ...commands.flatMap(({ name, operands }, at) => [
      ...(at === 0 ? [] : ['.br']),
      `.B ftpwire ${name}`,
      roff(`[OPTION]... ${operands}`.trim()),
    ]),
    '.SH DESCRIPTION',
    'A URL is read as RFC 1738 has it: each part of its path is a CWD from the login folder, the last one the',
    'name of a file; one that ends in a slash names a folder. An absolute path begins with',
    '.BR %2F :',
    'ftp://host/%2Fetc/motd. The password is asked for on the terminal, and only if the server wants it.',
    '.SH COMMANDS',
    ...commands.flatMap(command),
    '.SH OPTIONS ABOUT URLS',
    ...URL_OPTIONS.flatMap(option),
    '.SH OPTIONS ABOUT THE CONNECTION',
    ...CONNECTION_OPTIONS.flatMap(option),
    '.SH GENERAL OPTIONS',
    ...[...VOICE_OPTIONS, ...GENERAL_OPTIONS].flatMap(option),
    '.SH EXIT STATUS',
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
    '.SH FILES',
    '.TP',
    '.I ~/.netrc',
    'Users and passwords by machine, read with',
    '.BR \\-\\-netrc ;',
    'nobody else should be able to read it.',
    '.TP',
    '.IR FILE .part',
    'A file that is not whole yet;',
    '.B ftpwire get \\-c',
    'goes on with it.',
    '.SH ENVIRONMENT',
    '.TP',
    '.B NETRC',
    'The file to read in place of ~/.netrc.',
    '.TP',
    '.B NO_COLOR',
    'Where it is set there is no colour.',
    '.TP',
    '.B NODE_DEBUG=ftpwire',
    'Shows the dialogue as \\-v does, with times and process number.',
    '.SH SEE ALSO',
    '.BR ftp (1),',
    '.BR curl (1),',
    '.BR netrc (5)',
    '',
  ].join('\n')
}

function command({ name, operands, summary, description, options, examples }: Command): string[] {
  return [
    `.SS "ftpwire ${name} [OPTION]... ${roff(operands)}"`,
    roff(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...description.flatMap((paragraph) => ['.PP', roff(paragraph)]),
    ...options.flatMap(option),
    ...(examples.length === 0
      ? []
      : ['.PP', 'For example:', '.EX', ...examples.map((line) => roff(`    ${line}`)), '.EE']),
  ]
}

function option({ name, short, value, choices, summary }: OptionSpec): string[] {
  const shown = choices === undefined ? value : choices.join('|')
  const names = short === undefined ? `\\-\\-${name}` : `\\-${short}, \\-\\-${name}`
  return [
    '.TP',
    `.B ${names.replaceAll(/(?<=[a-z])-/g, '\\-')}${shown === undefined ? '' : ` \\fI${roff(shown)}\\fR`}`,
    roff(summary),
  ]
}

/** Text in which nothing is taken for a request or a special character. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('~', '\\(ti')
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped
}
