/**
 * `allways/sync` under check: the same classes as in production, but each operation is one action of a process, and a process
 * that cannot have a lock waits in the search instead of blocking a thread.
 *
 * In production those who wait stand in a line; here any of them may be next. Nothing is missed by that: a process in the
 * line of a mutex or semaphore does nothing that others could notice until it is admitted, so it might as well arrive just
 * then, and what is left of the order in the line is an order of arrivals, which are all explored. There are more executions
 * than in production where the code before an asynchronous lock runs together with the arrival. A writer that has its turn
 * but waits for readers is noticed by all who come after it, so taking the turn is an action of its own
 * (`phased-locks.ts`): without it, the deadlock of a reader who asks again would be missed.
 */
import { mutexShapes, requireNoMore, requireShape, sharedLockShapes } from '../../core/option-shape.ts'
import { accessModes, processLimitOfMasks, wholeObject } from '../../program/stateful.ts'
import {
  Atomic,
  atomicMethods,
  cellsOf,
  type Method,
  type Methods,
  SharedAtomic,
  sharedAtomicMethods,
} from './controlled-atomic.ts'
import { Heap } from './heap.ts'
import { halvesOfWriting, mutexMethods, readMethods, semaphoreMethods, writeMethods } from './lock-methods.ts'
import { ActOperation } from './operations.ts'
import { Primitive } from './primitive.ts'
import { type AccessOperation, machine, type ObjectProcess } from './process.ts'
import { settledPromise } from './promises.ts'

interface SharedOptions {
  readonly shared?: Int32Array
}

/** Critical sections as constructors and native code have them: in one go. */
export abstract class ControlledLock extends Primitive {
  runSync<T>(body: () => T): T {
    atOnce(this, 'acquireSync', [])
    try {
      return body()
    } finally {
      atOnce(this, 'release', [])
    }
  }

  run(): never {
    throw new Error(`${nameOf(this)}.run() cannot be checked in a constructor, nor with a native function`)
  }
}

export class Mutex extends ControlledLock {
  /** Number of the process that holds it, and how often. Invariant: depth is 0 if and only if there is no owner. */
  owner: number | null = null
  depth = 0
  readonly reentrant: boolean = false
  readonly shared: Int32Array | undefined

  constructor(options: SharedOptions & { readonly reentrant?: boolean } = {}, ...extra: readonly never[]) {
    super()
    requireShape(options, mutexShapes, 'new Mutex(…)')
    requireNoMore(extra, 'new Mutex(options)')
    this.reentrant = options.reentrant ?? false
    this.shared = cellsOf(options.shared, Mutex.cells, 'Mutex')
    // biome-ignore lint/correctness/noConstructorReturn: over the same memory it is the same lock.
    return onlyOne(this)
  }

  // Not a field: fields of a class are state of the program.
  static get cells(): number {
    return 2
  }

  get locked(): boolean {
    return this.owner !== null
  }
}

export class ReadWriteLock extends Primitive {
  /** Has the turn: it writes, or waits until those who read have left. */
  writer: number | null = null
  /** No more readers are waited for: only now is there something to release. */
  isWriting = false
  readers = 0
  readonly shared: Int32Array | undefined
  // Private: what a lock consists of is the same in all states.
  readonly #read = new LockSide(this, 'read')
  readonly #write = new LockSide(this, 'write')

  constructor(options: SharedOptions = {}, ...extra: readonly never[]) {
    super()
    requireShape(options, sharedLockShapes, 'new ReadWriteLock(…)')
    requireNoMore(extra, 'new ReadWriteLock(options)')
    this.shared = cellsOf(options.shared, ReadWriteLock.cells, 'ReadWriteLock')
    // biome-ignore lint/correctness/noConstructorReturn: over the same memory it is the same lock.
    return onlyOne(this)
  }

  static get cells(): number {
    return 3
  }

  get read(): LockSide {
    return this.#read
  }

  get write(): LockSide {
    return this.#write
  }
}

/** A read-write lock as readers use it, or as writers do. */
export class LockSide extends ControlledLock {
  readonly lock: ReadWriteLock
  readonly side: 'read' | 'write'

  constructor(lock: ReadWriteLock, side: 'read' | 'write') {
    super()
    this.lock = lock
    this.side = side
  }
}

export class Semaphore extends ControlledLock {
  permits: number
  readonly shared: Int32Array | undefined

  constructor(permits: number, options: SharedOptions = {}, ...extra: readonly never[]) {
    super()
    if (!Number.isInteger(permits) || permits < 0 || permits > largest) {
      throw new RangeError(`Semaphore: the number of permits must be an integer from 0 to ${largest}, not ${permits}`)
    }
    this.permits = permits
    requireShape(options, sharedLockShapes, 'new Semaphore(…)')
    requireNoMore(extra, 'new Semaphore(permits, options)')
    this.shared = cellsOf(options.shared, Semaphore.cells, 'Semaphore')
    // biome-ignore lint/correctness/noConstructorReturn: over the same memory it is the same semaphore.
    return onlyOne(this)
  }

