// What an import of the package makes Node or a bundler load, minified: the entry and everything it imports at
// once. What is loaded at its first use (sessions, mirrors) counts in the second figure only.
import { build } from 'esbuild'

const LIMITS = { atOnce: 100_000, inAll: 185_000 }

const { metafile } = await build({
  entryPoints: ['dist/index.js'],
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  write: false,
  metafile: true,
  outdir: 'size',
})
const entry = Object.keys(metafile.outputs).find((name) => name === 'size/index.js')
const atOnce = new Set()
const follow = (name) => {
  if (name === undefined || atOnce.has(name)) return
  atOnce.add(name)
  for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
    if (kind === 'import-statement' && path in metafile.outputs) follow(path)
}
follow(entry)
const sum = (names) => names.reduce((bytes, name) => bytes + metafile.outputs[name].bytes, 0)
const figures = { atOnce: sum([...atOnce]), inAll: sum(Object.keys(metafile.outputs)) }
for (const [name, bytes] of Object.entries(figures))
  console.log(`${name}: ${bytes} bytes, at most ${LIMITS[name]}`)
if (figures.atOnce > LIMITS.atOnce || figures.inAll > LIMITS.inAll) {
  console.error('The package has grown beyond its limits: see .ci/check-size.mjs.')
  process.exit(1)
}
