/**
 * Reduced ordered decision diagrams with numbers as leaves. A guard is a diagram whose leaves are 0 and 1; a value summary is one whose leaves are
 * numbers of values. Equal functions are equal numbers as long as they are live.
 *
 * Nothing is collected unless `collect` or `sift` is called, with everything that is still needed as roots.
 */
import { Choice } from './choice.ts'
import { type Assignment, type Diagram, mustHold } from './diagram.ts'
import { DiagramStore, type DiagramsOptions } from './diagram-store.ts'
import { type Changed, type Difference, Differences } from './differences.ts'
import { Emptiness } from './emptiness.ts'
import { type LeafFunction, type LiftedOperation, operations, Pairwise } from './pairwise.ts'
import { Quantification } from './quantification.ts'
import { countOf, leavesOf, leavesWithin, modelOf, valueUnder, type Ways, waysOf } from './readings.ts'
import { Restriction } from './restriction.ts'
import { Sifting } from './sifting.ts'
import { Walk } from './walk.ts'

export type { Diagram } from './diagram.ts'
export type { DiagramsOptions } from './diagram-store.ts'
export type { Changed, Difference } from './differences.ts'
export type { LeafFunction, LiftedOperation } from './pairwise.ts'

export interface OperationOptions {
  readonly commutative?: boolean
  readonly absorbs?: number
  readonly alike?: number
  readonly keeps?: number
}

export class Diagrams {
  readonly never: Diagram = 0
  readonly always: Diagram = 1
  readonly #store: DiagramStore
  readonly #walk: Walk
  readonly #pairwise: Pairwise
  readonly #choice: Choice
  readonly #emptiness: Emptiness
  readonly #restriction: Restriction
  readonly #quantification: Quantification

  constructor(options: DiagramsOptions = {}) {
    this.#store = new DiagramStore(options)
    this.#walk = new Walk(this.#store.table)
    this.#pairwise = new Pairwise(this.#store)
    this.#choice = new Choice(this.#store, this.#pairwise)
    this.#emptiness = new Emptiness(this.#store)
    this.#restriction = new Restriction(this.#store, this.#pairwise)
    this.#quantification = new Quantification(this.#store, this.#pairwise)
  }

  /** A new variable: its number counts up from 0. */
  variable(): number {
    return this.#store.order.add()
  }

  get variables(): number {
    return this.#store.order.size
  }

  /** The guard that holds where the variable has this value. */
  literal(variable: number, value = true): Diagram {
    const level = this.#store.order.levelOf(variable)
    return value ? this.#store.table.node(level, 0, 1) : this.#store.table.node(level, 1, 0)
  }

  /** The diagram that has this value, a 32-bit integer, everywhere. */
  leaf(value: number): Diagram {
    mustHold((value | 0) === value, `the value of a leaf is a 32-bit integer, not ${value}`)
    return this.#store.table.leaf(value)
  }

  isLeaf(diagram: Diagram): boolean {
    return this.#store.isLeaf(diagram)
  }

  /** Of a leaf. */
  valueOf(leaf: Diagram): number {
    mustHold(this.isLeaf(leaf), 'only a leaf has a value')
    return this.#store.valueOf(leaf)
  }

  and(a: Diagram, b: Diagram): Diagram {
    return this.#pairwise.run(operations.and, a, b)
  }

  or(a: Diagram, b: Diagram): Diagram {
    return this.#pairwise.run(operations.or, a, b)
  }

  not(a: Diagram): Diagram {
    return this.#pairwise.run(operations.minus, 1, a)
  }

  /** `a` and not `b`. */
  minus(a: Diagram, b: Diagram): Diagram {
    return this.#pairwise.run(operations.minus, a, b)
  }

  /** `a` where the guard holds, else `b`; both with any leaves. */
  ite(guard: Diagram, a: Diagram, b: Diagram): Diagram {
    return this.#choice.run(guard, a, b)
  }

  /** Whether the guards never hold together. Builds nothing. */
  disjoint(a: Diagram, b: Diagram): boolean {
    return this.#emptiness.run(operations.disjoint, a, b)
  }

  /** Whether guard `a` holds wherever guard `b` does. Builds nothing. */
  covers(a: Diagram, b: Diagram): boolean {
    return this.#emptiness.run(operations.covers, a, b)
  }

