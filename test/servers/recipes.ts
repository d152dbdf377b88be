/** How each real server is configured and started. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANONYMOUS_ID, PASSWORD, USER, USER_ID, type ServerHome } from './server-home.ts'

export type ServerKind = 'vsftpd' | 'proftpd' | 'pure-ftpd' | 'pyftpdlib' | 'inetutils'

/**
 * `tls`: offered by `AUTH TLS`; `tls-required`: and demanded, on data connections too; `tls-reuse`: and data
 * connections must resume the session; `implicit`: TLS from the first byte; `tls-as-shipped`: pyftpdlib with its
 * fault, which resets a data connection whose TLS begins before the transfer command.
 */
export type ServerMode = 'plain' | 'tls' | 'tls-required' | 'tls-reuse' | 'implicit' | 'tls-as-shipped'

export interface Recipe {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** Files mounted over others, seen by this server alone. */
  readonly mounts: readonly (readonly [source: string, target: string])[]
  /** A folder that the server shall find empty. */
  readonly emptied?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Serves one connection, which is its standard input and output. */
  readonly perConnection?: true
}

interface Entry {
  readonly program: string
  readonly modes: readonly ServerMode[]
  recipe(home: ServerHome, mode: ServerMode, port: number): Recipe
}

const unpacked = process.env['FTP_SERVERS_DIR'] ?? join(homedir(), '.cache/ftpwire-servers')
const proftpd = join(unpacked, 'proftpd')
const pureFtpd = join(unpacked, 'pure-ftpd')
const python = '/usr/bin/python3'

/** The service `other` is what PAM falls back to; here it looks at the password and at nothing else. */
const PAM = ['auth required pam_unix.so', 'account required pam_permit.so', 'session required pam_permit.so']

/** inetutils notes logins where the machine notes its own. */
const unlogged: [string, string][] = existsSync('/var/log/wtmp') ? [['/dev/null', '/var/log/wtmp']] : []

function accountMounts(home: ServerHome): [string, string][] {
  const { passwd, group, shadow } = home.accounts()
  return [
    [passwd, '/etc/passwd'],
    [group, '/etc/group'],
    [shadow, '/etc/shadow'],
    [home.write('pam', PAM), '/etc/pam.d/other'],
  ]
}

export const ENTRIES: Readonly<Record<ServerKind, Entry>> = {
  vsftpd: {
    program: '/usr/sbin/vsftpd',
    modes: ['plain', 'tls', 'tls-required', 'tls-reuse', 'implicit'],
    recipe: (home, mode, port) => ({
      command: ['/usr/sbin/vsftpd', home.write('vsftpd.conf', vsftpdConfiguration(home, mode, port))],
      mounts: accountMounts(home),
    }),
  },
  proftpd: {
    program: join(proftpd, 'usr/sbin/proftpd'),
    modes: ['plain', 'tls', 'tls-required', 'tls-reuse', 'implicit'],
    recipe: (home, mode, port) => ({
      command: [
        join(proftpd, 'usr/sbin/proftpd'),
        '--nodaemon',
        '--config',
        home.write('proftpd.conf', proftpdConfiguration(home, mode, port)),
      ],
      mounts: [],
      environment: { LD_LIBRARY_PATH: librariesOf(proftpd) },
    }),
  },
  'pure-ftpd': {
    program: join(pureFtpd, 'usr/sbin/pure-ftpd'),
    modes: ['plain', 'tls', 'tls-required'],
    recipe: (home, mode, port) => ({
      command: [join(pureFtpd, 'usr/sbin/pure-ftpd'), ...pureFtpdArguments(home, mode, port)],
      mounts: accountMounts(home),
      // It notes there who is on, under names that two servers would share.
      emptied: '/run',
      environment: { LD_LIBRARY_PATH: librariesOf(pureFtpd) },
    }),
  },
  pyftpdlib: {
    program: python,
    modes: ['plain', 'tls', 'tls-required', 'tls-as-shipped'],
    recipe: (home, mode, port) => ({
      command: [
        python,
        fileURLToPath(new URL('pyftpdlib_server.py', import.meta.url)),
        String(port),
        home.root,
        mode,
        USER,
        PASSWORD,
        home.certificate,
        home.key,
      ],
      mounts: [],
    }),
  },
  inetutils: {
    program: join(unpacked, 'inetutils/usr/sbin/ftpd'),
    modes: ['plain'],
    // Its own stand-alone mode knows port 21 only.
    recipe: (home) => ({
      command: [join(unpacked, 'inetutils/usr/sbin/ftpd'), '--auth=default', '-l'],
      mounts: [...accountMounts(home), ...unlogged],
      environment: { LD_LIBRARY_PATH: librariesOf(join(unpacked, 'inetutils')) },
      perConnection: true,
    }),
  },
}

/** The recipe, with the server's clock where it is to be. */
export function recipeFor(
  kind: ServerKind,
  { home, mode, port }: { readonly home: ServerHome; readonly mode: ServerMode; readonly port: number },
): Recipe {
  const recipe = ENTRIES[kind].recipe(home, mode, port)
  if (home.timeZone === undefined) return recipe
  return { ...recipe, environment: { ...recipe.environment, TZ: home.timeZone } }
}

/** Where `dpkg -x` put the libraries that came with a server: Debian has a folder for each architecture. */
function librariesOf(folder: string): string {
  const libraries = join(folder, 'usr/lib')
  if (!existsSync(libraries)) return ''
  return readdirSync(libraries)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(libraries, name))
    .join(':')
}

