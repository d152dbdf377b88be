/** What a table server answers when a test does not say otherwise: a small FTP server that keeps to the standards. */
import { facts, fromTimeVal, longLine, timeVal, type TableEntry } from './table-files.ts'
import type { TableSession } from './table-session.ts'

/** Returns the reply, or nothing where it was sent already. */
type Command = (
  session: TableSession,
  argument: string,
  verb: string,
) => string | void | Promise<string | void>

/** Verbs that need no login. */
export const WITHOUT_LOGIN: ReadonlySet<string> = new Set([
  'USER',
  'PASS',
  'ACCT',
  'AUTH',
  'PBSZ',
  'PROT',
  'FEAT',
  'SYST',
  'NOOP',
  'OPTS',
  'QUIT',
  'HELP',
])

const list: Command = (session, argument, verb) => {
  const { files } = session
  const path = session.path(argument.replace(/^-\w+ ?/, ''))
  if (!files.exists(path)) return '550 No such file or folder'
  if (verb === 'MLSD' && !files.isFolder(path)) return '501 Not a folder'
  const line: (entry: TableEntry) => string =
    verb === 'MLSD' ? facts : verb === 'LIST' ? longLine : ({ name }) => name
  const entries = files.isFolder(path) ? files.list(path) : [files.entry(path)]
  return session.download(verb, argument, Buffer.from(entries.map((entry) => `${line(entry)}\r\n`).join('')))
}

const store: Command = (session, argument, verb) => {
  if (argument === '' && verb !== 'STOU') return '501 A name is needed'
  const { files, restart, type } = session
  const path = session.path(verb === 'STOU' ? `unique-${files.contents.size + 1}` : argument)
  if (files.isFolder(path)) return '550 Is a folder'
  const before = files.contents.get(path) ?? Buffer.alloc(0)
  const kept = verb === 'APPE' ? before : before.subarray(0, restart)
  return session.upload(verb, argument, (content) => {
    const local =
      type === 'A' ? Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : content
    files.put(path, Buffer.concat([kept, local]))
  })
}

