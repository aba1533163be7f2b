/** Methods of arrays, maps, sets, typed arrays and `Atomics`: what each accesses, and that it is one action. */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { entryPart, type Heap, orderPart, partOf } from './heap.ts'
import { ActOperation, NativeOperation } from './operations.ts'
import type { Operation } from './process.ts'

const { read, write } = accessModes

/** The operation a method of a container is; nothing for methods that have no entry here. */
export function containerOperation(
  object: object,
  method: PropertyKey,
  args: readonly unknown[],
): Operation | undefined {
  if (typeof method !== 'string') return undefined
  if (object instanceof Map) return mapOperation(object, method, args)
  if (object instanceof Set) return setOperation(object, method, args)
  if (Array.isArray(object)) return arrayOperation(object, method, args)
  if (object === Atomics) return atomicsOperation(method, args)
  return undefined
}

type AnyMethod = (...args: readonly unknown[]) => unknown

function native(object: object, method: string, args: readonly unknown[]): unknown {
  return (object as { readonly [name: string]: AnyMethod })[method]?.(...args)
}

function mapOperation(map: Map<unknown, unknown>, method: string, args: readonly unknown[]): Operation | undefined {
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
          return map.delete(key)
        },
      })
    case 'clear':
      return new NativeOperation('clears it', [], [map], () => map.clear())
    default:
      return undefined
  }
}

function setOperation(set: Set<unknown>, method: string, args: readonly unknown[]): Operation | undefined {
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
  'concat flat includes indexOf join lastIndexOf slice toReversed toSorted toSpliced toString with'.split(' '),
)
const arrayWriters = new Set('copyWithin fill pop push reverse shift sort splice unshift'.split(' '))

function arrayOperation(array: unknown[], method: string, args: readonly unknown[]): Operation | undefined {
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
  if (arrayReaders.has(method))
    return new NativeOperation(`reads ${text}`, [array], [], () => native(array, method, args), args)
  if (arrayWriters.has(method))
    return new NativeOperation(`writes ${text}`, [], [array], () => native(array, method, args), args)
  return undefined
}

function atomicsOperation(method: string, args: readonly unknown[]): Operation | undefined {
  const [view, index] = args
  if (!ArrayBuffer.isView(view) || typeof index !== 'number') return undefined
  const typed = view as Int32Array
  const changes = method !== 'load'
  return new ActOperation({
    text: `Atomics.${method} [${index}]`,
    operands: args,
    touch: (heap) => heap.touch(typed, partOf(index), changes ? write : read),
    perform: (heap) => {
      const before = typed[index] as number
      const result = native(Atomics, method, args)
      heap.onRollBack(() => {
        typed[index] = before
      })
      return result
    },
  })
}

function printed(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return '…'
  return typeof value === 'function' ? 'function' : String(value)
}