function yes(condition: boolean): 'YES' | 'NO' {
  return condition ? 'YES' : 'NO'
}

function vsftpdConfiguration(home: ServerHome, mode: ServerMode, port: number): string[] {
  const must = yes(mode !== 'tls')
  return [
    'listen=YES',
    'background=NO',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    // Its sandbox needs namespaces of its own, and a container may not have them to give.
    'isolate=NO',
    'isolate_network=NO',
    'seccomp_sandbox=NO',
    `secure_chroot_dir=${home.state}`,
    'connect_from_port_20=NO',
    'pam_service_name=other',
    'anonymous_enable=YES',
    `anon_root=${home.root}`,
    'local_enable=YES',
    `local_root=${home.root}`,
    'chroot_local_user=YES',
    'allow_writeable_chroot=YES',
    'write_enable=YES',
    'local_umask=022',
    'utf8_filesystem=YES',
    'ascii_download_enable=YES',
    'ascii_upload_enable=YES',
    'delay_failed_login=0',
    `use_localtime=${yes(home.timeZone !== undefined)}`,
    ...(mode === 'plain'
      ? []
      : [
          'ssl_enable=YES',
          'ssl_tlsv1=YES',
          'ssl_ciphers=HIGH',
          `rsa_cert_file=${home.certificate}`,
          `rsa_private_key_file=${home.key}`,
          'allow_anon_ssl=YES',
          ...['anon_logins', 'anon_data', 'local_logins', 'local_data'].map(
            (what) => `force_${what}_ssl=${must}`,
          ),
          `require_ssl_reuse=${yes(mode === 'tls-reuse')}`,
          `implicit_ssl=${yes(mode === 'implicit')}`,
        ]),
  ]
}

function proftpdConfiguration(home: ServerHome, mode: ServerMode, port: number): string[] {
  const users = home.write('proftpd.users', [
    `${USER}:${home.passwordHash}:${USER_ID}:${USER_ID}::${home.root}:/bin/sh`,
    `ftp:!:${ANONYMOUS_ID}:${ANONYMOUS_ID}::${home.root}:/bin/false`,
  ])
  const groups = home.write('proftpd.groups', [`${USER}:x:${USER_ID}:`, `ftp:x:${ANONYMOUS_ID}:`])
  const options = [
    ...(mode === 'tls-reuse' ? [] : ['NoSessionReuseRequired']),
    ...(mode === 'implicit' ? ['UseImplicitSSL'] : []),
  ]
  return [
    'ServerType standalone',
    'DefaultServer on',
    'DefaultAddress 127.0.0.1',
    'SocketBindTight on',
    `Port ${port}`,
    'UseIPv6 off',
    'UseReverseDNS off',
    'User nobody',
    'Group nogroup',
    `ModulePath ${join(proftpd, 'usr/lib/proftpd')}`,
    ...(mode === 'plain' ? [] : ['LoadModule mod_tls.c']),
    'LoadModule mod_deflate.c',
    'LoadModule mod_digest.c',
    'DeflateEngine on',
    'DigestEngine on',
    `PidFile ${join(home.state, 'pid')}`,
    `ScoreboardFile ${join(home.state, 'scoreboard')}`,
    `SystemLog ${join(home.state, 'log')}`,
    'TransferLog none',
    'WtmpLog off',
    'DelayEngine off',
    'ControlsEngine off',
    `TimesGMT ${home.timeZone === undefined ? 'on' : 'off'}`,
    'AuthPAM off',
    'AuthOrder mod_auth_file.c',
    `AuthUserFile ${users}`,
    `AuthGroupFile ${groups}`,
    'RequireValidShell off',
    'UseFtpUsers off',
    'AllowOverwrite on',
    'AllowStoreRestart on',
    'AllowRetrieveRestart on',
    `DefaultRoot ${home.root}`,
    `<Anonymous ${home.root}>`,
    '  User ftp',
    '  Group ftp',
    '  UserAlias anonymous ftp',
    '  RequireValidShell off',
    '  <Limit WRITE>',
    '    DenyAll',
    '  </Limit>',
    '</Anonymous>',
    ...(mode === 'plain'
      ? []
      : [
          'TLSEngine on',
          'TLSProtocol TLSv1.2 TLSv1.3',
          `TLSECCertificateFile ${home.certificate}`,
          `TLSECCertificateKeyFile ${home.key}`,
          'TLSVerifyClient off',
          `TLSRequired ${mode === 'tls' ? 'off' : 'on'}`,
          ...(options.length > 0 ? [`TLSOptions ${options.join(' ')}`] : []),
        ]),
  ]
}

function pureFtpdArguments(home: ServerHome, mode: ServerMode, port: number): string[] {
  const level = { plain: 0, tls: 1, 'tls-required': 3 }[mode as 'plain' | 'tls' | 'tls-required']
  return [
    `--bind=127.0.0.1,${port}`,
    '--login=unix',
    `--pidfile=${join(home.state, 'pid')}`,
    '--maxclientsnumber=100',
    '--maxclientsperip=100',
    '--minuid=1',
    '--dontresolve',
    '--ipv4only',
    '--chrooteveryone',
    `--tls=${level}`,
    ...(level === 0 ? [] : [`--certfile=${home.pair}`]),
  ]
}