const retrieve: Command = (session, argument, verb) => {
  const content = session.files.contents.get(session.path(argument))
  if (!content) return '550 No such file'
  const wire =
    session.type === 'A'
      ? Buffer.from(content.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1')
      : content
  return session.download(verb, argument, wire.subarray(session.restart))
}

const passive: Command = (session, _argument, verb) => {
  if (verb === 'EPSV') return '229 Entering Extended Passive Mode (|||{{port}}|)'
  return session.setting.host === '::1' ? '425 Use EPSV' : '227 Entering Passive Mode ({{pasv}})'
}

const active: Command = (session, argument, verb) => {
  const [, , host = '', port = 0] =
    verb === 'EPRT'
      ? argument.split('|')
      : argument.split(',').length === 6
        ? ['', '', argument.split(',').slice(0, 4).join('.'), portOf(argument.split(',').slice(4))]
        : []
  if (!(Number(port) >= 1024)) return '501 No such port'
  session.active = { host, port: Number(port) }
  return '200 Will connect there'
}

function portOf(bytes: string[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + Number(byte), 0)
}

const changeFolder: Command = (session, argument, verb) => {
  const path = session.path(verb === 'CDUP' ? '..' : argument)
  if (!session.files.isFolder(path)) return '550 No such folder'
  session.cwd = path
  return '250 Changed'
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  USER: (session, argument) => {
    session.user = argument
    session.loggedIn = false
    return '331 Password please'
  },
  PASS: (session, argument) => {
    const { user, setting } = session
    if (user === undefined) return '503 USER first'
    if (setting.users && setting.users[user] !== argument) return '530 Login incorrect'
    session.loggedIn = true
    return '230 Logged in'
  },
  ACCT: () => '202 Not needed',
  AUTH: async (session, argument) => {
    if (session.setting.tls?.mode !== 'explicit') return '502 No TLS here'
    if (session.secure) return '503 Is secure already'
    if (!/^tls$/i.test(argument)) return '504 TLS only'
    await session.send('234 Go on')
    if (!(await session.startControlTls())) session.control.destroy()
    return undefined
  },
  PBSZ: (session) => (session.secure ? '200 PBSZ=0' : '503 AUTH first'),
  PROT: (session, argument) => {
    if (!session.secure) return '503 AUTH first'
    if (!/^[CP]$/i.test(argument)) return '504 C or P'
    session.protectedData = /^p$/i.test(argument)
    return '200 As you wish'
  },
  FEAT: ({ setting }) =>
    ['211-Extensions', 'UTF8', 'SIZE', 'MDTM', 'MFMT', 'REST STREAM', 'EPSV', 'EPRT', 'TVFS']
      .concat('MLST type*;size*;modify*;', setting.tls ? ['AUTH TLS', 'PBSZ', 'PROT'] : [])
      .join('\r\n ')
      .concat('\r\n211 End'),
  OPTS: (_session, argument) => (/^utf8 on$/i.test(argument) ? '200 UTF-8 it is' : '501 Not known'),
  SYST: () => '215 UNIX Type: L8',
  STAT: () => '211 All is well',
  HELP: () => '214 Read RFC 959',
  NOOP: () => '200 Yes',
  ALLO: () => '202 Not needed',
  STRU: (_session, argument) => (/^f$/i.test(argument) ? '200 File it is' : '504 F only'),
  MODE: (_session, argument) => (/^s$/i.test(argument) ? '200 Stream it is' : '504 S only'),
  TYPE: (session, argument) => {
    if (!/^(A( N)?|I|L 8)$/i.test(argument)) return '504 Not this type'
    session.type = argument.startsWith('A') ? 'A' : 'I'
    return `200 Type ${argument}`
  },
  PWD: (session) => `257 "${session.cwd.replaceAll('"', '""')}" is the folder`,
  CWD: changeFolder,
  CDUP: changeFolder,
  PASV: passive,
  EPSV: passive,
  PORT: active,
  EPRT: active,
  RETR: retrieve,
  STOR: store,
  APPE: store,
  STOU: store,
  LIST: list,
  NLST: list,
  MLSD: list,
  MLST: (session, argument) => {
    const path = session.path(argument)
    if (!session.files.exists(path)) return '550 No such file or folder'
    return `250-Here\r\n ${facts({ ...session.files.entry(path), name: path })}\r\n250 End`
  },
  SIZE: (session, argument) => {
    if (session.type === 'A') return '550 Not in ASCII mode'
    const content = session.files.contents.get(session.path(argument))
    return content ? `213 ${content.length}` : '550 No such file'
  },
  MDTM: (session, argument) => {
    const path = session.path(argument)
    return session.files.contents.has(path)
      ? `213 ${timeVal(session.files.entry(path).modified)}`
      : '550 No such file'
  },
  MFMT: (session, argument) => {
    const [, time = '', name = ''] = /^(\d+) (.*)$/.exec(argument) ?? []
    const date = fromTimeVal(time)
    if (!date || !session.files.exists(session.path(name))) return '550 Not possible'
    session.files.touch(session.path(name), date)
    return `213 Modify=${time}; ${name}`
  },
  REST: (session, argument) => {
    if (!/^\d+$/.test(argument)) return '501 A number is needed'
    session.restart = Number(argument)
    return '350 From there'
  },
  DELE: (session, argument) =>
    session.files.remove(session.path(argument)) ? '250 Gone' : '550 No such file',
  MKD: (session, argument) => {
    const path = session.path(argument)
    if (session.files.exists(path)) return '550 Exists'
    session.files.makeFolder(path)
    return `257 "${path.replaceAll('"', '""')}" made`
  },
  RMD: (session, argument) =>
    session.files.removeFolder(session.path(argument)) ? '250 Gone' : '550 Not possible',
  RNFR: (session, argument) => {
    const path = session.path(argument)
    if (!session.files.exists(path)) return '550 No such file or folder'
    session.renaming = path
    return '350 And its new name?'
  },
  RNTO: (session, argument) => {
    if (session.renaming === undefined) return '503 RNFR first'
    session.files.rename(session.renaming, session.path(argument))
    session.renaming = undefined
    return '250 Renamed'
  },
  ABOR: () => '226 Nothing is under way',
  QUIT: async (session) => {
    await session.send('221 Bye')
    await session.control.fin()
    return undefined
  },
}
