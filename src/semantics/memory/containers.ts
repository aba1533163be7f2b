/** Methods of arrays, maps, sets, typed arrays and `Atomics`: what each accesses, and that it is one action. */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { bytesOfElement, bytesOfMethod, bytesRestorer, cannotBeUndone, isBuffer } from './buffers.ts'
import { noteDeletion } from './deletions.ts'
import { entryPart, type Heap, orderPart, partOf } from './heap.ts'
import { ActOperation, NativeOperation } from './operations.ts'
import type { AccessOperation } from './process.ts'
import { refuse } from './search-error.ts'

const { read, write } = accessModes

/** The operation a method of a container is; nothing for methods that have no entry here. */
export function containerOperation(
  object: object,
  method: PropertyKey,
  args: readonly unknown[],
): AccessOperation | undefined {
  if (typeof method !== 'string') return undefined
  if (isOverridden(object, method)) return undefined
  if (object instanceof Map) return mapOperation(object, method, args)
  if (object instanceof Set) return setOperation(object, method, args)
  if (Array.isArray(object)) return arrayOperation(object, method, args)
  if (isTypedArray(object)) return typedArrayOperation(object, method, args)
  if (object instanceof DataView) return dataViewOperation(object, method, args)
  if (isBuffer(object) && cannotBeUndone(method)) return refusedOperation(method)
  if (object === Atomics) return atomicsOperation(method, args)
  return undefined
}

/** By a class that extends a native one, or in the object itself: then it is a method like any other. */
function isOverridden(object: object, method: string): boolean {
  const native = [Map, Set, Array].find((one) => object instanceof one)?.prototype as Methods | undefined
  return native !== undefined && Object.hasOwn(native, method) && (object as Methods)[method] !== native[method]
}

interface Methods {
  readonly [name: string]: unknown
}

type AnyMethod = (...args: readonly unknown[]) => unknown

function native(object: object, method: string, args: readonly unknown[]): unknown {
  return (object as { readonly [name: string]: AnyMethod })[method]?.(...args)
}

function mapOperation(
  map: Map<unknown, unknown>,
  method: string,
  args: readonly unknown[],
): AccessOperation | undefined {
  const [key, value] = args
  const part = entryPart(key)
  const text = `${method}(${printed(key)})`
  switch (method) {
    case 'get':
    case 'has':
      return new ActOperation({
        text: `reads ${text}`,
        operands: [map, ...args],
        touch: (heap) => heap.touch(map, part, read),
        perform: () => native(map, method, args),
      })
    case 'set':
      return new ActOperation({
        text: `writes ${text}`,
        operands: [map, ...args],
        touch: (heap) => touchEntry(heap, map, part, !map.has(key)),
        perform: (heap) => {
          const had = map.has(key)
          const before = map.get(key)
          if (heap.isShared(map)) {
            heap.publish(key)
            heap.publish(value)
          }
          map.set(key, value)
          heap.onRollBack(() => (had ? map.set(key, before) : map.delete(key)))
          return map
        },
      })
    case 'delete':
      return new ActOperation({
        text: `writes ${text}`,
        operands: [map, ...args],
        touch: (heap) => touchEntry(heap, map, part, map.has(key)),
        perform: (heap) => {
          if (map.has(key)) heap.save(map)
          noteDeletion(heap, map, key)
          return map.delete(key)
        },
      })
    case 'clear':
      return new NativeOperation('clears it', [], [map], () => map.clear())
    default:
      return undefined
  }
}

function setOperation(set: Set<unknown>, method: string, args: readonly unknown[]): AccessOperation | undefined {
  const [value] = args
  const part = entryPart(value)
  const text = `${method}(${printed(value)})`
  switch (method) {
    case 'has':
      return new ActOperation({
        text: `reads ${text}`,
        operands: [set, ...args],
        touch: (heap) => heap.touch(set, part, read),
        perform: () => set.has(value),
      })
    case 'add':
      return new ActOperation({
        text: `writes ${text}`,
        operands: [set, ...args],
        touch: (heap) => touchEntry(heap, set, part, !set.has(value)),
        perform: (heap) => {
          if (set.has(value)) return set
          if (heap.isShared(set)) heap.publish(value)
          set.add(value)
          heap.onRollBack(() => set.delete(value))
          return set
        },
      })
    case 'delete':
      return new ActOperation({
        text: `writes ${text}`,
        operands: [set, ...args],
        touch: (heap) => touchEntry(heap, set, part, set.has(value)),
        perform: (heap) => {
          if (set.has(value)) heap.save(set)
          noteDeletion(heap, set, value)
          return set.delete(value)
        },
      })
    case 'clear':
      return new NativeOperation('clears it', [], [set], () => set.clear())
    default:
      return undefined
  }
}

