/**
 * The media type of a file by its suffix: FTP itself tells none.
 */

const TYPES: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  avif: 'image/avif',
  bz2: 'application/x-bzip2',
  css: 'text/css',
  csv: 'text/csv',
  flac: 'audio/flac',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/vnd.microsoft.icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml',
  xz: 'application/x-xz',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
  zst: 'application/zstd',
}

/** The media type that the suffix of `name` stands for, or `otherwise`. No charset: nobody has said which. */
export function contentTypeOf(name: string, otherwise = 'application/octet-stream'): string {
  const suffix = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, suffix) ? (TYPES[suffix] ?? otherwise) : otherwise
}
