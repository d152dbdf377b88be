/** The options of the command line → those of the library. */
import { readFile } from 'node:fs/promises'
import type { FtpOptions, OperationOptions, Reply } from '../index.ts'
import { EXIT } from './exit-code.ts'
import { Failure, usageError } from './failure.ts'
import type { OptionValues } from './option-values.ts'
import type { Terminal } from './terminal.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What every client of this run is made with; who logs in is not among it. */
export async function connectionOptions(values: OptionValues, terminal: Terminal): Promise<FtpOptions> {
  const options: Mutable<FtpOptions> = { ...dialogueOptions(values), ...(await tlsOptions(values, terminal)) }
  if (values.has('active')) options.dataMode = 'active'
  const email = values.text('email')
  if (email !== undefined) options.email = email
  options.timeouts = timeouts(values)
  options.allowPorts = allowedPorts(values)
  if (values.has('verbose')) {
    options.onCommand = (command) => terminal.say(command, { head: '> ', style: 'bold' })
    options.onReply = (reply) => sayReply(reply, terminal)
  }
  return options
}

/** A session whose transfer was broken off is not worth waiting for: the command ends as well. */
const ABORT_MS = 200

function timeouts(values: OptionValues): NonNullable<FtpOptions['timeouts']> {
  const ms = values.milliseconds('timeout')
  return ms === undefined
    ? { abort: ABORT_MS }
    : { abort: ABORT_MS, connect: ms, tls: ms, reply: ms, stall: ms, finalReply: ms }
}

/** Ports that a URL may name although they belong to other protocols. */
export function allowedPorts(values: OptionValues): readonly number[] {
  const ports = values.texts('allow-port').map(Number)
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw usageError('--allow-port takes a number from 1 to 65535')
  }
  return ports
}

/** What every operation is given. */
export function operationOptions(values: OptionValues, signal: AbortSignal): OperationOptions {
  const timeoutMs = values.milliseconds('max-time')
  return { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
}

/** The options that say what a URL means, which is all that a plan needs. */
export function dialogueOptions(values: OptionValues): FtpOptions {
  const options: Mutable<FtpOptions> = {}
  const type = values.text('type')
  if (type !== undefined && values.has('infer-type')) {
    throw usageError('--type and --infer-type exclude each other')
  }
  if (type !== undefined) options.inferType = () => (type === 'a' ? 'A' : 'I')
  if (values.has('infer-type')) options.inferType = true
  const emptySegment = values.text('empty-segment')
  if (emptySegment !== undefined) options.emptySegment = emptySegment as 'null' | 'root' | 'skip'
  const pipelining = values.text('pipelining')
  if (pipelining !== undefined) options.pipelining = pipelining as 'auto' | 'full' | 'off'
  const encoding = values.text('encoding')
  if (encoding !== undefined) options.encoding = checkedEncoding(encoding)
  return options
}

function checkedEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    throw usageError('--encoding takes a label such as latin1, windows-1252 or shift_jis')
  }
}

async function tlsOptions(values: OptionValues, terminal: Terminal): Promise<FtpOptions> {
  const tls = values.text('tls') as 'off' | 'explicit' | 'implicit' | undefined
  const file = values.text('ca')
  const insecure = values.has('insecure')
  if (insecure) {
    terminal.warn('--insecure: certificates are not checked, and whoever is in between can read everything')
  }
  const ca = file === undefined ? undefined : await readAuthorities(file)
  return {
    ...(tls === undefined ? {} : { tls }),
    ...(ca === undefined && !insecure
      ? {}
      : { tlsOptions: { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: !insecure } }),
  }
}

async function readAuthorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(EXIT.local, `cannot read ${file}: ${why}`)
  })
  if (!text.includes('-----BEGIN ')) throw new Failure(EXIT.local, `${file} holds no certificate in PEM`)
  return text
}

/** Line by line as it came, each escaped by itself. */
function sayReply({ code, lines }: Reply, terminal: Terminal): void {
  for (const [index, line] of lines.entries()) {
    const mark = index === lines.length - 1 ? ' ' : '-'
    terminal.say(`${code}${mark}${line}`, { head: '< ', style: 'dim' })
  }
}
