/** If-then-else, the one operation that updates, merges and chooses: `a` where the guard holds, else `b`. Leaves of `a` and `b` are of any kind. */
import { type Diagram, mustHold } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { operations, type Pairwise } from './pairwise.ts'

export class Choice {
  readonly #store: DiagramStore
  readonly #pairwise: Pairwise
  /** Four cells for each frame: guard, both sides, and the result for the low children, or -1 as long as that is not known. */
  #frames = new Int32Array(1 << 8)

  constructor(store: DiagramStore, pairwise: Pairwise) {
    this.#store = store
    this.#pairwise = pairwise
  }

  run(guard: Diagram, then: Diagram, otherwise: Diagram): Diagram {
    const { table, choices, order } = this.#store
    if (this.#frames.length < 4 * (order.size + 2)) this.#frames = new Int32Array(8 * (order.size + 2))
    const frames = this.#frames
    let nodes = table.nodes
    let top = 0
    let g = guard
    let a = then
    let b = otherwise
    for (;;) {
      let result: Diagram
      for (;;) {
        result = this.#settled(g, a, b)
        if (result >= 0) break
        result = choices.get(g, a, b)
        if (result >= 0) break
        frames[top] = g
        frames[top + 1] = a
        frames[top + 2] = b
        frames[top + 3] = -1
        top += 4
        const level = Math.min(nodes[g << 2]!, nodes[a << 2]!, nodes[b << 2]!)
        if (nodes[g << 2] === level) g = nodes[(g << 2) + 1]!
        if (nodes[a << 2] === level) a = nodes[(a << 2) + 1]!
        if (nodes[b << 2] === level) b = nodes[(b << 2) + 1]!
      }
      nodes = table.nodes
      for (;;) {
        if (top === 0) return result
        g = frames[top - 4]!
        a = frames[top - 3]!
        b = frames[top - 2]!
        const level = Math.min(nodes[g << 2]!, nodes[a << 2]!, nodes[b << 2]!)
        const low = frames[top - 1]!
        if (low < 0) {
          frames[top - 1] = result
          if (nodes[g << 2] === level) g = nodes[(g << 2) + 2]!
          if (nodes[a << 2] === level) a = nodes[(a << 2) + 2]!
          if (nodes[b << 2] === level) b = nodes[(b << 2) + 2]!
          break
        }
        result = table.node(level, low, result)
        nodes = table.nodes
        choices.set(g, a, b, result)
        top -= 4
      }
    }
  }

  /** With a side that is 0 or 1, this is an operation on two diagrams, and the cache of those is shared with whoever asks for it directly. */
  #settled(g: Diagram, a: Diagram, b: Diagram): Diagram {
    if (g === 1 || a === b) return a
    if (g === 0) return b
    if (b === 0) return this.#pairwise.run(operations.and, g, a)
    if (a === 0) return this.#pairwise.run(operations.minus, b, g)
    if (a === 1) return this.#pairwise.run(operations.or, g, b)
    mustHold(!this.#store.isLeaf(g), 'the leaves of a guard are 0 and 1')
    return -1
  }
}
