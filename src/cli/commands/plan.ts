import type { Command } from '../command.ts'
import { allowedPorts, dialogueOptions } from '../connection-options.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import type { Invocation } from '../invocation.ts'
import { visibleJson } from '../visible.ts'

/** `ftpwire plan`: what a URL means, without a connection. */
export const plan: Command = {
  name: 'plan',
  operands: 'URL',
  count: [1, 1],
  summary: 'show the FTP commands that a URL stands for',
  description: [
    'Nothing is sent. The password is shown as ***; PASS goes out only if the server asks for it. What a ' +
      'session adds by itself (TLS, SIZE, EPSV in place of a refused PASV) is not shown.',
  ],
  options: [],
  takes: 'url',
  examples: [
    "ftpwire plan 'ftp://joe@example.com/%2Fetc/motd;type=a'",
    'ftpwire plan --empty-segment root ftp://example.com//etc/motd',
  ],
  run,
}

async function run({ values, operands, output }: Invocation): Promise<ExitCode> {
  const library = await import('../../index.ts')
  const commands = library.plan(operands[0] ?? '', {
    ...dialogueOptions(values),
    allowPorts: allowedPorts(values),
  })
  await output.write(values.has('json') ? `${visibleJson(commands)}\n` : `${commands.join('\n')}\n`)
  return EXIT.ok
}
