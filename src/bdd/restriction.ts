/**
 * A diagram that need only be right where a guard, the care set, holds. Both operations are of Coudert and Madre, "A Unified Framework for the Formal
 * Verification of Sequential Circuits" (ICCAD 1990): `constrain` gives equal results to diagrams that are equal on the care set; `within` (their
 * restrict) does not test variables that only the care set depends on, and so is usually smaller. Neither promises to be smaller.
 */
import { type Diagram, mustHold } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { operations, type Pairwise } from './pairwise.ts'

type Kind = typeof operations.within | typeof operations.constrain

/** In place of the result for the low children: it is not known yet, or the result is that of one other pair. */
const pending = -1
const passedOn = -2

export class Restriction {
  readonly #store: DiagramStore
  readonly #pairwise: Pairwise
  /** Three cells for each frame: the diagram, the care set, and the result for the low children or one of the marks above. */
  #frames = new Int32Array(1 << 8)
  /** What `#descend` chose. */
  #nextDiagram: Diagram = 0
  #nextCare: Diagram = 0

  constructor(store: DiagramStore, pairwise: Pairwise) {
    this.#store = store
    this.#pairwise = pairwise
  }

  run(kind: Kind, diagram: Diagram, care: Diagram): Diagram {
    mustHold(care !== 0, 'the care set of a restriction holds somewhere')
    const { table, pairs, order } = this.#store
    if (this.#frames.length < 3 * (order.size + 2)) this.#frames = new Int32Array(6 * (order.size + 2))
    const frames = this.#frames
    let top = 0
    let f = diagram
    let c = care
    for (;;) {
      let result: Diagram
      for (;;) {
        result = this.#settled(f, c)
        if (result < 0) result = pairs.get(kind, f, c)
        if (result >= 0) break
        frames[top] = f
        frames[top + 1] = c
        frames[top + 2] = this.#descend(kind, f, c)
        top += 3
        f = this.#nextDiagram
        c = this.#nextCare
      }
      for (;;) {
        if (top === 0) return result
        f = frames[top - 3]!
        c = frames[top - 2]!
        const low = frames[top - 1]!
        const { nodes } = table
        const level = Math.min(nodes[f << 2]!, nodes[c << 2]!)
        if (low === pending) {
          frames[top - 1] = result
          if (nodes[f << 2] === level) f = nodes[(f << 2) + 2]!
          if (nodes[c << 2] === level) c = nodes[(c << 2) + 2]!
          break
        }
        if (low >= 0) result = table.node(level, low, result)
        pairs.set(kind, f, c, result)
        top -= 3
      }
    }
  }

  #settled(f: Diagram, c: Diagram): Diagram {
    if (c === 1 || this.#store.isLeaf(f)) return f
    // A diagram that is a care set is a guard, and where it holds it is 1.
    if (f === c) return 1
    mustHold(!this.#store.isLeaf(c), 'the leaves of a guard are 0 and 1')
    return -1
  }

  /** Chooses the pair that is asked for first, and says what its result will be: of the low children, or of the whole. */
  #descend(kind: Kind, f: Diagram, c: Diagram): typeof pending | typeof passedOn {
    const { nodes } = this.#store.table
    const level = Math.min(nodes[f << 2]!, nodes[c << 2]!)
    const isDiagram = nodes[f << 2] === level
    const isCare = nodes[c << 2] === level
    const cLow = isCare ? nodes[(c << 2) + 1]! : c
    const cHigh = isCare ? nodes[(c << 2) + 2]! : c
    this.#nextDiagram = isDiagram ? nodes[(f << 2) + 1]! : f
    this.#nextCare = cLow
    if (cLow === 0) {
      this.#nextDiagram = isDiagram ? nodes[(f << 2) + 2]! : f
      this.#nextCare = cHigh
      return passedOn
    }
    if (cHigh === 0) return passedOn
    if (isDiagram || kind === operations.constrain) return pending
    this.#nextCare = this.#pairwise.run(operations.or, cLow, cHigh)
    return passedOn
  }
}
