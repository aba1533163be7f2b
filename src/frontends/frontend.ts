/** The contract of front ends: from a file to the programs in it. A language is a front end and one line in `check/load.ts`. */
import type { Diagnostic, Place, Result } from '../core/diagnostic.ts'
import type { ClassOrigin } from '../core/trace.ts'
import type { Program } from '../program/program.ts'

export interface LoadedProgram {
  /** What the file calls it, which need not be its name. */
  readonly exportName: string
  readonly program: Program
  /** Where the program was declared. */
  readonly place: Place | undefined
  /** Of a class: what leads to it in the file. */
  readonly origin?: ClassOrigin | undefined
}

export interface LoadedFile {
  /** As users see it: relative to the working directory. */
  readonly file: string
  /** In the order they are declared. */
  readonly programs: readonly LoadedProgram[]
  /** What looks like a slip in the file and keeps nothing from being checked. */
  readonly warnings?: readonly Diagnostic[] | undefined
  /** What keeps further programs of the file from being loaded. */
  readonly diagnostics?: readonly Diagnostic[] | undefined
  /** Changes with every change of the user's own files. */
  readonly digest: string
  /** Digest of each of them. */
  readonly sources: Readonly<Record<string, string>>
}

/** Why code must not be run, if so. */
export type Admission = (code: Pick<LoadedFile, 'digest' | 'sources'>) => Diagnostic | undefined

/** How files are read. */
export interface Reading {
  readonly admits?: Admission | undefined
  /** P as it was before some of its words became keywords. */
  readonly legacy?: boolean | undefined
  /** The code that was loaded from here last is run again, if it is known still: sources may have changed since. */
  readonly again?: boolean | undefined
}

export interface FrontEnd {
  /** What its files hold, in the reader's words: 'a TypeScript or JavaScript module'. */
  readonly reads: string
  /** Extensions of the files it reads, with their dots. No two front ends have one in common. */
  readonly extensions: readonly string[]
  /** How files that hold programs are named: those are found when no file is. */
  readonly checkFiles: RegExp
  /** What such names look like, for people. */
  readonly shownNames: readonly string[]
  /** Whether files of these names in one folder are one program, so that the folder can be named instead of a file. */
  readsFolder?(names: readonly string[]): boolean
  /**
   * Loads afresh at every call. The path is absolute and names a file, or a folder that is read as one; `shown` is how users see it. Nothing of it is run before
   * `admits` has looked at what would be.
   */
  load(path: string, shown: string, reading: Reading): Promise<Result<LoadedFile>>
}
