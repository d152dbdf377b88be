/**
 * The commands of a session: one method each, one exchange each.
 */
import { FtpError } from '../errors.ts'
import { encodeCommand, type Command } from '../protocol/commands.ts'
import { parseFeatures, type Features } from '../protocol/features.ts'
import { quotedCommand } from '../protocol/quoted-command.ts'
import type { Reply } from '../protocol/reply.ts'
import { query, send, type Script } from '../protocol/script.ts'
import * as directory from '../protocol/scripts/directory.ts'
import type { Path } from '../protocol/scripts/directory.ts'
import { notSupported } from '../protocol/scripts/refusals.ts'
import { sizeOfReply } from '../protocol/scripts/retrieve.ts'
import * as file from '../protocol/scripts/file.ts'
import type { Entry } from '../listing/index.ts'
import type { OperationOptions } from './options.ts'
import type { SessionLink } from './session-link.ts'
import { statOver } from './session-stat.ts'

/** What {@link FtpSession} inherits: everything that needs no data connection. */
export class SessionCommands {
  // Private: whoever inspects a session shall not see the password in its settings.
  readonly #link: SessionLink
  #features: Features | undefined

  /** @internal */
  constructor(link: SessionLink) {
    this.#link = link
  }

  /** @internal */
  get link(): SessionLink {
    return this.#link
  }

  /** The working directory (`PWD`, RFC 959). Errors: `FTP_BAD_REPLY`, `FTP_REFUSED`. */
  pwd(options?: OperationOptions): Promise<string> {
    return this.run(() => directory.printDirectory(), options)
  }

  /** Changes the working directory (`CWD`). Errors: `FTP_NOT_FOUND`. */
  async cwd(path: Path, options?: OperationOptions): Promise<void> {
    await this.#change(() => directory.changeDirectory(path), options)
  }

  /** Goes to the parent directory (`CDUP`). */
  async cdup(options?: OperationOptions): Promise<void> {
    await this.#change(() => directory.changeToParent(), options)
  }

  /** Makes a directory (`MKD`); gives its name as the server tells it. With `recursive`, its parents too, and it may be there already. */
  async mkdir(
    path: Path,
    options: OperationOptions & { readonly recursive?: boolean } = {},
  ): Promise<string | undefined> {
    if (options.recursive !== true) return this.run(() => directory.makeDirectory(path), options)
    // As a whole, before the first of its parents is made.
    this.checkPath('MKD', path)
    return this.run(() => this.#makeDirectories(path), options)
  }

  /** Removes an empty directory (`RMD`). */
  rmdir(path: Path, options?: OperationOptions): Promise<void> {
    return this.run(() => directory.removeDirectory(path), options)
  }

  /** Removes a file (`DELE`). */
  delete(path: Path, options?: OperationOptions): Promise<void> {
    return this.run(() => file.deleteFile(path), options)
  }

  /** Renames or moves (`RNFR`, `RNTO`). */
  rename(from: Path, to: Path, options?: OperationOptions): Promise<void> {
    this.check({ verb: 'RNFR', argument: from }, { verb: 'RNTO', argument: to })
    return this.run(() => file.rename(from, to), options)
  }

  /** The size of a file in bytes (`SIZE` in `TYPE I`, RFC 3659 §4); undefined where the server gives no number. */
  async size(path: Path, options?: OperationOptions): Promise<number | undefined> {
    this.checkPath('SIZE', path)
    return this.link.turn(async (link, signal) => {
      await link.prepare(link.typeSteps({ type: 'I' }), signal)
      link.noteType({ type: 'I' })
      return link.command(file.fileSize(path), signal)
    }, options)
  }

  /** The time of the last change (`MDTM`, RFC 3659 §3), UTC. */
  modified(path: Path, options?: OperationOptions): Promise<Date | undefined> {
    return this.run(() => file.modificationTime(path), options)
  }

  /** Sets the time of the last change: `MFMT`, else `MDTM` or `SITE UTIME` where the server takes them. */
  async setModified(path: Path, date: Date, options?: OperationOptions): Promise<void> {
    if (Number.isNaN(date.getTime()))
      throw new FtpError('FTP_INVALID_ARGUMENT', 'The date is not a valid one.', { phase: 'arguments' })
    const features = await this.features(options)
    return this.run(() => file.setModificationTime(path, date, features), options)
  }

  /** Sets permission bits (`SITE CHMOD`), for example `0o644`. */
  chmod(path: Path, mode: number, options?: OperationOptions): Promise<void> {
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777)
      throw new FtpError('FTP_INVALID_ARGUMENT', 'A mode is a number from 0 to 0o7777.', {
        phase: 'arguments',
      })
    return this.run(() => file.changeMode(path, mode), options)
  }

