/** Files about a result: how they are named, and what is said when they cannot be written. */
import { relative, resolve } from 'node:path'
import { displayPath } from '../check/source-places.ts'
import { unwrittenNote, whyUnwritten } from '../check/unwritten.ts'
import type { Io } from './io.ts'

/** A result is not lost because a file about it cannot be written. */
export function unlessUnwritable<T>(write: () => T, what: string, host: { readonly io: Io }): T | undefined {
  try {
    return write()
  } catch (error) {
    return unwritten(error, what, host)
  }
}

/** Undefined, after it was said. */
export function unwritten(error: unknown, what: string, { io }: { readonly io: Io }): undefined {
  const why = whyUnwritten(error, (path) => typed(path, io))
  io.stderr.line(unwrittenNote(what, why))
  return undefined
}

/** A path as the user would type it. */
export function typed(path: string, io: Io): string {
  const fromHere = relative(io.cwd, path)
  return fromHere.startsWith('..') ? displayPath(path) : displayPath(resolve(io.cwd, fromHere))
}
