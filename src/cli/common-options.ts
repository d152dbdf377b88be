/** The options that many commands share. */
import type { Command, OptionSpec } from './command.ts'

/** Those of every command. */
export const GENERAL_OPTIONS: readonly OptionSpec[] = [
  { name: 'help', short: 'h', summary: 'show this help' },
  { name: 'version', short: 'V', summary: 'show the version' },
]

/** Those about what a command says. */
export const VOICE_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', summary: 'write the result, and an error, as JSON' },
  { name: 'quiet', short: 'q', summary: 'no progress, no summary, no warnings' },
  { name: 'verbose', short: 'v', summary: 'show the dialogue on standard error, secrets as ***' },
]

/** Those that say what a URL means. */
export const URL_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'type',
    value: 'TYPE',
    choices: ['a', 'i'],
    summary: 'text (a) or image (i), for a URL without ;type= (default i)',
  },
  { name: 'infer-type', summary: "take the type from the name's suffix" },
  {
    name: 'empty-segment',
    value: 'HOW',
    choices: ['null', 'root', 'skip'],
    summary:
      'what // in a path means: CWD with no argument (null, the default), CWD / (root), nothing (skip)',
  },
  { name: 'encoding', value: 'LABEL', summary: 'the encoding of names (default UTF-8, other bytes kept)' },
  { name: 'allow-port', value: 'PORT', repeats: true, summary: "allow a port that is another protocol's" },
]

/** Those about the server and the way to it. */
export const CONNECTION_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'tls',
    value: 'HOW',
    choices: ['off', 'explicit', 'implicit'],
    summary: 'AUTH TLS (explicit) or TLS at once (implicit, as with ftps://); required once asked for',
  },
  {
    name: 'ca',
    value: 'FILE',
    completes: 'file',
    summary: 'trust the certificates in this PEM file, and no others',
  },
  { name: 'insecure', summary: 'accept any certificate: whoever is in between can read everything' },
  {
    name: 'netrc',
    summary: 'take user and password from ~/.netrc, or from the file that NETRC names',
  },
  { name: 'email', value: 'ADDRESS', summary: 'the password of anonymous FTP (default anonymous@)' },
  { name: 'active', summary: 'let the server open the data connections' },
  {
    name: 'pipelining',
    value: 'HOW',
    choices: ['auto', 'full', 'off'],
    summary: 'how many commands go out before their replies (default auto)',
  },
  {
    name: 'timeout',
    value: 'SECONDS',
    summary:
      'give up when the server is silent for so long (default 15 to connect, 60 for a reply, 30 in data)',
  },
  {
    name: 'max-time',
    value: 'SECONDS',
    summary: 'give up on a listing or a file after so long (default never)',
  },
]

/** Every option of a command but the general ones. */
export function optionsOf({ options, takes }: Command): readonly OptionSpec[] {
  if (takes === 'nothing') return options
  return [...options, ...URL_OPTIONS, ...(takes === 'url' ? [] : CONNECTION_OPTIONS), ...VOICE_OPTIONS]
}
