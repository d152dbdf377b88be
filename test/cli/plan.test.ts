import { describe, expect, test } from 'vitest'
import { ftpwire } from './run-command.ts'

const lines = async (...words: string[]): Promise<string[]> =>
  (await ftpwire(['plan', ...words])).stdout.toString().trimEnd().split('\n')

describe('ftpwire plan', () => {
  test('shows the commands of a URL, without its password', async () => {
    expect(await lines('ftp://joe:Zq9%21canary@192.0.2.1/%2Fetc/motd;type=a')).toEqual([
      'USER joe',
      'PASS ***',
      'CWD /etc',
      'TYPE A',
      'PASV',
      'RETR motd',
    ])
  })

  test('heeds the options that say what a URL means', async () => {
    expect(await lines('--empty-segment', 'root', 'ftp://h//etc/motd')).toContain('CWD /')
    expect(await lines('--type', 'a', 'ftp://h/x')).toContain('TYPE A')
    expect(await lines('--infer-type', 'ftp://h/x.txt')).toContain('TYPE A')
    expect(await lines('--allow-port', '25', 'ftp://h:25/x')).toContain('RETR x')
  })

  test('is a list in JSON', async () => {
    const { stdout } = await ftpwire(['plan', '--json', 'ftp://h/x'])
    expect(JSON.parse(stdout.toString())).toEqual(['USER anonymous', 'PASS ***', 'TYPE I', 'PASV', 'RETR x'])
  })

  test('names the option where a port is refused', async () => {
    const { code, stderr } = await ftpwire(['plan', 'ftp://h:25/x'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'ftpwire: Port 25 belongs to another protocol; allow it with --allow-port (ftp://h:25/x) (FTP_PORT_FORBIDDEN)\n',
    )
  })
})
