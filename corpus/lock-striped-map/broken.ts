/** Two ways to break the map. */
import { LockStripedMap } from './map.ts'

/** Looks whether the key is there before it takes the lock. */
export class CheckThenActMap extends LockStripedMap {
  override putIfAbsent(key: number, value: number): number | null {
    const old = this.get(key)
    if (old !== null) {
      return old
    }
    this.put(key, value)
    return null
  }
}

/** Counts one stripe after the other: the sum of sizes that were never true together. */
export class StripewiseSizeMap extends LockStripedMap {
  override size(): number {
    let size = 0
    for (const stripe of this.stripes) {
      stripe.lock.acquireSync()
      size += stripe.count
      stripe.lock.release()
    }
    return size
  }
}
