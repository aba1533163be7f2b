/**
 * Values of all executions at once: what a variable holds, as a function of the choices that were made. A scalar is one diagram whose leaves are numbers of
 * values; what has parts has a summary for each, so that parts which have nothing to do with each other never meet in one diagram.
 *
 * PSym (§4.3, its Figure 4) keeps a set of guarded values instead of a diagram with leaves: the set can be read off the leaves, and an operation on two
 * summaries is one walk over two diagrams rather than one for each pair of values.
 *
 * A summary says nothing where its variable does not exist: elements beyond the size of a list, alternatives that the tag does not name, and everything
 * outside of the live executions. Whoever compares or counts asks only where it says something.
 */
import type { Diagram } from '../../../bdd/diagrams.ts'

export type Summary = Part | UnionSummary

/** What is no union. */
export type Part = Scalar | TupleSummary | SeqSummary | SetSummary | MapSummary

/** Numbers, texts, events, machines, null: whatever has no parts. Leaves are packed values, or `nowhere`. */
interface Scalar {
  readonly kind: 'scalar'
  readonly of: Diagram
}

export interface TupleSummary {
  readonly kind: 'tuple'
  /** As packed values have it. */
  readonly names: number
  readonly items: readonly Summary[]
}

export interface SeqSummary {
  readonly kind: 'seq'
  /** Leaves are counts. */
  readonly size: Diagram
  /** One says something where the size is beyond its index. */
  readonly items: readonly Summary[]
}

export interface SetSummary {
  readonly kind: 'set'
  /** Packed values in their order, each once, and the guards under which the set has them. */
  readonly elements: readonly number[]
  readonly present: readonly Diagram[]
}

export interface MapSummary {
  readonly kind: 'map'
  /** Packed values in their order, each once. */
  readonly keys: readonly number[]
  readonly present: readonly Diagram[]
  /** One says something where its key is present. */
  readonly values: readonly Summary[]
}

/** Of a variable that holds values of different shapes: payloads of different events, `any`. */
export interface UnionSummary {
  readonly kind: 'union'
  /** Leaves are shapes. */
  readonly tag: Diagram
  /** Each says something where the tag is its shape; at least two. */
  readonly alternatives: ReadonlyMap<number, Part>
}

/** The leaf where a summary says nothing. No packed value has this number. */
export const nowhere = 0