  /**
   * An operation on values for `apply`, which remembers its results: it must be a function of its arguments. `absorbs` is a value that makes the
   * result itself on either side, as 0 does for a product; `alike` the result of any value with itself; `keeps` a value on the right side that leaves
   * the left one as it is. Those are seen at once, however large the other side is.
   */
  operation(
    compute: (left: number, right: number) => number,
    { commutative = false, absorbs, alike, keeps }: OperationOptions = {},
  ): LiftedOperation {
    const leafOf = (value: number | undefined): Diagram => (value === undefined ? -1 : this.leaf(value))
    const shortcuts = { absorbs: leafOf(absorbs), alike: leafOf(alike), keeps: leafOf(keeps) }
    return this.#pairwise.operation(compute, { isCommutative: commutative, ...shortcuts })
  }

  /** The operation on the leaves of both. */
  apply(operation: LiftedOperation, a: Diagram, b: Diagram): Diagram {
    return this.#pairwise.run(operation.code, a, b)
  }

  /** A function on values for `map`, which remembers its results. */
  function(compute: (value: number) => number): LeafFunction {
    return this.#pairwise.function(compute)
  }

  /** The function on the leaves. */
  map(fn: LeafFunction, a: Diagram): Diagram {
    return this.#pairwise.run(fn.code, a, 0)
  }

  /** A diagram that equals this one where the guard `care` holds, and is usually smaller; `care` holds somewhere. */
  within(diagram: Diagram, care: Diagram): Diagram {
    return this.#restriction.run(operations.within, diagram, care)
  }

  /** The same, but diagrams that are equal where `care` holds have equal results (the generalised cofactor). */
  constrain(diagram: Diagram, care: Diagram): Diagram {
    return this.#restriction.run(operations.constrain, diagram, care)
  }

  /** Holds where the guard does for some values of the variables. */
  some(guard: Diagram, variables: readonly number[]): Diagram {
    return this.#quantification.run(operations.some, guard, this.#cube(variables))
  }

  /** Holds where the guard does for all values of the variables. */
  every(guard: Diagram, variables: readonly number[]): Diagram {
    return this.#quantification.run(operations.every, guard, this.#cube(variables))
  }

  /** The diagram with the guard in place of the variable. */
  composed(diagram: Diagram, variable: number, guard: Diagram): Diagram {
    const high = this.constrain(diagram, this.literal(variable))
    const low = this.constrain(diagram, this.literal(variable, false))
    return this.ite(guard, high, low)
  }

  /** Where the leaf is `value`. */
  guardOf(diagram: Diagram, value: number): Diagram {
    return this.#pairwise.run(operations.guardOf, diagram, this.leaf(value))
  }

