/** The stack of the thesis, Figure 2.21, after Afek, Gafni and Morrison ("Common2 extended to stacks and unbounded concurrency"). */
import { Atomic } from 'allways/sync'

export class Stack<Item> {
  /** The first unused position. */
  readonly range = new Atomic(1)
  readonly items: (Item | null)[]

  constructor(positions = 8) {
    this.items = new Array<Item | null>(positions).fill(null)
  }

  push(x: Item): void {
    const i = this.range.getAndAdd(1)
    this.items[i] = x
  }

  pop(): Item | null {
    const t = this.range.load() - 1
    let x: Item | null = null
    for (let i = t; i >= 1; i--) {
      x = this.items[i] ?? null
      this.items[i] = null
      if (x !== null) break
    }
    return x
  }
}