/** An entry is written; the order and number of entries only if it comes or goes. */
function touchEntry(heap: Heap, object: object, part: number, changesOrder: boolean): void {
  heap.touch(object, part, write)
  if (changesOrder && part !== wholeObject) heap.touch(object, orderPart, write)
}

const arrayReaders = new Set(
  'includes indexOf join lastIndexOf slice toReversed toSorted toSpliced toString with'.split(' '),
)
const arrayWriters = new Set('copyWithin fill pop push reverse shift sort splice unshift'.split(' '))

function arrayOperation(array: unknown[], method: string, args: readonly unknown[]): AccessOperation | undefined {
  const text = `${method}(${args.map(printed).join(', ')})`
  if (method === 'at') {
    const index = Number(args[0])
    const at = index < 0 ? array.length + index : index
    return new ActOperation({
      text: `reads [${at}]`,
      operands: [array, ...args],
      touch: (heap) => {
        heap.touch(array, partOf(at), read)
        if (index < 0) heap.touch(array, orderPart, read)
      },
      perform: () => array.at(index),
    })
  }
  if (method === 'concat' || method === 'flat') {
    return new ActOperation({
      text: `reads ${text}`,
      operands: [array, ...args],
      touch: (heap) => touchArrays(heap, array, method === 'concat' ? args : array),
      perform: () => native(array, method, args),
    })
  }
  if (arrayReaders.has(method))
    return new NativeOperation(`reads ${text}`, [array], [], () => native(array, method, args), args)
  if (arrayWriters.has(method))
    return new NativeOperation(`writes ${text}`, [], [array], () => native(array, method, args), args)
  return undefined
}

/** The array, and those whose elements become elements of the result. */
function touchArrays(
  heap: Heap,
  array: readonly unknown[],
  others: readonly unknown[],
  seen = new Set<unknown>(),
): void {
  seen.add(array)
  heap.touchWhole(array, read)
  for (const other of others) if (Array.isArray(other) && !seen.has(other)) touchArrays(heap, other, other, seen)
}

const typedArrayReaders = new Set(
  'at includes indexOf join lastIndexOf slice toReversed toSorted toString with'.split(' '),
)

/** The others are taken for writers; `subarray` only makes another view. */
function typedArrayOperation(
  array: ArrayBufferView,
  method: string,
  args: readonly unknown[],
): AccessOperation | undefined {
  const reads = typedArrayReaders.has(method) ? [array] : method === 'subarray' ? [] : undefined
  if (reads === undefined) return undefined
  const text = `${reads.length === 0 ? 'calls' : 'reads'} ${method}(${args.map(printed).join(', ')})`
  return new NativeOperation(text, reads, [], () => native(array, method, args), [array, ...args])
}

function isTypedArray(object: object): object is ArrayBufferView {
  return ArrayBuffer.isView(object) && !(object instanceof DataView)
}

function atomicsOperation(method: string, args: readonly unknown[]): AccessOperation | undefined {
  const [view, index] = args
  if (!ArrayBuffer.isView(view) || typeof index !== 'number') return undefined
  const typed = view as Int32Array
  const changes = method !== 'load'
  return new ActOperation({
    text: `Atomics.${method} [${index}]`,
    operands: args,
    touch: (heap) => heap.touchKey(typed, index, changes ? write : read),
    perform: (heap) => {
      const bytes = changes ? bytesOfElement(typed, index) : undefined
      if (bytes !== undefined) heap.onRollBack(bytesRestorer(typed.buffer, bytes))
      return native(Atomics, method, args)
    },
  })
}

function dataViewOperation(view: DataView, method: string, args: readonly unknown[]): AccessOperation | undefined {
  const bytes = bytesOfMethod(view, method, args[0])
  if (bytes === undefined) return undefined
  const changes = method.startsWith('set')
  const key = `byte ${bytes.from - view.byteOffset}`
  return new ActOperation({
    text: `${changes ? 'writes' : 'reads'} ${method}(${args.map(printed).join(', ')})`,
    operands: [view, ...args],
    touch: (heap) => heap.touchBytes(view, bytes, { mode: changes ? write : read, key, isLock: false }),
    perform: (heap) => {
      if (changes) heap.onRollBack(bytesRestorer(view.buffer, bytes))
      return native(view, method, args)
    },
  })
}

/** Refuses when it is performed, so that its place is known. */
function refusedOperation(method: string): AccessOperation {
  return new ActOperation({
    text: `${method}()`,
    operands: [],
    touch: () => {},
    perform: () =>
      refuse({
        code: 'E307',
        message: `${method}() of a buffer cannot be checked`,
        hint: 'make the buffer large enough from the beginning',
      }),
  })
}

function printed(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return '…'
  return typeof value === 'function' ? 'function' : String(value)
}
