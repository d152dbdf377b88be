/** Whether `'auto'` pipelining serves a server as it is: a fallback would show as another connection. */
import { runClient } from '../harness/child.mjs'
import { startServer } from '../harness/servers.mjs'

export const pipelining = {
  name: 'pipelining',
  title: "'auto' pipelining without a fallback",
  async run(context) {
    const paths = ['c.txt', 'd.txt'].map((name) => context.workspace.text(`p/q/${name}`, name))
    const vsftpd = await context.server('plain')
    const ftpSrv = await startServer({ root: context.workspace.root, kind: 'ftp-srv' })
    const rows = []
    const goals = []
    try {
      for (const server of [vsftpd, context.plainOf(ftpSrv)]) {
        const sample = await runClient('ftpwire', 'connections', { ...server, paths, user: 'anonymous' })
        const count = `${sample.connections} connection${sample.connections === 1 ? '' : 's'}`
        rows.push({ who: `ftpwire, two files from ${server.kind}`, result: count, sample })
        goals.push({ what: server.kind, wanted: '1 connection', got: count, met: sample.connections === 1 })
      }
    } finally {
      await ftpSrv.close()
    }
    return { rows, goals }
  },
}