  /** The values of all leaves, ascending. */
  leaves(diagram: Diagram): readonly number[] {
    return leavesOf(this.#store, this.#walk, diagram)
  }

  /** The values of the leaves that are met where the guard `care` holds, ascending. Builds nothing. */
  leavesWithin(diagram: Diagram, care: Diagram): readonly number[] {
    if (this.isLeaf(diagram)) return care === this.never ? [] : [this.valueOf(diagram)]
    return leavesWithin(this.#store, diagram, care)
  }

  /**
   * Tells what is different where the guard holds, and whose change it is, a value of `of`; each difference at least once, and with breaths. Where diagrams
   * are what they were, nobody is told. Builds nothing.
   */
  differences(
    { guard, of, changed }: { readonly guard: Diagram; readonly of: Diagram; readonly changed: readonly Changed[] },
    visit: (difference: Difference) => void,
  ): Generator<undefined, void> {
    return new Differences(this.#store, visit).all(guard, of, changed)
  }

  /** Which of two variables is nearer to the root: that of the smaller level. */
  levelOf(variable: number): number {
    return this.#store.order.levelOf(variable)
  }

  /** How many assignments of so many variables satisfy the guard; it must not depend on more. */
  count(guard: Diagram, variables = this.variables): bigint {
    const count = countOf(this.#store, this.#walk, guard)
    const more = variables - this.variables
    const scaled = more < 0 ? count >> BigInt(-more) : count << BigInt(more)
    mustHold(more >= 0 || scaled << BigInt(-more) === count, `the guard depends on at most ${variables} variables`)
    return scaled
  }

  /** One assignment that satisfies the guard, of the variables that matter to it. */
  model(guard: Diagram): ReadonlyMap<number, boolean> | undefined {
    return modelOf(this.#store, guard)
  }

  /** Ways down the diagram of a guard to where it holds: some of them, and how many there are. */
  ways(guard: Diagram, most: number): Ways {
    return waysOf(this.#store, this.#walk, guard, most)
  }

  /** The leaf under an assignment; variables that it does not name are false. */
  valueUnder(diagram: Diagram, assignment: Assignment): number {
    return valueUnder(this.#store, diagram, assignment)
  }

  /**
   * The diagram that has leaf `values[i]` where the variables, the first as the most significant bit, spell i, and `otherwise` for codes beyond; without
   * that, what the last code has. Fastest with the variables in order from the root.
   */
  fromTable(
    variables: readonly number[],
    values: ArrayLike<number>,
    otherwise = values[values.length - 1] ?? 0,
  ): Diagram {
    const { table, order } = this.#store
    const levels = variables.map((variable) => order.levelOf(variable))
    mustHold(values.length <= 2 ** variables.length, `${variables.length} variables have a code for each value`)
    const isOrdered = levels.every((level, at) => at === 0 || levels[at - 1]! < level)
    const beyond = this.leaf(otherwise)
    let row = new Int32Array(values.length)
    for (let at = 0; at < row.length; at++) row[at] = this.leaf(values[at]!)
    // Codes that differ in the last variable only are neighbours: one level is built after the other, from below.
    for (let at = variables.length - 1; at >= 0; at--) {
      const pairs = (row.length + 1) >> 1
      for (let pair = 0; pair < pairs; pair++) {
        const low = row[pair * 2]!
        const high = pair * 2 + 1 < row.length ? row[pair * 2 + 1]! : beyond
        if (low === high) row[pair] = low
        else if (isOrdered) row[pair] = table.node(levels[at]!, low, high)
        else row[pair] = this.ite(this.literal(variables[at]!), high, low)
      }
      row = row.subarray(0, pairs)
    }
    return row[0] ?? beyond
  }

  /** How many nodes the diagrams have together, leaves included. */
  nodesOf(roots: Iterable<Diagram>): number {
    return this.#walk.below(roots).length
  }

  /** From now on, whoever spends more effort than this is ended by `DiagramsPaused`; without a number nobody is. */
  pauseAfter(effort = Number.POSITIVE_INFINITY): void {
    this.#store.effort.most = this.#store.effort.spent + effort
  }

  /** Effort since the beginning. */
  get spent(): number {
    return this.#store.effort.spent
  }

  /** Results of as much effort as this are found again, as far as there is room for them. */
  remember(effort: number): void {
    this.#store.remember(effort)
  }

  /** Frees all nodes that no root reaches. Numbers of the others stay. */
  collect(roots: Iterable<Diagram>): void {
    const { stamps, stamp } = this.#walk.mark([...roots, ...this.#pairwise.leaves])
    const isKept = (diagram: Diagram) => stamps[diagram] === stamp
    this.#store.pairs.clean(isKept, false)
    this.#store.choices.clean(isKept, true)
    this.#store.table.sweep(stamps, stamp)
  }

  /** Collects, and looks for an order of the variables in which the roots have fewer nodes. Numbers keep their functions. */
  sift(roots: Iterable<Diagram>): void {
    for (const _ of this.sifting(roots));
  }

  /** The same with breaths; in between nothing may be asked of diagrams, and whoever has enough may leave it there. */
  *sifting(roots: Iterable<Diagram>): Generator<undefined, void> {
    const kept = [...roots]
    this.collect(kept)
    // Results are known by numbers that may now be given to other nodes.
    this.#store.pairs.clear()
    this.#store.choices.clear()
    yield* new Sifting(this.#store, kept).run()
  }

  /** Nodes that are there, garbage that was not collected included. */
  get size(): number {
    return this.#store.table.size
  }

  /** The most nodes that ever were there. */
  get peak(): number {
    return this.#store.table.peak
  }

  /** Nodes that were ever made. */
  get created(): number {
    return this.#store.table.created
  }

  /** Bytes that are held, empty room included. */
  get bytes(): number {
    return this.#store.bytes + this.#walk.bytes + this.#pairwise.bytes
  }

  /** The share of questions to each cache that it could answer. */
  get hitRates(): { readonly pairs: number; readonly choices: number } {
    const { pairs, choices } = this.#store
    const rate = (hits: number, lookups: number) => (lookups === 0 ? 0 : hits / lookups)
    return { pairs: rate(pairs.hits, pairs.lookups), choices: rate(choices.hits, choices.lookups) }
  }

  /** Where all variables are true. Built from below, a node each. */
  #cube(variables: readonly number[]): Diagram {
    const levels = [...new Set(variables.map((variable) => this.#store.order.levelOf(variable)))]
    return levels
      .sort((one, other) => other - one)
      .reduce<Diagram>((below, level) => this.#store.table.node(level, 0, below), 1)
  }
}
