/**
 * The independent parts of a history: objects that have nothing to do with each other (linearizability is local: Herlihy and
 * Wing, TOPLAS 1990, Theorem 1), and within an object the parts its specification names.
 */
import type { Call } from '../../core/history.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { Specification } from './specification.ts'
import { asking } from './specification-threw.ts'

export interface Part {
  /** Which of several objects, if the history has several. */
  readonly object?: Value
  /** Which part of the object, if it has parts. */
  readonly key?: Value
  readonly calls: readonly Call[]
  readonly specification: Specification
}

export type ObjectOf = (call: Call) => Value | undefined

export function partsOf(calls: readonly Call[], specification: Specification, objectOf?: ObjectOf): readonly Part[] {
  if (objectOf === undefined) return partsOfObject({ calls, specification })
  const groups = grouped(calls, objectOf)
  return groups.flatMap(({ key, calls: own }) => partsOfObject({ object: key, calls: own, specification }))
}

function partsOfObject(whole: Part): readonly Part[] {
  const { calls, specification } = whole
  if (specification.partition === undefined || calls.length === 0) return [whole]
  const keys = new Map<Call, Value>()
  for (const call of calls) {
    const key = asking(specification, call, () => specification.partition?.(call.operation, call.args))
    if (key === undefined) return [whole]
    keys.set(call, key)
  }
  return grouped(calls, (call) => keys.get(call)).map(({ key, calls: own }) => ({
    ...whole,
    key,
    calls: own,
    specification: specification.part?.(key) ?? specification,
  }))
}

/** In order of first appearance. */
function grouped(calls: readonly Call[], keyOf: ObjectOf): readonly { readonly key: Value; readonly calls: Call[] }[] {
  const groups = new Map<string, { readonly key: Value; readonly calls: Call[] }>()
  for (const call of calls) {
    const key = keyOf(call)
    const name = encodeValue(key)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { key, calls: [call] })
    else group.calls.push(call)
  }
  return [...groups.values()]
}
