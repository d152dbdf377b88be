/** Paths on the server, where a command takes one path and a URL has segments. */
import { usageError } from './failure.ts'

/**
 * One path for the arguments of several `CWD` and a name, as servers with a slash between folders have it. What
 * begins with a slash starts at the root.
 */
export function joinedPath(directories: readonly string[], name: string): string {
  if (directories.includes('')) {
    throw usageError('an empty part of the path has no name here; write %2F for the root folder')
  }
  return [...directories, name].reduce(
    (path, part) => (part.startsWith('/') || path === '' ? part : inFolder(path, part)),
    '',
  )
}

/** The path of `name` in a folder. */
export function inFolder(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}
