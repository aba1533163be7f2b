/**
 * Files that users name. Whatever the system says of one is told as a mistake in its name, and is no failure of ours; only regular
 * files are opened, because a pipe or a device may have no end, or keep whoever opens it waiting for ever.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { LinkedFolderError } from './own-folder.ts'

/** What is at a path; what the system refuses to say is told in words. */
export type AtPath =
  | { readonly kind: 'file' | 'folder' | 'nothing' }
  | { readonly kind: 'refused'; readonly why: string }

const brokenLink = { kind: 'refused', why: 'it is a link, and there is nothing where it leads' } as const

export function atPath(path: string): AtPath {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined)
      return lstatSync(path, { throwIfNoEntry: false }) === undefined ? { kind: 'nothing' } : brokenLink
    if (stat.isFile()) return { kind: 'file' }
    return stat.isDirectory() ? { kind: 'folder' } : { kind: 'refused', why: kindOf(stat) }
  } catch (error) {
    return { kind: 'refused', why: whyNot(error) }
  }
}

/** What a file is for, how large one may be, and what to name instead. */
export interface FileKind {
  readonly what: string
  readonly longest: number
  readonly hint: string
}

/** The text of a file; `shown` is its path as the user typed it. */
export function namedText(path: string, kind: FileKind, shown: string): Result<string> {
  const bytes = namedBytes(path, kind, shown)
  if (!bytes.ok) return bytes
  try {
    return success(strict.decode(bytes.value))
  } catch {
    return unreadable(kind, shown, 'it is no text in UTF-8')
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })

export function namedBytes(path: string, kind: FileKind, shown: string): Result<Buffer> {
  try {
    return success(withFile(path, (file, size) => bytesOf(file, size, kind)))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return unreadable(kind, shown, whyNot(error))
  }
}

/** Opens a regular file for `use`; throws `UnreadableError`, or what the file system throws. */
export function withFile<T>(path: string, use: (file: number, size: number) => T): T {
  // Looked at before it is opened, which alone may make a device do something; and after, since it may have been exchanged.
  if (!statSync(path).isFile()) throw new UnreadableError(kindOf(statSync(path)))
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new UnreadableError(kindOf(stat))
    return use(file, stat.size)
  } finally {
    closeSync(file)
  }
}

/** A file may grow while it is read, and some have no size that is known before. */
function bytesOf(file: number, size: number, { longest }: FileKind): Buffer {
  if (size > longest) throw tooLarge(size, longest)
  const pieces: Buffer[] = []
  for (let total = 0; ; ) {
    const piece = Buffer.allocUnsafe(Math.max(size - total, 1 << 14))
    const count = readSync(file, piece)
    if (count === 0) return Buffer.concat(pieces)
    total += count
    if (total > longest) throw tooLarge(total, longest)
    pieces.push(piece.subarray(0, count))
  }
}

export class UnreadableError extends Error {
  readonly why: string

  constructor(why: string) {
    super(why)
    this.why = why
  }
}

/** Whether the file, or what the system says of it, is the reason. */
export function isUnreadable(error: unknown): boolean {
  const { syscall, code } = Object(error) as { readonly syscall?: unknown; readonly code?: unknown }
  return error instanceof UnreadableError || syscall !== undefined || code === 'ERR_INVALID_ARG_VALUE'
}

function tooLarge(size: number, longest: number): UnreadableError {
  const [has, may] = [size, longest].map((bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`)
  return new UnreadableError(`it has ${has}, and at most ${may} are read`)
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'it is a directory'
  if (stat.isFIFO()) return 'it is a pipe, and not a file'
  if (stat.isSocket()) return 'it is a socket, and not a file'
  return 'it is a device, and not a file'
}

function unreadable({ what, hint }: FileKind, shown: string, why: string): Result<never> {
  return failure({ code: 'E101', message: `the ${what} ${shownPath(shown)} cannot be read: ${why}`, hint })
}

/** Of a folder that cannot be read no names are known. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Why the system refuses a file, in words. */
export function whyNot(error: unknown): string {
  if (error instanceof UnreadableError) return error.why
  if (error instanceof LinkedFolderError) return error.why
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  return reasons.get(String(code)) ?? String(code ?? message ?? error)
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of its path is a file, and not a directory'],
  ['EACCES', 'you may not read it'],
  ['EPERM', 'you may not read it'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENXIO', 'it is a socket or a device, and not a file'],
  ['ERR_INVALID_ARG_VALUE', 'its name has letters that no file has'],
])

const longestShown = 300

/** A name that was made by a slip may have any length. */
export function shownPath(path: string): string {
  return path.length <= longestShown ? path : `${path.slice(0, longestShown)}…`
}
