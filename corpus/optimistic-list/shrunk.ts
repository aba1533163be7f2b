/** The list with atomic sections shrunk as in the thesis, Table 2.1: it validates before it locks. */
import { Element, OptimisticListSortedSetWaitFreeContains } from './list.ts'

/** Thesis: add, [51, 52/56] → [52, 52/56]. */
export class AddShrunk extends OptimisticListSortedSetWaitFreeContains {
  override add(value: number): boolean {
    for (;;) {
      let previous = this.min
      let current = previous.next!
      while (current.value < value) {
        previous = current
        current = current.next!
      }
      if (this.validate(previous, current)) {
        previous.lock.acquireSync()
        current.lock.acquireSync()
        try {
          if (current.value === value) {
            return false
          }
          const element = new Element(value, current)
          previous.next = element
          return true
        } finally {
          previous.lock.release()
          current.lock.release()
        }
      }
    }
  }
}

/** Thesis: remove, [78, 80/82] → [79, 80/82]. */
export class RemoveShrunk extends OptimisticListSortedSetWaitFreeContains {
  override remove(value: number): boolean {
    for (;;) {
      let previous = this.min
      let current = previous.next!
      while (current.value < value) {
        previous = current
        current = current.next!
      }
      if (this.validate(previous, current)) {
        previous.lock.acquireSync()
        current.lock.acquireSync()
        try {
          if (current.value === value) {
            previous.next = current.next
            return true
          }
          return false
        } finally {
          previous.lock.release()
          current.lock.release()
        }
      }
    }
  }
}

/** Both: `add` from above, and `remove` as in `RemoveShrunk`. */
export class BothShrunk extends AddShrunk {
  override remove(value: number): boolean {
    for (;;) {
      let previous = this.min
      let current = previous.next!
      while (current.value < value) {
        previous = current
        current = current.next!
      }
      if (this.validate(previous, current)) {
        previous.lock.acquireSync()
        current.lock.acquireSync()
        try {
          if (current.value === value) {
            previous.next = current.next
            return true
          }
          return false
        } finally {
          previous.lock.release()
          current.lock.release()
        }
      }
    }
  }
}
