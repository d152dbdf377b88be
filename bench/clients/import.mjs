/** The time of an import, in a process that has imported nothing else. */
export const ftpwire = () => timed(() => import('ftpwire'))
export const basicFtp = () => timed(() => import('basic-ftp'))

async function timed(load) {
  const before = performance.now()
  await load()
  return { importMs: performance.now() - before }
}