  /** True where the path names a file or a directory. */
  exists(path: Path, options?: OperationOptions): Promise<boolean> {
    return this.stat(path, options).then(
      () => true,
      (error: unknown) => {
        if (error instanceof FtpError && error.code === 'FTP_NOT_FOUND') return false
        throw error
      },
    )
  }

  /** What the server can do beyond RFC 959 (`FEAT`, RFC 2389): upper-case names with their parameters. */
  async features(options?: OperationOptions): Promise<Features> {
    this.#features ??= this.link.features ?? parseFeatures(await this.run(() => query('FEAT'), options))
    return this.#features
  }

  /** Bytes that are free at a path, or in the working directory (`AVBL`). Errors: `FTP_NOT_SUPPORTED`. */
  async available(path?: Path, options?: OperationOptions): Promise<number | undefined> {
    return sizeOfReply(await this.run(() => send('AVBL', path, notSupported), options))
  }

  /** What the server runs on (`SYST`). */
  async system(options?: OperationOptions): Promise<string> {
    return (await this.run(() => send('SYST'), options)).text
  }

  /** What the server says of itself or of a command (`HELP`). */
  async help(command?: string, options?: OperationOptions): Promise<string> {
    return (await this.run(() => send('HELP', command), options)).text
  }

  /** Does nothing, and shows that the server is there (`NOOP`). */
  async noop(options?: OperationOptions): Promise<void> {
    await this.run(() => send('NOOP'), options)
  }

  /** A command of this server's own (`SITE`). */
  site(command: string, options?: OperationOptions): Promise<Reply> {
    return this.run(() => send('SITE', command), options)
  }

  /**
   * Sends one command as it is and gives the reply, also a refusal. Commands that move data, that log in or
   * out, or that prepare another command are refused: the session would lose step.
   */
  quote(command: string, options?: OperationOptions): Promise<Reply> {
    const { verb, argument } = quotedCommand(command)
    return this.run(() => query(verb, argument), options)
  }

  /** What a path is: by `MLST` (RFC 3659 §7), else by what `CWD`, `SIZE` and `MDTM` tell. Errors: `FTP_NOT_FOUND`. */
  async stat(path: Path, options?: OperationOptions): Promise<Entry> {
    this.checkPath('MLST', path)
    return this.link.turn((link, signal) => statOver(link, path, signal), options)
  }

  /** @internal */
  run<T>(script: () => Script<T>, options?: OperationOptions): Promise<T> {
    return this.link.turn((link, signal) => link.command(script(), signal), options)
  }

  async #change(script: () => Script<string | undefined>, options?: OperationOptions): Promise<void> {
    await this.link.turn(async (link, signal) => {
      link.forgetDirectory()
      this.link.directory = await link.command(script(), signal)
    }, options)
  }

  *#makeDirectories(path: Path): Script<string | undefined> {
    const text = typeof path === 'string' ? path : Buffer.from(path).toString('latin1')
    const back = yield* directory.printDirectory()
    const parts = text.split('/')
    for (let at = 1; at <= parts.length; at++) {
      const parent = parts.slice(0, at).join('/')
      if (parent === '' || parts[at - 1] === '' || parts[at - 1] === '.') continue
      yield* directory.ensureDirectory(
        typeof path === 'string' ? parent : Buffer.from(parent, 'latin1'),
        back,
      )
    }
    return undefined
  }

  /** @internal As {@link check}; a path must be there, too. */
  checkPath(verb: string, path: Path): void {
    if (typeof path !== 'string' && !(path instanceof Uint8Array))
      throw new FtpError('FTP_INVALID_ARGUMENT', `The path for ${verb} is neither text nor bytes.`, {
        phase: 'arguments',
      })
    this.check({ verb, argument: path })
  }

  /** @internal Whatever cannot be sent is refused before the call does anything. */
  check(...commands: readonly Command[]): void {
    const { encoding, limits } = this.link.settings
    for (const command of commands) encodeCommand(command, { encoding, commandBytes: limits.commandBytes })
  }
}