  static get cells(): number {
    return 2
  }

  get available(): number {
    return this.permits
  }
}

const largest = 2 ** 30

type Lock = Mutex | ReadWriteLock | Semaphore

const locks = new WeakMap<ArrayBufferLike, Map<number, Lock>>()

/** Every thread makes an object of its own over the same memory; here they are one, which all can reach. */
function onlyOne<T extends Lock>(lock: T): T {
  const { shared } = lock
  if (shared === undefined) return lock
  const known = locks.get(shared.buffer) ?? new Map<number, Lock>()
  locks.set(shared.buffer, known)
  const first = known.get(shared.byteOffset)
  const only = first?.constructor === lock.constructor ? (first as T) : lock
  known.set(shared.byteOffset, only)
  machine.heap?.publish(only)
  return only
}

/** What is in the memory: a lock that no object refers to any more is locked all the same, and such states are not equal. */
function mirrored(lock: Lock): number {
  if (lock instanceof Mutex) return lock.owner === null ? 0 : lock.owner + 2
  if (lock instanceof Semaphore) return lock.permits
  if (lock.writer === null) return lock.readers
  return -2 * (lock.writer + 2) - Number(lock.isWriting) - processLimitOfMasks * 4 * lock.readers
}

/** What changes when a primitive is used: itself, or the lock it is a side of. */
export function changedBy(object: object): object {
  return object instanceof LockSide ? object.lock : object
}

function nameOf(object: object): string {
  return object instanceof LockSide ? `ReadWriteLock.${object.side}` : object.constructor.name
}

/** Outside of processes. */
function atOnce(object: object, method: string, args: readonly unknown[]): unknown {
  const operation = primitiveOperation(object, method, args) as AccessOperation
  const heap = machine.heap ?? new Heap(new Set())
  const process = { number: -1 } as ObjectProcess
  operation.touch(heap, process)
  if (!operation.isEnabled(process)) throw new Error(`${operation.text} would wait for ever in a constructor`)
  const result = operation.perform(heap, process)
  return isAsyncPrimitive(object, method) ? settledPromise('fulfilled', result) : result
}

/** The operation a method of a primitive is; nothing for other objects and names. */
export function primitiveOperation(
  object: object,
  method: PropertyKey,
  args: readonly unknown[],
): AccessOperation | undefined {
  const found = methodOf(object, method)
  if (found === undefined) return undefined
  const { mode, isAsync = false, waits = isAsync, shown = String(method), isEnabled, perform } = found
  const changed = changedBy(object)
  const side = object instanceof LockSide ? `${object.side}.` : ''
  return new ActOperation({
    text: `${side}${shown}(${args.map(String).join(', ')})`,
    operands: [changed, ...args],
    waits,
    isEnabled: (process) => isEnabled?.(changed as never, process) ?? true,
    touch: (heap) => touch(heap, changed, mode),
    perform: (heap, process) => {
      const result = perform(changed as never, heap, process, args)
      const { shared } = changed as { readonly shared?: Int32Array | undefined }
      if (shared !== undefined) heap.change(shared, 0, mirrored(changed as Lock))
      return result
    },
  })
}

function touch(heap: Heap, object: object, mode: Method['mode']): void {
  if (object instanceof SharedAtomic) return heap.touchKey(object.cells, object.index, accessModes[mode])
  const { shared } = object as { readonly shared?: Int32Array | undefined }
  if (shared !== undefined) heap.touchKey(shared, 0, accessModes[mode], true)
  heap.touch(object, wholeObject, accessModes[mode], !(object instanceof Atomic))
}

/** True for methods whose promise must be awaited where it is asked for. */
export function isAsyncPrimitive(object: object, method: PropertyKey): boolean {
  return methodOf(object, method)?.isAsync === true
}

function methodOf(object: object, method: PropertyKey): Method | undefined {
  if (!(object instanceof Primitive) || typeof method !== 'string') return undefined
  if (object instanceof Mutex) return mutexMethods[method]
  if (object instanceof LockSide) return sideMethods(object.side, method)
  if (object instanceof Semaphore) return semaphoreMethods[method]
  if (object instanceof SharedAtomic) return sharedAtomicMethods[method]
  return object instanceof Atomic ? atomicMethods[method] : undefined
}

function sideMethods(side: 'read' | 'write', method: string): Method | undefined {
  return side === 'read' ? readMethods[method] : (writeMethods[method] ?? halvesOfWriting[method])
}

const all: readonly (readonly [object, Methods])[] = [
  [Mutex.prototype, mutexMethods],
  // The same names on both sides.
  [LockSide.prototype, readMethods],
  [Semaphore.prototype, semaphoreMethods],
  [Atomic.prototype, atomicMethods],
]

// Constructors call them as they are.
for (const [prototype, methods] of all) {
  for (const name of Object.keys(methods)) {
    const value = function (this: object, ...args: readonly unknown[]): unknown {
      return atOnce(this, name, args)
    }
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  }
}
