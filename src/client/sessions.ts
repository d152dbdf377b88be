/** What a session consists of, to be loaded when the first one is opened. */
export { FtpSession } from './session.ts'
export { SessionLink } from './session-link.ts'
