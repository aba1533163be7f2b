/** Files about a result: how they are named, and what is said when they cannot be written. */
import { relative, resolve } from 'node:path'
import { displayPath } from '../check/source-places.ts'
import type { Io } from './io.ts'

/** A result is not lost because a file about it cannot be written. */
export function unlessUnwritable<T>(write: () => T, what: string, host: { readonly io: Io }): T | undefined {
  try {
    return write()
  } catch (error) {
    return unwritten(error, what, host)
  }
}

/** Undefined, after it was said; what is no failure of the file system is thrown again. */
export function unwritten(error: unknown, what: string, { io }: { readonly io: Io }): undefined {
  const { code, path, syscall } = error as { readonly [field in 'code' | 'path' | 'syscall']?: string }
  // A full disk is noticed when something is written, and that is told without a path.
  if (code === undefined || syscall === undefined) throw error
  const where = path === undefined ? '' : `: ${typed(path, io)}`
  io.stderr.line(` note: the ${what} could not be written (${code}${where})`)
  return undefined
}

/** A path as the user would type it. */
export function typed(path: string, io: Io): string {
  const fromHere = relative(io.cwd, path)
  return fromHere.startsWith('..') ? displayPath(path) : displayPath(resolve(io.cwd, fromHere))
}
