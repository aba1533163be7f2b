/** A map of several chains, each with a lock of its own: `get` takes none, `size` takes all of them. */
import { Mutex } from 'allways/sync'

export class Entry {
  readonly key: number
  value: number
  next: Entry | null

  constructor(key: number, value: number, next: Entry | null) {
    this.key = key
    this.value = value
    this.next = next
  }
}

export class Stripe {
  readonly lock = new Mutex()
  first: Entry | null = null
  count = 0
}

export class LockStripedMap {
  protected readonly stripes: readonly Stripe[]

  constructor(stripes = 2) {
    const made: Stripe[] = []
    while (made.length < stripes) {
      made.push(new Stripe())
    }
    this.stripes = made
  }

  /** Takes no lock: an entry keeps its successor when it is unlinked. */
  get(key: number): number | null {
    const entry = this.find(this.stripeOf(key), key)
    return entry === null ? null : entry.value
  }

  /** The value the key had before. */
  put(key: number, value: number): number | null {
    const stripe = this.stripeOf(key)
    stripe.lock.acquireSync()
    try {
      const entry = this.find(stripe, key)
      if (entry !== null) {
        const old = entry.value
        entry.value = value
        return old
      }
      this.prepend(stripe, key, value)
      return null
    } finally {
      stripe.lock.release()
    }
  }

  /** The value the key had before, which it keeps. */
  putIfAbsent(key: number, value: number): number | null {
    const stripe = this.stripeOf(key)
    stripe.lock.acquireSync()
    try {
      const entry = this.find(stripe, key)
      if (entry !== null) {
        return entry.value
      }
      this.prepend(stripe, key, value)
      return null
    } finally {
      stripe.lock.release()
    }
  }

  /** The value the key had. */
  remove(key: number): number | null {
    const stripe = this.stripeOf(key)
    stripe.lock.acquireSync()
    try {
      let previous: Entry | null = null
      let entry = stripe.first
      while (entry !== null && entry.key !== key) {
        previous = entry
        entry = entry.next
      }
      if (entry === null) {
        return null
      }
      if (previous === null) {
        stripe.first = entry.next
      } else {
        previous.next = entry.next
      }
      stripe.count--
      return entry.value
    } finally {
      stripe.lock.release()
    }
  }

  size(): number {
    for (const stripe of this.stripes) {
      stripe.lock.acquireSync()
    }
    let size = 0
    for (const stripe of this.stripes) {
      size += stripe.count
    }
    for (const stripe of this.stripes) {
      stripe.lock.release()
    }
    return size
  }

  protected stripeOf(key: number): Stripe {
    return this.stripes[key % this.stripes.length]!
  }

  protected find(stripe: Stripe, key: number): Entry | null {
    let entry = stripe.first
    while (entry !== null && entry.key !== key) {
      entry = entry.next
    }
    return entry
  }

  protected prepend(stripe: Stripe, key: number, value: number): void {
    stripe.first = new Entry(key, value, stripe.first)
    stripe.count++
  }
}
