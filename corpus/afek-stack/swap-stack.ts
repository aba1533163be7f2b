/** The stack as it was published: `pop` takes what is there and leaves null in one step. */
import { Atomic } from 'allways/sync'

export class SwapStack<Item> {
  readonly range = new Atomic(1)
  readonly items: Atomic<Item | null>[] = []

  constructor(positions = 8) {
    for (let i = 0; i < positions; i++) this.items.push(new Atomic<Item | null>(null))
  }

  push(x: Item): void {
    const i = this.range.getAndAdd(1)
    this.item(i).store(x)
  }

  pop(): Item | null {
    const t = this.range.load() - 1
    let x: Item | null = null
    for (let i = t; i >= 1; i--) {
      x = this.item(i).exchange(null)
      if (x !== null) break
    }
    return x
  }

  private item(i: number): Atomic<Item | null> {
    const item = this.items[i]
    if (item === undefined) throw new RangeError('the stack is full')
    return item
  }
}
