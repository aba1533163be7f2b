/**
 * What user code does outside of a process: while modules are loaded, in constructors, in callbacks of native code. It is done on the spot, as part of
 * whatever is under way, and noted there: other processes may see it, and it is taken back.
 */
import { isObject } from '../../core/is-object.ts'
import { accessModes } from '../../program/stateful.ts'
import { runJobs } from './class-loop.ts'
import { bodyOf, closureOf, setterOf } from './functions.ts'
import { Heap } from './heap.ts'
import { nativeOperation, refuseLastMatch } from './natives.ts'
import { DeleteField, ReadField, WriteField } from './operations.ts'
import { type AccessOperation, machine, type ObjectProcess } from './process.ts'
import { combination, isPromiseClass, promiseStatic } from './promises.ts'
import { isCollection } from './views.ts'

type Fields = { readonly [key: PropertyKey]: unknown }

export function plainGet(_site: number, object: unknown, key: PropertyKey): unknown {
  const { heap } = machine
  if (object === RegExp && machine.isChecking) refuseLastMatch(key)
  if (heap !== undefined && isObject(object)) new ReadField(heap, object, key).touch(heap)
  const value = (object as Fields)[key]
  // It may be copied or looped over, natively.
  if (heap !== undefined && isCollection(value)) heap.touchWhole(value, accessModes.read)
  return value
}

export function plainSet(_site: number, object: unknown, key: PropertyKey, value: unknown): unknown {
  const { heap } = machine
  if (heap === undefined || !isObject(object)) {
    ;(object as { [key: PropertyKey]: unknown })[key] = value
    return value
  }
  if (setterOf(object, key) === undefined) return plainly(new WriteField(object, key, value))
  // A setter of the class runs as the user wrote it.
  heap.touchKey(object, key, accessModes.write)
  ;(object as { [key: PropertyKey]: unknown })[key] = value
  return value
}

export function plainDelete(_site: number, object: unknown, key: PropertyKey): unknown {
  return isObject(object) ? plainly(new DeleteField(object, key)) : Reflect.deleteProperty(Object(object), key)
}

/** What a pattern assigns to. */
export function plainPlace(site: number, object: unknown, key: PropertyKey): { value: unknown } {
  return {
    set value(value: unknown) {
      plainSet(site, object, key, value)
    },
  }
}

/** In constructors and callbacks. Promises that are made there are ours as well, and what native code changes is taken back. */
export function calledPlainly(callable: unknown, self: unknown, args: readonly unknown[], name: PropertyKey): unknown {
  if (isPromiseClass(self) && machine.isChecking) {
    const promise = promiseStatic(name, args)
    if (promise !== undefined) return promise
    const combined = combination(name, args[0])
    if (combined !== undefined) return plainly(combined)
  }
  if (typeof callable !== 'function') throw new TypeError(`${String(name) || 'it'} is not a function`)
  const { heap } = machine
  if (heap === undefined || bodyOf(callable) !== undefined || closureOf(callable) !== undefined)
    return Reflect.apply(callable, self, [...args])
  return plainly(nativeOperation(callable, self, args, heap, String(name) || callable.name))
}

/** Outside of a process there is none to wait: an operation that would have to is refused. */
export function plainly(operation: AccessOperation): unknown {
  const heap = machine.heap ?? new Heap(new Set())
  const process = { number: -1 } as ObjectProcess
  operation.touch(heap, process)
  if (operation.waits) runJobs()
  if (!operation.isEnabled(process)) throw new Error(`${operation.text} would wait for ever in a constructor`)
  return operation.perform(heap, process)
}

export function outside<Answer>(act: () => Answer): Answer {
  const before = machine.process
  machine.process = undefined
  try {
    return act()
  } finally {
    machine.process = before
  }
}
