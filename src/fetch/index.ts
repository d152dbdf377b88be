export { ftpFetch } from './ftp-fetch.ts'
export type { FtpFetchInit } from './read-request.ts'
export type { DirectoryEntry } from './json-array.ts'
export { getUri, GetUriError, type GetUriOptions, type UriReadable } from './get-uri.ts'
