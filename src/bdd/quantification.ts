/** Guards without some of their variables: `some` holds where the guard does for some values of them, `every` where it does for all. */
import type { Diagram } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { operations, type Pairwise } from './pairwise.ts'

type Quantifier = typeof operations.some | typeof operations.every

export class Quantification {
  readonly #store: DiagramStore
  readonly #pairwise: Pairwise
  /** Three cells for each frame: the guard, the variables, and the result for the low child, or -1 as long as that is not known. */
  #frames = new Int32Array(1 << 8)

  constructor(store: DiagramStore, pairwise: Pairwise) {
    this.#store = store
    this.#pairwise = pairwise
  }

  /** The variables are given as the guard that holds where all of them are true, so that the cache can know them by number. */
  run(quantifier: Quantifier, guard: Diagram, variables: Diagram): Diagram {
    const { table, pairs, order } = this.#store
    if (this.#frames.length < 3 * (order.size + 2)) this.#frames = new Int32Array(6 * (order.size + 2))
    const frames = this.#frames
    const join = quantifier === operations.some ? operations.or : operations.and
    /** A constant that decides, whatever the other child gives. */
    const decides = quantifier === operations.some ? 1 : 0
    let top = 0
    let f = guard
    let left = variables
    for (;;) {
      let result: Diagram
      for (;;) {
        left = this.#notAbove(left, f)
        result = left === 1 || this.#store.isLeaf(f) ? f : pairs.get(quantifier, f, left)
        if (result >= 0) break
        frames[top] = f
        frames[top + 1] = left
        frames[top + 2] = -1
        top += 3
        f = this.#store.low(f)
      }
      for (;;) {
        if (top === 0) return result
        f = frames[top - 3]!
        left = frames[top - 2]!
        const low = frames[top - 1]!
        const level = this.#store.levelOf(f)
        const isBound = this.#store.levelOf(left) === level
        if (low < 0 && !(isBound && result === decides)) {
          frames[top - 1] = result
          f = this.#store.high(f)
          break
        }
        if (low >= 0) result = isBound ? this.#pairwise.run(join, low, result) : table.node(level, low, result)
        pairs.set(quantifier, f, left, result)
        top -= 3
      }
    }
  }

  /** Variables above a guard do not occur in it. */
  #notAbove(variables: Diagram, guard: Diagram): Diagram {
    let left = variables
    const level = this.#store.levelOf(guard)
    while (this.#store.levelOf(left) < level) left = this.#store.high(left)
    return left
  }
}
