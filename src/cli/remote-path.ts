/** Paths on the server, as those with a slash between folders have them. */

/** The path of `name` in a folder. */
export function inFolder(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}
