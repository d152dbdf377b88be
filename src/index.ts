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
export {
  commandsOf,
  planFor,
  type EmptySegment,
  type FetchPlan,
  type PasswordSource,
  type PlanAction,
  type PlanOptions,
  type SessionState,
} from './protocol/plan.ts'
export { Reply, type ReplyKind } from './protocol/reply.ts'
export { ReplyParser, type ReplyLimits } from './protocol/reply-parser.ts'
export type { Features } from './protocol/features.ts'
export type { Limits, Timeouts } from './protocol/limits.ts'
export type { Path } from './protocol/scripts/directory.ts'
export type { AllowAddress, ConnectHook, ConnectRequest, Purpose, TlsMode } from './transport/settings.ts'
export { FtpClient, type GetOptions } from './client/client.ts'
export type { Download, Progress } from './client/download.ts'
export type { DownloadResult } from './client/incoming.ts'
export type { FtpOptions, OperationOptions, Prompt } from './client/options.ts'
export { get, list, plan } from './client/verbs.ts'
export { connect, type FtpEndpoint } from './client/connect.ts'
export type { DownloadToOptions, FtpSession } from './client/session.ts'
export type { SessionDownloadOptions } from './client/session-download.ts'
export type { OverwriteMode, ReceiveResult } from './client/receive-file.ts'
export type { Verification } from './client/verify-file.ts'
export type { UploadMode, UploadOptions, UploadResult } from './client/upload.ts'
export type { UploadSource } from './client/upload-source.ts'
export type { Listing } from './client/listing.ts'
export type { ListCommand, SessionListOptions } from './client/session-listing.ts'
export type { WalkEntry, WalkOptions } from './client/walk.ts'
export type { Entry, EntryType, ListingFormat } from './listing/index.ts'
export type { MirrorOptions, MirrorOutcome, MirrorProgress, MirrorResult } from './client/mirror.ts'
export type { ManyOptions, ManyOutcome } from './client/many.ts'
export type { TransferMessage } from './client/observe.ts'
