/** Places in a class under check: where accesses stand, and the functions and loops around them. Lines count from 1. */

export interface LineRange {
  readonly first: number
  readonly last: number
}

/** A method or function of the user's source. */
export interface CodeFunction {
  readonly file: string
  /** As in 'Stack.pop', 'helper', or 'Stack.pop > (arrow)'. */
  readonly name: string
  readonly lines: LineRange
  /** The bodies of its loops, outer ones first. */
  readonly loops: readonly LineRange[]
}

/** One place where an access stands in the source. */
export interface CodeSite {
  readonly function: CodeFunction
  readonly line: number
  readonly column: number
}

/** Lines of a function that must run without interruption. */
export interface AtomicSection {
  readonly file: string
  readonly function: string
  readonly lines: LineRange
}
