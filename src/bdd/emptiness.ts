/** Questions about two guards that are answered without building a node: most branches are vacuous, and asking must cost less than conjoining. */
import { type Diagram, mustHold } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { operations } from './pairwise.ts'

/** What both questions have in common: they hold if they hold for the low and for the high children. */
type Question = typeof operations.disjoint | typeof operations.covers

export class Emptiness {
  readonly #store: DiagramStore
  /** Three cells for each frame: both operands, and 1 once the low children are done. */
  #frames = new Int32Array(1 << 8)

  constructor(store: DiagramStore) {
    this.#store = store
  }

  run(question: Question, left: Diagram, right: Diagram): boolean {
    const { table, pairs, order } = this.#store
    const { nodes } = table
    if (this.#frames.length < 3 * (order.size + 2)) this.#frames = new Int32Array(6 * (order.size + 2))
    const frames = this.#frames
    let top = 0
    let a = left
    let b = right
    for (;;) {
      for (;;) {
        if (question === operations.disjoint && a > b) {
          const larger = a
          a = b
          b = larger
        }
        let answer = this.#settled(question, a, b)
        if (answer < 0) answer = pairs.get(question, a, b)
        if (answer === 0) return this.#denied(question, top)
        if (answer === 1) break
        frames[top] = a
        frames[top + 1] = b
        frames[top + 2] = 0
        top += 3
        const aLevel = nodes[a << 2]!
        const bLevel = nodes[b << 2]!
        if (aLevel <= bLevel) a = nodes[(a << 2) + 1]!
        if (bLevel <= aLevel) b = nodes[(b << 2) + 1]!
      }
      for (; top > 0 && frames[top - 1] === 1; top -= 3) pairs.set(question, frames[top - 3]!, frames[top - 2]!, 1)
      if (top === 0) return true
      a = frames[top - 3]!
      b = frames[top - 2]!
      frames[top - 1] = 1
      const aLevel = nodes[a << 2]!
      const bLevel = nodes[b << 2]!
      if (aLevel <= bLevel) a = nodes[(a << 2) + 2]!
      if (bLevel <= aLevel) b = nodes[(b << 2) + 2]!
    }
  }

  /** One pair below says no, so all pairs on the way to it say no. */
  #denied(question: Question, frames: number): false {
    for (let top = frames; top > 0; top -= 3) {
      this.#store.pairs.set(question, this.#frames[top - 3]!, this.#frames[top - 2]!, 0)
    }
    return false
  }

  /** 1 for yes, 0 for no, -1 if the children must be asked. A guard that is not 0 holds somewhere. */
  #settled(question: Question, a: Diagram, b: Diagram): number {
    if (question === operations.disjoint) {
      if (a === 0) return 1
      if (a === 1 || a === b) return 0
    } else {
      if (a === 1 || b === 0 || a === b) return 1
      if (a === 0 || b === 1) return 0
    }
    mustHold(!(this.#store.isLeaf(a) && this.#store.isLeaf(b)), 'the leaves of a guard are 0 and 1')
    return -1
  }
}
