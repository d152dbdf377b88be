/** Groups F and I: what names from a server may do here, and names from here there. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, TableOptions } from '../support/table-server.ts'
import { scene, type Scene, type Stage } from './scene.ts'

/** A server whose folder is listed as these lines, by LIST. */
function listed(
  lines: readonly string[],
  files: Readonly<Record<string, string>> = {},
  rest: TableOptions = {},
) {
  return {
    files: { '/evil/pwn': 'pwned', ...files },
    ...rest,
    replies: { ...inList(() => lines.join('\r\n').concat('\r\n')), ...rest.replies },
  }
}

function inList(text: (argument: string) => string): Record<string, Answer> {
  const asked = new WeakSet<object>()
  return {
    FEAT: '211 no features',
    LIST: async (argument, { send, data, session }) => {
      await send('150 here')
      const wire = await data()
      await wire.write(asked.has(session) && argument === '' ? '' : text(argument))
      asked.add(session)
      await wire.fin()
      await send('226 done')
    },
  }
}

const file = (name: string): string => `-rw-r--r-- 1 u g 5 Jan  1 2020 ${name}`
const folder = (name: string): string => `drwxr-xr-x 1 u g 5 Jan  1 2020 ${name}`

const UNSAFE = [
  '../secret',
  '/etc/passwd',
  'a/../../secret',
  'a\\..\\secret',
  'x\rDELE f',
  'x\u001b[2J',
  'x\u202ey',
]

/** What a mirror of the root did, and what is in the folder then. */
async function mirrored({ client, url, folder: inside }: Stage): Promise<unknown> {
  const { outcomes } = await client({ maxSessions: 1 }).mirror(url('/'), inside, { retries: 0 })
  return [outcomes.map(({ action }) => action).toSorted(), readdirSync(inside).toSorted()]
}

const commands = (verbs: RegExp) => ({ never: verbs })

