/** A sorted list of integers under one read-write lock, after Synchrobench's RWLockCoarseGrainedListIntSet. */
import { ReadWriteLock } from 'allways/sync'

export class Element {
  readonly key: number
  next: Element | null

  constructor(key: number, next: Element | null) {
    this.key = key
    this.next = next
  }
}

export class RWLockCoarseGrainedListIntSet {
  protected readonly head: Element
  protected readonly lock = new ReadWriteLock()

  constructor() {
    const tail = new Element(Infinity, null)
    this.head = new Element(-Infinity, tail)
  }

  add(key: number): boolean {
    this.lock.write.acquireSync()
    try {
      let previous = this.head
      let current = previous.next!
      while (current.key < key) {
        previous = current
        current = previous.next!
      }
      if (current.key === key) {
        return false
      }
      previous.next = new Element(key, current)
      return true
    } finally {
      this.lock.write.release()
    }
  }

  remove(key: number): boolean {
    this.lock.write.acquireSync()
    try {
      let previous = this.head
      let current = previous.next!
      while (current.key < key) {
        previous = current
        current = previous.next!
      }
      if (current.key === key) {
        previous.next = current.next
        return true
      }
      return false
    } finally {
      this.lock.write.release()
    }
  }

  contains(key: number): boolean {
    this.lock.read.acquireSync()
    try {
      let current = this.head
      while (current.key < key) {
        current = current.next!
      }
      return current.key === key
    } finally {
      this.lock.read.release()
    }
  }
}
