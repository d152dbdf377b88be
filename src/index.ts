export {
  FtpError,
  FTP_ERROR_CODES,
  type FtpErrorCode,
  type FtpErrorDetails,
  type FtpErrorKind,
  type FtpPhase,
  type ReplySummary,
} from './errors.ts'
export {
  parseFtpUrl,
  type FtpTarget,
  type ParseFtpUrlOptions,
  type Representation,
  type TypeCode,
} from './protocol/url.ts'
export { formatFtpUrl, redactUrl } from './protocol/format-url.ts'
export { commandsOf, planFor, type FetchPlan, type PlanOptions } from './protocol/plan.ts'
export { Reply } from './protocol/reply.ts'
export { ReplyParser } from './protocol/reply-parser.ts'
export { FtpClient, type GetOptions } from './client/client.ts'
export type { Download, Progress } from './client/download.ts'
export type { DownloadResult } from './client/incoming.ts'
export type { FtpOptions, OperationOptions } from './client/options.ts'
export { get, list, plan } from './client/verbs.ts'
