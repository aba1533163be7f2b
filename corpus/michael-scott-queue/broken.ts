/** Two ways to break the queue. */
import { Atomic } from 'allways/sync'
import { Element, MichaelScottQueue } from './queue.ts'

/** Links the new element without looking whether the tail still is the last one. */
export class UncheckedTailQueue extends MichaelScottQueue {
  override enqueue(value: number): void {
    const element = new Element(value)
    const tail = this.tail.load()
    tail.next.store(element)
    this.tail.compareAndSet(tail, element)
  }
}

class Reusable {
  value = Number.NaN
  readonly next = new Atomic<Reusable | null>(null)
}

/**
 * The queue with elements that are used again, and without the counters that this needs: a compare-and-set of the head
 * succeeds although the element has been out of the queue and in again meanwhile (the ABA problem).
 */
export class RecyclingQueue {
  readonly #head: Atomic<Reusable>
  readonly #tail: Atomic<Reusable>
  /** The element that was taken out last, if it has not been used again. */
  readonly #spare = new Atomic<Reusable | null>(null)

  constructor() {
    const dummy = new Reusable()
    this.#head = new Atomic(dummy)
    this.#tail = new Atomic(dummy)
  }

  enqueue(value: number): void {
    const element = this.#spare.exchange(null) ?? new Reusable()
    element.value = value
    element.next.store(null)
    for (;;) {
      const tail = this.#tail.load()
      const next = tail.next.load()
      if (tail === this.#tail.load()) {
        if (next === null) {
          if (tail.next.compareAndSet(null, element)) {
            this.#tail.compareAndSet(tail, element)
            return
          }
        } else {
          this.#tail.compareAndSet(tail, next)
        }
      }
    }
  }

  dequeue(): number | null {
    for (;;) {
      const head = this.#head.load()
      const tail = this.#tail.load()
      const next = head.next.load()
      if (head === this.#head.load()) {
        if (next === null) {
          return null
        }
        if (head === tail) {
          this.#tail.compareAndSet(tail, next)
        } else {
          const value = next.value
          if (this.#head.compareAndSet(head, next)) {
            this.#spare.store(head)
            return value
          }
        }
      }
    }
  }
}