export const NAMES: readonly Scene[] = [
  ...UNSAFE.map((name) =>
    scene(
      'I01',
      `${JSON.stringify(name)} as a file`,
      listed([file(name), file('good')], { '/good': 'fine!' }),
      mirrored,
      {
        gives: [['skipped', 'transferred'], ['good']],
      },
      commands(/^(?:RETR|CWD|DELE) .*(?:secret|passwd|DELE|\.\.)/),
    ),
  ),
  ...UNSAFE.map((name) =>
    scene(
      'F12',
      `${JSON.stringify(name)} in a folder that is to be removed`,
      listed([folder(name), file('good')], { '/d/good': 'x' }),
      async ({ client, url }) => client().removeTree(url('/d/')),
      'FTP_UNSAFE_NAME',
      commands(/^(?:CWD|RMD|DELE) .*(?:secret|passwd|DELE|\.\.)/),
    ),
  ),
  scene(
    'I02',
    'a link, then a folder of the same name',
    listed(['lrwxrwxrwx 1 u g 5 Jan  1 2020 evil -> /tmp', folder('evil')]),
    mirrored,
    {
      gives: [['skipped', 'skipped'], []],
    },
  ),
  scene(
    'I02',
    'a link that is here already is not gone through',
    listed(
      [folder('evil')],
      {},
      {
        replies: inList((argument) => (argument === '' ? `${folder('evil')}\r\n` : `${file('pwn')}\r\n`)),
      },
    ),
    async (stage) => {
      symlinkSync('..', join(stage.folder, 'evil'))
      return mirrored(stage)
    },
    { gives: [['failed'], ['evil']] },
  ),
  scene(
    'I03',
    'a link in the place of a file is replaced, not followed',
    { files: { '/f': 'from the server' } },
    async ({ session, folder: inside }) => {
      symlinkSync('../secret', join(inside, 'f'))
      await (await session()).downloadTo('f', join(inside, 'f'))
      return [readdirSync(inside), readFileSync(join(inside, 'f'), 'utf8')]
    },
    { gives: [['f'], 'from the server'] },
  ),
  scene(
    'I03',
    'a resumed download does not follow a link',
    { files: { '/f': 'from the server' } },
    async ({ session, folder: inside }) => {
      symlinkSync('../secret', join(inside, 'f'))
      await (await session()).downloadTo('f', join(inside, 'f'), { resume: true })
      return readFileSync(join(inside, 'f'), 'utf8')
    },
    { gives: 'from the server' },
  ),
  scene(
    'I05',
    'names that mean something to a shell',
    {
      files: {
        '/d/|id': '1',
        '/d/-rf': '2',
        '/d/~root': '3',
        '/d/$HOME': '4',
        '/d/`id`': '5',
        '/d/.bashrc': '6',
      },
    },
    async ({ client, url, folder: inside }) => {
      await client().mirror(url('/d/'), inside)
      return readdirSync(inside)
        .map((name) => readFileSync(join(inside, name), 'utf8'))
        .toSorted()
        .join('')
    },
    { gives: '123456' },
    { connections: 4 },
  ),
  scene(
    'I07',
    'a file, then a folder of one name',
    listed([file('x'), folder('x')], { '/x': 'xxxxx' }),
    mirrored,
    { gives: [['skipped', 'transferred'], ['x']] },
  ),
  scene(
    'I07',
    'a folder stands where a file shall be',
    { files: { '/f': 'x' } },
    async ({ session, folder: inside }) => {
      mkdirSync(join(inside, 'f'))
      return (await session()).downloadTo('f', join(inside, 'f'))
    },
    'FTP_LOCAL_FILE',
  ),
  scene(
    'I10',
    'a name that is too long',
    { files: { '/f': 'x' } },
    async ({ session, folder: inside }) => (await session()).downloadTo('f', join(inside, 'n'.repeat(300))),
    'FTP_LOCAL_FILE',
  ),
  scene(
    'I10',
    'a folder that is not there',
    { files: { '/f': 'x' } },
    async ({ session, folder: inside }) => (await session()).downloadTo('f', join(inside, 'no', 'f')),
    'FTP_LOCAL_FILE',
  ),
  ...(['fin', 'rst'] as const).map((end) =>
    scene(
      'I11',
      `a transfer that breaks off (${end}) leaves no file`,
      { files: { '/f': Buffer.alloc(100_000) }, transfer: { bytes: 10, end } },
      async ({ session, folder: inside }) => {
        await (await session()).downloadTo('f', join(inside, 'f')).catch(() => undefined)
        return readdirSync(inside)
      },
      { gives: [] },
    ),
  ),
  scene(
    'I12',
    'modes of the server are not taken on',
    listed(['-rwsrwsrwx 1 u g 5 Jan  1 9999 x'], { '/x': 'xxxxx' }),
    async (stage) => {
      await mirrored(stage)
      return statSync(join(stage.folder, 'x')).mode & 0o7111
    },
    { gives: 0 },
  ),
  scene(
    'I13',
    'links of this side are not followed',
    {},
    async ({ client, url, folder: inside, server }) => {
      symlinkSync('../secret', join(inside, 'link'))
      symlinkSync('.', join(inside, 'loop'))
      writeFileSync(join(inside, 'good'), 'x')
      const { outcomes } = await client({ maxSessions: 1 }).mirror(inside, url('/'))
      return [outcomes.map(({ action }) => action).toSorted(), [...(server.files?.keys() ?? [])]]
    },
    { gives: [['skipped', 'skipped', 'transferred'], ['/good']] },
  ),
  scene(
    'I14',
    'a local name that cannot be sent is reported, and stops no other',
    {},
    async ({ client, url, folder: inside, server }) => {
      mkdirSync(join(inside, 'a\r\nDELE x'))
      writeFileSync(join(inside, 'b\nDELE y'), 'x')
      writeFileSync(join(inside, '-good'), 'x')
      const { outcomes } = await client({ maxSessions: 1 }).mirror(inside, url('/'))
      return [outcomes.map(({ action }) => action).toSorted(), [...(server.files?.keys() ?? [])]]
    },
    { gives: [['failed', 'failed', 'transferred'], ['/-good']] },
    commands(/^DELE/),
  ),
]
