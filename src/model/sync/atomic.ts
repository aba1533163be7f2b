/** A variable whose operations nothing can interrupt. */
import type { AtomicVariable } from '../../core/lock.ts'
import { requireNoMore } from '../../core/option-shape.ts'
import { cellsOf } from './shared-cells.ts'

/** Any value on one thread; with `Atomic.shared`, a 32-bit integer that worker threads share. */
export class Atomic<T> implements AtomicVariable<'thread', T> {
  #value: T

  constructor(initial: T, ...extra: readonly never[]) {
    requireNoMore(extra, 'new Atomic(initial)')
    this.#value = initial
  }

  /** The element at `index` of a view of a `SharedArrayBuffer`; its present value stays. */
  static shared(view: Int32Array, index = 0): Atomic<number> {
    return new SharedAtomic(view, index)
  }

  load(): T {
    return this.#value
  }

  store(value: T): void {
    this.#value = value
  }

  /** Stores `value` if the present one is `expected`, by `Object.is`, and says whether it was. */
  compareAndSet(expected: T, value: T): boolean {
    if (!Object.is(this.#value, expected)) return false
    this.#value = value
    return true
  }

  /** Stores a value and gives the one before. */
  exchange(value: T): T {
    const before = this.#value
    this.#value = value
    return before
  }

  /** Stores what `change` makes of the present value, and gives it. Called again if another thread stores in the meantime. */
  update(change: (value: T) => T): T {
    for (;;) {
      const before = this.load()
      const value = change(before)
      if (this.compareAndSet(before, value)) return value
    }
  }

  /** Adds to the number and gives the one before. Shared integers wrap around. */
  getAndAdd(this: Atomic<number>, amount: number): number {
    const before = this.load()
    this.store(before + amount)
    return before
  }
}

class SharedAtomic extends Atomic<number> {
  readonly #cells: Int32Array
  readonly #index: number

  constructor(view: Int32Array, index: number) {
    super(0)
    if (!Number.isInteger(index) || index < 0) throw new RangeError(`Atomic.shared: there is no element ${index}`)
    this.#cells = cellsOf(view, index + 1, 'Atomic.shared')
    this.#index = index
  }

  override load(): number {
    return Atomics.load(this.#cells, this.#index)
  }

  override store(value: number): void {
    Atomics.store(this.#cells, this.#index, integer(value))
  }

  override compareAndSet(expected: number, value: number): boolean {
    const stored = integer(value)
    // No other number is ever there, but `Atomics` would round it to one that is.
    if (!Object.is(expected | 0, expected)) return false
    return Atomics.compareExchange(this.#cells, this.#index, expected, stored) === expected
  }

  override exchange(value: number): number {
    return Atomics.exchange(this.#cells, this.#index, integer(value))
  }

  override getAndAdd(amount: number): number {
    return Atomics.add(this.#cells, this.#index, integer(amount))
  }
}

function integer(value: number): number {
  if ((value | 0) === value) return value
  throw new RangeError(`a shared Atomic holds 32-bit integers, and ${String(value)} is none`)
}
