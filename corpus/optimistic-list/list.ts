/**
 * A sorted list of integers with a lock per element, after Synchrobench's OptimisticListSortedSetWaitFreeContains: walk
 * without locks, lock two neighbours, then validate by walking again from the start.
 */
import { Mutex } from 'allways/sync'

export class Element {
  readonly value: number
  readonly lock = new Mutex()
  next: Element | null

  constructor(value: number, next: Element | null) {
    this.value = value
    this.next = next
  }
}

export class OptimisticListSortedSetWaitFreeContains {
  protected readonly min: Element

  constructor() {
    const max = new Element(Infinity, null)
    this.min = new Element(-Infinity, max)
  }

  add(value: number): boolean {
    for (;;) {
      let previous = this.min
      let current = previous.next!
      while (current.value < value) {
        previous = current
        current = current.next!
      }
      previous.lock.acquireSync()
      current.lock.acquireSync()
      try {
        if (this.validate(previous, current)) {
          if (current.value === value) {
            return false
          }
          const element = new Element(value, current)
          previous.next = element
          return true
        }
      } finally {
        previous.lock.release()
        current.lock.release()
      }
    }
  }

  remove(value: number): boolean {
    for (;;) {
      let previous = this.min
      let current = previous.next!
      while (current.value < value) {
        previous = current
        current = current.next!
      }
      previous.lock.acquireSync()
      current.lock.acquireSync()
      try {
        if (this.validate(previous, current)) {
          if (current.value === value) {
            previous.next = current.next
            return true
          }
          return false
        }
      } finally {
        previous.lock.release()
        current.lock.release()
      }
    }
  }

  /**
   * Takes no lock: an element keeps its successor when it is unlinked, so that every element on the way was in the list
   * at some time during the walk.
   */
  contains(value: number): boolean {
    let current = this.min
    while (current.value < value) {
      current = current.next!
    }
    return current.value === value
  }

  /** True if the two are in the list, one after the other. */
  protected validate(previous: Element, current: Element): boolean {
    let element = this.min
    while (element.value <= previous.value) {
      if (element === previous) {
        return previous.next === current
      }
      element = element.next!
    }
    return false
  }
}
