/**
 * A queue without locks (Michael, Scott: "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue
 * Algorithms", PODC 1996, Figure 1). No counters: elements are never used again, so that no reference repeats.
 */
import { Atomic } from 'allways/sync'

export class Element {
  readonly value: number
  readonly next = new Atomic<Element | null>(null)

  constructor(value: number) {
    this.value = value
  }
}

export class MichaelScottQueue {
  /** The element before the first one. */
  protected readonly head: Atomic<Element>
  /** The last element or, for a moment, the one before it. */
  protected readonly tail: Atomic<Element>

  constructor() {
    const dummy = new Element(Number.NaN)
    this.head = new Atomic(dummy)
    this.tail = new Atomic(dummy)
  }

  enqueue(value: number): void {
    const element = new Element(value)
    for (;;) {
      const tail = this.tail.load()
      const next = tail.next.load()
      if (tail === this.tail.load()) {
        if (next === null) {
          if (tail.next.compareAndSet(null, element)) {
            this.tail.compareAndSet(tail, element)
            return
          }
        } else {
          this.tail.compareAndSet(tail, next)
        }
      }
    }
  }

  /** The oldest value, or `null` if there is none. */
  dequeue(): number | null {
    for (;;) {
      const head = this.head.load()
      const tail = this.tail.load()
      const next = head.next.load()
      if (head === this.head.load()) {
        if (next === null) {
          return null
        }
        if (head === tail) {
          this.tail.compareAndSet(tail, next)
        } else if (this.head.compareAndSet(head, next)) {
          return next.value
        }
      }
    }
  }
}
