/**
 * Operations on two diagrams that look at both leaf by leaf: Bryant, "Graph-Based Algorithms for Boolean Function Manipulation" (1986), §4.3, with
 * leaves that are numbers. One loop for all of them, with a stack of its own: diagrams are as deep as there are variables, and the stack
 * of the host ends at some thousand calls.
 */
import { type Diagram, mustHold } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { leafLevel } from './node-table.ts'

/** What is known by number in the cache. Numbers from `firstOwn` on are operations and functions that callers made. */
export const operations = {
  and: 1,
  or: 2,
  minus: 3,
  guardOf: 4,
  disjoint: 5,
  covers: 6,
  within: 7,
  constrain: 8,
  some: 9,
  every: 10,
  firstOwn: 16,
} as const

interface Lifted {
  readonly code: number
  readonly isCommutative: boolean
  /** The leaf that is the result whatever the other side is, or -1. */
  readonly absorbs: Diagram
  /** The leaf that is the result where both sides are the same, or -1. */
  readonly alike: Diagram
  /** The leaf on the right side that leaves the left one as it is, or -1. */
  readonly keeps: Diagram
  /** A function of one value is told 0 as the second one. */
  readonly compute: (left: number, right: number) => number
}

/** An operation on values, lifted to diagrams by `apply`. */
export interface LiftedOperation extends Lifted {
  readonly kind: 'operation'
}

/** A function on values, lifted to diagrams by `map`. */
export interface LeafFunction extends Lifted {
  readonly kind: 'function'
}

export class Pairwise {
  readonly #store: DiagramStore
  /** By code, from `firstOwn` on. */
  readonly #own: Lifted[] = []
  /** Three cells for each frame: both operands, and the result for the low children, or -1 as long as that is not known. */
  #frames = new Int32Array(1 << 8)
  /** Where frames of a run begin that is started now: above those of a run that is computing a leaf. */
  #top = 0

  constructor(store: DiagramStore) {
    this.#store = store
  }

  operation(compute: Lifted['compute'], shortcuts: Omit<Lifted, 'code' | 'compute'>): LiftedOperation {
    const code = operations.firstOwn + this.#own.length
    const operation: LiftedOperation = { kind: 'operation', code, ...shortcuts, compute }
    this.#own.push(operation)
    return operation
  }

  function(compute: Lifted['compute']): LeafFunction {
    const code = operations.firstOwn + this.#own.length
    const made: LeafFunction = {
      kind: 'function',
      code,
      isCommutative: false,
      absorbs: -1,
      alike: -1,
      keeps: -1,
      compute,
    }
    this.#own.push(made)
    return made
  }

  /** Leaves that operations refer to, and that must stay. */
  get leaves(): readonly Diagram[] {
    return this.#own.flatMap(({ absorbs, alike, keeps }) => [absorbs, alike, keeps].filter((leaf) => leaf >= 0))
  }

  get bytes(): number {
    return this.#frames.byteLength
  }

  /** The operation with this code on both diagrams; a function is applied to `left`, and `right` is 0. */
  run(code: number, left: Diagram, right: Diagram): Diagram {
    const base = this.#top
    const needed = base + 3 * (this.#store.order.size + 2)
    if (needed > this.#frames.length) this.#growFrames(needed)
    try {
      return this.#loop(code, left, right)
    } finally {
      this.#top = base
    }
  }

  #loop(code: number, left: Diagram, right: Diagram): Diagram {
    const { table, pairs } = this.#store
    const base = this.#top
    const isCommutative = this.#isCommutative(code)
    // Also if computing a leaf runs an operation that needs more room: that one then has a longer copy.
    const frames = this.#frames
    let nodes = table.nodes
    let top = base
    let a = left
    let b = right
    for (;;) {
      // Down the low children, until the result of a pair is known.
      let result: Diagram
      for (;;) {
        this.#top = top
        result = this.#settled(code, a, b)
        if (result >= 0) break
        if (isCommutative && a > b) {
          const larger = a
          a = b
          b = larger
        }
        result = pairs.get(code, a, b)
        if (result >= 0) break
        frames[top] = a
        frames[top + 1] = b
        frames[top + 2] = -1
        top += 3
        const aLevel = nodes[a << 2]!
        const bLevel = nodes[b << 2]!
        if (aLevel <= bLevel) a = nodes[(a << 2) + 1]!
        if (bLevel <= aLevel) b = nodes[(b << 2) + 1]!
      }
      // A leaf that was computed may have made nodes.
      nodes = table.nodes
      // Up again, through all pairs whose high children were the last thing to be known.
      for (;;) {
        if (top === base) return result
        a = frames[top - 3]!
        b = frames[top - 2]!
        const aLevel = nodes[a << 2]!
        const bLevel = nodes[b << 2]!
        const low = frames[top - 1]!
        if (low < 0) {
          frames[top - 1] = result
          if (aLevel <= bLevel) a = nodes[(a << 2) + 2]!
          if (bLevel <= aLevel) b = nodes[(b << 2) + 2]!
          break
        }
        result = table.node(Math.min(aLevel, bLevel), low, result)
        nodes = table.nodes
        pairs.set(code, a, b, result)
        top -= 3
      }
    }
  }

  /**
   * The result if it can be seen at once, or -1. The three Boolean operations are also right if one side is no guard and the other one is:
   * `and(g, a)` is then "a where g holds, else 0", and `ite` relies on it.
   */
  #settled(code: number, a: Diagram, b: Diagram): Diagram {
    switch (code) {
      case operations.and:
        if (a === 0 || b === 0) return 0
        if (a === 1 || a === b) return b
        if (b === 1) return a
        break
      case operations.or:
        if (a === 1 || b === 1) return 1
        if (a === 0 || a === b) return b
        if (b === 0) return a
        break
      case operations.minus:
        if (a === 0 || b === 1 || a === b) return 0
        if (b === 0) return a
        break
      case operations.guardOf:
        if (!this.#store.isLeaf(a)) return -1
        return a === b ? 1 : 0
      default:
        return this.#settledOwn(this.#own[code - operations.firstOwn]!, a, b)
    }
    mustHold(!(this.#store.isLeaf(a) && this.#store.isLeaf(b)), 'the leaves of a guard are 0 and 1')
    return -1
  }

  #settledOwn(own: Lifted, a: Diagram, b: Diagram): Diagram {
    const { table } = this.#store
    const { nodes } = table
    // No diagram is -1.
    if (a === own.absorbs || b === own.absorbs) return own.absorbs
    if (b === own.keeps) return a
    if (a === b && own.alike >= 0) return own.alike
    if (nodes[a << 2] !== leafLevel || nodes[b << 2] !== leafLevel) return -1
    const value = own.compute(nodes[(a << 2) + 1]!, nodes[(b << 2) + 1]!)
    mustHold((value | 0) === value, `the value of a leaf is a 32-bit integer, not ${value}`)
    return table.leaf(value)
  }

  #isCommutative(code: number): boolean {
    if (code < operations.firstOwn) return code <= operations.or
    return this.#own[code - operations.firstOwn]!.isCommutative
  }

  #growFrames(needed: number): void {
    const frames = new Int32Array(needed * 2)
    frames.set(this.#frames)
    this.#frames = frames
  }
}
