// What each server can do, as this client finds it; docs/servers.md is written from it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { afterAll, describe, expect, it, test } from 'vitest'
import { ANY_KINDS, logIn, startServer, type AnyKind } from './any-server.ts'
import { asAnswer, CAPABILITIES, KEPT_AFTER_ABORT } from './capabilities.ts'
import { modesOf } from './real-server.ts'

const PAGE = fileURLToPath(new URL('../../docs/servers.md', import.meta.url))

const TITLES: Readonly<Record<AnyKind, string>> = {
  vsftpd: 'vsftpd',
  proftpd: 'ProFTPD',
  'pure-ftpd': 'Pure-FTPd',
  pyftpdlib: 'pyftpdlib',
  inetutils: 'inetutils ftpd',
  'ftp-srv': 'ftp-srv',
}

const seen = new Map<AnyKind, Map<string, string>>()

describe.each(ANY_KINDS)('%s', (kind) => {
  it('shows what it can', { timeout: 60_000 }, async () => {
    await using server = await startServer(kind)
    const answers = new Map<string, string>()
    seen.set(kind, answers)
    await using first = await logIn(server)
    await first.upload(Buffer.alloc(6_000_000), 'big.bin')
    for (const [name, probe] of Object.entries(CAPABILITIES)) {
      await using session = await logIn(server)
      await session.upload(Buffer.alloc(1000), 'bytes.bin')
      const answer = await probe({ server, session }).catch(asAnswer)
      answers.set(name, typeof answer === 'string' ? answer : answer === false ? 'no' : 'yes')
    }
    expect(answers.get('`SIZE`')).toBe('yes')
  })
})

test('docs/servers.md shows the same', async () => {
  const written = await page()
  if (process.env['FTPWIRE_WRITE_MATRIX'] === '1') writeFileSync(PAGE, written)
  // FTPWIRE_WRITE_MATRIX=1 npm run test:servers writes it anew.
  expect(settled(readFileSync(PAGE, 'utf8'))).toEqual(settled(written))
})

afterAll(() => seen.clear())

function settled(text: string): string[] {
  return text.split('\n').filter((line) => !line.includes(KEPT_AFTER_ABORT))
}

async function page(): Promise<string> {
  const cell = (kind: AnyKind, name: string): string => seen.get(kind)?.get(name) ?? 'not seen'
  const row = (name: string, of: (kind: AnyKind) => string): string =>
    `| ${[name, ...ANY_KINDS.map(of)].join(' | ')} |`
  const rows = [
    row('', (kind) => TITLES[kind]),
    row('---', () => '---'),
    ...Object.keys(CAPABILITIES).map((name) => row(name, (kind) => cell(kind, name))),
    row('TLS', (kind) => (kind === 'ftp-srv' ? 'explicit, implicit' : tlsModes(kind))),
  ]
  return format(`${HEAD}\n${rows.join('\n')}\n\n${NOTES}`, { ...(await resolveConfig(PAGE)), filepath: PAGE })
}

function tlsModes(kind: Exclude<AnyKind, 'ftp-srv'>): string {
  const modes = modesOf(kind)
  const names = [
    ...(modes.includes('tls') ? ['explicit'] : []),
    ...(modes.includes('implicit') ? ['implicit'] : []),
    ...(modes.includes('tls-reuse') ? ['resumption demanded'] : []),
  ]
  return names.length === 0 ? 'no' : names.join(', ')
}

const HEAD = `# The servers

This page is written by a run of \`test/servers/matrix.test.ts\` against the servers themselves, as Debian 12 ships
them (\`test/servers/install.sh\`), and ftp-srv as its last version in npm. The number behind a "no" is the reply
with which the server refused. \`npm run test:servers\` fails where a server answers otherwise.
`

const NOTES = `## What they do in their own way

- **A null \`CWD\`** (\`ftp://host//etc/motd\`): where the table says no, the error names \`%2F\`, and
  \`emptySegment: 'root'\` reads such URLs as curl does.
- **vsftpd** with \`use_localtime=YES\` and **pyftpdlib** with \`use_gmt_times=False\` give the time of their own zone
  in \`MDTM\` too, which RFC 3659 forbids: \`serverTimeZone: 'detect'\` cannot see it, a number can.
- **pyftpdlib** follows links in \`MLSD\`, ftp-srv everywhere: a link looks like what it leads to.
- **pyftpdlib**, as shipped, resets a data connection whose TLS begins before the transfer command. ftpwire waits.
- **Pure-FTPd** and **vsftpd** draw their passive ports from 1024 on and hit upon one that belongs to another service
  once in a thousand transfers. ftpwire asks again before it takes that for an attack.
- **Pure-FTPd** forbids backslashes in names, also as half of a letter in Shift-JIS, and puts an underscore in the
  place of a blank at an end.
- **pyftpdlib** and **ftp-srv** hold names as UTF-8 text: names in other encodings cannot be reached there.
- **inetutils** may say its 150 behind the data. A transfer that is broken off before costs the session; the next
  operation gets a new one.
`
