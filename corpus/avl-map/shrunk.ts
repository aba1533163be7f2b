/**
 * The map with atomic sections shrunk as in the thesis, Table 2.1: each becomes two, of which the first only compares
 * keys, so that the predecessor may be removed, and its successor change, before the second.
 */
import { Element } from './element.ts'
import { LogicalOrderingAVL } from './map.ts'
import { insertToTree, removeFromTree } from './tree.ts'
import { acquireTreeLocks, chooseParent, lockParent } from './tree-locks.ts'

/** Thesis: put, [267, 291] → [268, 269] [274, 291]. */
export class PutShrunk extends LogicalOrderingAVL {
  override put(key: number, item: number): number | null {
    for (;;) {
      const found = this.search(key)
      const previous = found.key < key ? found : found.pred
      if (previous.valid) {
        previous.succLock.acquireSync()
        const isBefore = previous.key < key
        previous.succLock.release()
        if (isBefore) {
          const next = previous.succ
          const isBeyond = next.key < key
          previous.succLock.acquireSync()
          if (!isBeyond) {
            if (next.key === key) {
              const old = next.item
              next.item = item
              previous.succLock.release()
              return old
            }
            const parent = chooseParent(previous, next, found)
            const element = new Element(key, item, previous, next, parent)
            next.pred = element
            previous.succ = element
            previous.succLock.release()
            insertToTree(parent, element, parent === previous)
            return null
          }
          previous.succLock.release()
        }
      }
    }
  }
}

/** Thesis: remove, [432, 451] → [433, 434] [439, 451]; Table 2.1 prints 436 for 439. */
export class RemoveShrunk extends LogicalOrderingAVL {
  protected override take(key: number, expected: number | null): number | null {
    for (;;) {
      const found = this.search(key)
      const previous = found.key < key ? found : found.pred
      if (previous.valid) {
        previous.succLock.acquireSync()
        const isBefore = previous.key < key
        previous.succLock.release()
        if (isBefore) {
          const next = previous.succ
          const isBeyond = next.key < key
          previous.succLock.acquireSync()
          if (!isBeyond) {
            if (next.key !== key || (expected !== null && next.item !== expected)) {
              previous.succLock.release()
              return null
            }
            next.succLock.acquireSync()
            const successor = acquireTreeLocks(next)
            const parent = lockParent(next)
            next.valid = false
            const item = next.item
            const afterNext = next.succ
            afterNext.pred = previous
            previous.succ = afterNext
            next.succLock.release()
            previous.succLock.release()
            removeFromTree(next, successor, parent)
            return item
          }
          previous.succLock.release()
        }
      }
    }
  }
}

/** Both: `put` from above, and `take` as in `RemoveShrunk`. */
export class BothShrunk extends PutShrunk {
  protected override take(key: number, expected: number | null): number | null {
    for (;;) {
      const found = this.search(key)
      const previous = found.key < key ? found : found.pred
      if (previous.valid) {
        previous.succLock.acquireSync()
        const isBefore = previous.key < key
        previous.succLock.release()
        if (isBefore) {
          const next = previous.succ
          const isBeyond = next.key < key
          previous.succLock.acquireSync()
          if (!isBeyond) {
            if (next.key !== key || (expected !== null && next.item !== expected)) {
              previous.succLock.release()
              return null
            }
            next.succLock.acquireSync()
            const successor = acquireTreeLocks(next)
            const parent = lockParent(next)
            next.valid = false
            const item = next.item
            const afterNext = next.succ
            afterNext.pred = previous
            previous.succ = afterNext
            next.succLock.release()
            previous.succLock.release()
            removeFromTree(next, successor, parent)
            return item
          }
          previous.succLock.release()
        }
      }
    }
  }
}
