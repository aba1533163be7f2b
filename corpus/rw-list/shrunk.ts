/** The list with atomic sections shrunk as in the thesis, Table 2.1: the walk is done before the lock is taken. */
import { Element, RWLockCoarseGrainedListIntSet } from './list.ts'

/** Thesis: add, [26, 32/35] → [32, 32/35]. */
export class AddShrunk extends RWLockCoarseGrainedListIntSet {
  override add(key: number): boolean {
    let previous = this.head
    let current = previous.next!
    while (current.key < key) {
      previous = current
      current = previous.next!
    }
    this.lock.write.acquireSync()
    try {
      if (current.key === key) {
        return false
      }
      previous.next = new Element(key, current)
      return true
    } finally {
      this.lock.write.release()
    }
  }
}

/** Thesis: remove, [47, 54/56] → [53, 54/56]. */
export class RemoveShrunk extends RWLockCoarseGrainedListIntSet {
  override remove(key: number): boolean {
    let previous = this.head
    let current = previous.next!
    while (current.key < key) {
      previous = current
      current = previous.next!
    }
    this.lock.write.acquireSync()
    try {
      if (current.key === key) {
        previous.next = current.next
        return true
      }
      return false
    } finally {
      this.lock.write.release()
    }
  }
}

/** Both: `add` from above, and `remove` as in `RemoveShrunk`. */
export class BothShrunk extends AddShrunk {
  override remove(key: number): boolean {
    let previous = this.head
    let current = previous.next!
    while (current.key < key) {
      previous = current
      current = previous.next!
    }
    this.lock.write.acquireSync()
    try {
      if (current.key === key) {
        previous.next = current.next
        return true
      }
      return false
    } finally {
      this.lock.write.release()
    }
  }
}
