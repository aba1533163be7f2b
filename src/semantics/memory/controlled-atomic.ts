/** Atomic variables under check; each of their operations is one action. */
import { requireNoMore } from '../../core/option-shape.ts'
import type { Heap } from './heap.ts'
import { Primitive } from './primitive.ts'
import { machine, type ObjectProcess } from './process.ts'

export class Atomic<T> extends Primitive {
  value: T

  constructor(initial: T, ...extra: readonly never[]) {
    super()
    requireNoMore(extra, 'new Atomic(initial)')
    this.value = initial
  }

  // Made of `atomicMethods`.
  declare readonly load: () => T
  declare readonly store: (value: T) => void

  /** As constructors and native code call it: in one go. */
  update(change: (value: T) => T): T {
    const value = change(this.load())
    this.store(value)
    return value
  }

  static shared(view: Int32Array, index = 0): Atomic<number> {
    const atomic = new SharedAtomic(view, index)
    if (machine.heap?.isShared(view) === true) machine.heap.publish(atomic)
    return atomic
  }
}

/** An element of a typed array: its operations are accesses of that element. */
export class SharedAtomic extends Atomic<number> {
  readonly cells: Int32Array
  readonly index: number

  constructor(view: Int32Array, index: number) {
    super(0)
    if (!Number.isInteger(index) || index < 0) throw new RangeError(`Atomic.shared: there is no element ${index}`)
    cellsOf(view, index + 1, 'Atomic.shared')
    this.cells = view
    this.index = index
  }
}

/** Refuses what production refuses. */
export function cellsOf(view: Int32Array | undefined, count: number, what: string): Int32Array | undefined {
  if (view === undefined) return undefined
  if (!(view instanceof Int32Array) || !(view.buffer instanceof SharedArrayBuffer)) {
    throw new TypeError(`${what}: shared memory must be an Int32Array over a SharedArrayBuffer`)
  }
  if (view.length >= count) return view
  throw new RangeError(`${what}: needs ${count} cells of shared memory, and the view has ${view.length}`)
}

/** What a method of a primitive does. */
export interface Method {
  readonly mode: 'read' | 'write'
  /** Must be awaited; an interruption point at every granularity. */
  readonly isAsync?: boolean
  /** An interruption point at every granularity, although it is only a part of what must be awaited. */
  readonly waits?: boolean
  /** What people call it, if it is a part of a method. */
  readonly shown?: string
  readonly isEnabled?: (self: never, process: ObjectProcess) => boolean
  readonly perform: (self: never, heap: Heap, process: ObjectProcess, args: readonly unknown[]) => unknown
}

export type Methods = { readonly [name: string]: Method }

export const atomicMethods: Methods = {
  load: { mode: 'read', perform: (self: Atomic<unknown>) => self.value },
  store: { mode: 'write', perform: (self: Atomic<unknown>, heap, _, [value]) => heap.change(self, 'value', value) },
  compareAndSet: {
    mode: 'write',
    perform: (self: Atomic<unknown>, heap, _, [expected, value]) => {
      if (!Object.is(self.value, expected)) return false
      heap.change(self, 'value', value)
      return true
    },
  },
  exchange: {
    mode: 'write',
    perform: (self: Atomic<unknown>, heap, _, [value]) => {
      const before = self.value
      heap.change(self, 'value', value)
      return before
    },
  },
  getAndAdd: {
    mode: 'write',
    perform: (self: Atomic<number>, heap, _, [amount]) => {
      const before = self.value
      heap.change(self, 'value', before + (amount as number))
      return before
    },
  },
}

export const sharedAtomicMethods: Methods = {
  load: { mode: 'read', perform: (self: SharedAtomic) => element(self) },
  store: { mode: 'write', perform: (self: SharedAtomic, heap, _, [value]) => keep(self, heap, integer(value)) },
  compareAndSet: {
    mode: 'write',
    perform: (self: SharedAtomic, heap, _, [expected, value]) => {
      const stored = integer(value)
      if (!Object.is(element(self), expected)) return false
      keep(self, heap, stored)
      return true
    },
  },
  exchange: {
    mode: 'write',
    perform: (self: SharedAtomic, heap, _, [value]) => {
      const before = element(self)
      keep(self, heap, integer(value))
      return before
    },
  },
  getAndAdd: {
    mode: 'write',
    perform: (self: SharedAtomic, heap, _, [amount]) => {
      const before = element(self)
      keep(self, heap, (before + integer(amount)) | 0)
      return before
    },
  },
}

function element({ cells, index }: SharedAtomic): number {
  return cells[index] as number
}

function keep({ cells, index }: SharedAtomic, heap: Heap, value: number): void {
  heap.change(cells, index, value)
}

function integer(value: unknown): number {
  if (typeof value === 'number' && (value | 0) === value) return value
  throw new RangeError(`a shared Atomic holds 32-bit integers, and ${String(value)} is none`)
}
