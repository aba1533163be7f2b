/** Locks of rows and of what is unique, held to the end of a transaction; and who waits for whom. */

type LockMode = 'shared' | 'exclusive'

/** What a statement cannot go on without. */
export interface Need {
  readonly lock: string
  readonly mode: LockMode
}

export class Locks {
  readonly #holders = new Map<string, Map<number, LockMode>>()
  /** By transaction, what its statement waits for. */
  readonly #needs = new Map<number, Need>()

  /** Others that hold what is in the way. */
  blockers(transaction: number, { lock, mode }: Need): readonly number[] {
    const holders = [...(this.#holders.get(lock) ?? [])]
    return holders
      .filter(([holder, held]) => holder !== transaction && (mode === 'exclusive' || held === 'exclusive'))
      .map(([holder]) => holder)
  }

  take(transaction: number, { lock, mode }: Need): void {
    const holders = this.#holders.get(lock) ?? new Map<number, LockMode>()
    this.#holders.set(lock, holders)
    if (holders.get(transaction) !== 'exclusive') holders.set(transaction, mode)
  }

  /** Of a transaction that has come to its end. */
  release(transaction: number): void {
    this.#needs.delete(transaction)
    for (const holders of this.#holders.values()) holders.delete(transaction)
  }

  waits(transaction: number, need: Need): void {
    this.#needs.set(transaction, need)
  }

  goesOn(transaction: number): void {
    this.#needs.delete(transaction)
  }

  /**
   * Whether a transaction waits for itself. Who closes a cycle is given up. That is every transaction of the cycle in some execution:
   * their last requests depend on nothing of each other's but locks that were taken before, so each of them may come last.
   */
  isInCycle(transaction: number): boolean {
    const reached = new Set<number>()
    const ahead = [transaction]
    for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
      const need = this.#needs.get(one)
      const next = need === undefined ? [] : this.blockers(one, need)
      if (next.includes(transaction)) return true
      ahead.push(...next.filter((other) => !reached.has(other)))
      for (const other of next) reached.add(other)
    }
    return false
  }
}
