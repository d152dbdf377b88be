/** What the package costs before it does anything: its import and its size. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runClient } from '../harness/child.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const importTime = {
  name: 'import',
  title: 'Time of the first import',
  async run(context) {
    const contestants = new Map([
      ['ftpwire', () => runClient('import', 'ftpwire', {})],
      ['basic-ftp', () => runClient('import', 'basicFtp', {})],
    ])
    const samples = await context.alternate(contestants, 9)
    const measure = { label: 'ms', of: ({ importMs }) => importMs, digits: 1 }
    return context.table(samples, measure, 'basic-ftp', [['ftpwire', 'basic-ftp', 0.5]])
  },
}

export const packedSize = {
  name: 'size',
  title: 'Packed size without source maps',
  run() {
    const ours = packed('.')
    const theirs = packed('./node_modules/basic-ftp')
    const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
    return {
      rows: [
        { who: 'ftpwire', result: kilobytes(ours) },
        { who: 'basic-ftp', result: kilobytes(theirs) },
      ],
      goals: [
        { what: 'ftpwire', wanted: `< ${kilobytes(theirs)}`, got: kilobytes(ours), met: ours < theirs },
      ],
    }
  },
}

/** The files that npm would pack, less the maps, as a compressed archive. */
function packed(folder) {
  const words = ['pack', folder, '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const [{ files }] = JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }))
  const names = files.map(({ path }) => path).filter((path) => !path.endsWith('.map'))
  return execFileSync('tar', ['-cz', '-C', folder, ...names], { cwd: ROOT, maxBuffer: 64e6 }).length
}
