/**
 * A map with a tree for finding keys and a list in key order for deciding, after Synchrobench's LogicalOrderingAVL
 * (Drachsler, Vechev, Yahav: "Practical Concurrent Binary Search Trees via Logical Ordering", PPoPP 2014).
 *
 * Membership is decided by the list alone, under the lock of the predecessor; the tree may lag behind.
 * Locks are taken in this order: successor locks by ascending key, then tree locks from the leaves to the root; whoever
 * needs a tree lock further down tries, and starts again if that fails.
 */
import { Element } from './element.ts'
import { insertToTree, removeFromTree } from './tree.ts'
import { acquireTreeLocks, chooseParent, lockParent } from './tree-locks.ts'

export class LogicalOrderingAVL {
  protected readonly root: Element

  constructor() {
    const min = new Element(-Infinity, null)
    this.root = new Element(Infinity, null, min, min, min)
    min.right = this.root
    min.succ = this.root
  }

  /** The item the key had before. */
  put(key: number, item: number): number | null {
    for (;;) {
      const found = this.search(key)
      const previous = found.key < key ? found : found.pred
      previous.succLock.acquireSync()
      if (previous.valid) {
        const isBefore = previous.key < key
        if (isBefore) {
          const next = previous.succ
          const isBeyond = next.key < key
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
        }
      }
      previous.succLock.release()
    }
  }

  /** Removes the key if this is its item. */
  remove(key: number, item: number): boolean {
    return this.take(key, item) !== null
  }

  /** Removes the key whatever its item is, and answers that. */
  removeKey(key: number): number | null {
    return this.take(key, null)
  }

  protected take(key: number, expected: number | null): number | null {
    for (;;) {
      const found = this.search(key)
      const previous = found.key < key ? found : found.pred
      previous.succLock.acquireSync()
      if (previous.valid) {
        const isBefore = previous.key < key
        if (isBefore) {
          const next = previous.succ
          const isBeyond = next.key < key
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
        }
      }
      previous.succLock.release()
    }
  }

  get(key: number): number | null {
    const element = this.locate(key)
    return element.key === key && element.valid ? element.item : null
  }

  contains(key: number): boolean {
    const element = this.locate(key)
    return element.key === key && element.valid
  }

  /** Where the key is in the tree, or under which element it would hang. */
  protected search(key: number): Element {
    let element = this.root
    let child = element.left
    while (child !== null && element.key !== key) {
      element = child
      child = element.key < key ? element.right : element.left
    }
    return element
  }

  /** The first element that is not before the key. The tree may have led past it: a rotation hides elements for a moment. */
  private locate(key: number): Element {
    let element = this.search(key)
    while (element.key > key) {
      element = element.pred
    }
    while (element.key < key) {
      element = element.succ
    }
    return element
  }
}
