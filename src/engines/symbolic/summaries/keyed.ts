/** Sets and maps. An element or a key is a diagram of packed values; `care` says where anybody asks. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import { lifted } from './concrete.ts'
import type { Lifting } from './lifting.ts'
import { ite } from './merge.ts'
import { appended, emptySeq } from './seq.ts'
import { type MapSummary, nowhere, type SeqSummary, type SetSummary, type Summary } from './summary.ts'

/** Where one of the keys is present. */
export function has(
  { diagrams }: Lifting,
  { keys, present }: { readonly keys: readonly number[]; readonly present: readonly Diagram[] },
  key: Diagram,
): Diagram {
  return keys.reduce<Diagram>((found, one, at) => {
    const isIt = diagrams.guardOf(key, one)
    return isIt === diagrams.never ? found : diagrams.or(found, diagrams.and(isIt, present[at] as Diagram))
  }, diagrams.never)
}

export function setHas(lifting: Lifting, { elements, present }: SetSummary, element: Diagram): Diagram {
  return has(lifting, { keys: elements, present }, element)
}

export function added(lifting: Lifting, set: SetSummary, element: Diagram, care: Diagram): SetSummary {
  const { diagrams } = lifting
  const map = new Map(set.elements.map((one, at) => [one, set.present[at] as Diagram]))
  for (const one of diagrams.leavesWithin(element, care)) {
    if (one === nowhere || !lifting.packed.isValue(one)) continue
    map.set(one, diagrams.or(map.get(one) ?? diagrams.never, diagrams.guardOf(element, one)))
  }
  const elements = [...map.keys()].sort((left, right) => lifting.packed.compare(left, right))
  return { kind: 'set', elements, present: elements.map((one) => map.get(one) as Diagram) }
}

export function dropped({ diagrams }: Lifting, set: SetSummary, element: Diagram): SetSummary {
  const present = set.present.map((guard, at) =>
    diagrams.minus(guard, diagrams.guardOf(element, set.elements[at] as number)),
  )
  return { ...set, present }
}

export function put(lifting: Lifting, map: MapSummary, [key, value]: Entry, care: Diagram): MapSummary {
  const { diagrams } = lifting
  const known = new Map(map.keys.map((one, at) => [one, at]))
  const made = new Map(
    map.keys.map((one, at) => [one, [map.present[at] as Diagram, map.values[at] as Summary] as const]),
  )
  for (const one of diagrams.leavesWithin(key, care)) {
    if (one === nowhere || !lifting.packed.isValue(one)) continue
    const isIt = diagrams.guardOf(key, one)
    const at = known.get(one)
    const before = made.get(one)
    if (at === undefined || before === undefined) made.set(one, [isIt, value])
    else made.set(one, [diagrams.or(before[0], isIt), ite(lifting, isIt, value, before[1])])
  }
  return sortedMap(lifting, made)
}

type Entry = readonly [key: Diagram, value: Summary]

function sortedMap(
  lifting: Lifting,
  made: ReadonlyMap<number, readonly [present: Diagram, value: Summary]>,
): MapSummary {
  const keys = [...made.keys()].sort((left, right) => lifting.packed.compare(left, right))
  const entries = keys.map((key) => made.get(key) as readonly [Diagram, Summary])
  return { kind: 'map', keys, present: entries.map(([present]) => present), values: entries.map(([, value]) => value) }
}

export function without({ diagrams }: Lifting, map: MapSummary, key: Diagram): MapSummary {
  const present = map.present.map((guard, at) => diagrams.minus(guard, diagrams.guardOf(key, map.keys[at] as number)))
  return { ...map, present }
}

/** What is under a key; it says nothing where the key is not present. */
export function valueAt(lifting: Lifting, { keys, values }: MapSummary, key: Diagram): Summary {
  let found: Summary | undefined
  for (const [at, one] of keys.entries()) {
    const isIt = lifting.diagrams.guardOf(key, one)
    if (isIt === lifting.diagrams.never) continue
    const value = values[at] as Summary
    found = found === undefined ? value : ite(lifting, isIt, value, found)
  }
  return found ?? { kind: 'scalar', of: lifting.diagrams.leaf(nowhere) }
}

/** A diagram of counts. */
export function sizeOf(lifting: Lifting, present: readonly Diagram[]): Diagram {
  const { diagrams } = lifting
  return present.reduce<Diagram>((size, guard) => diagrams.ite(guard, lifting.plus(size, 1), size), diagrams.leaf(0))
}

/** What is present, as a list in order. */
export function listOf(lifting: Lifting, present: readonly Diagram[], itemAt: (at: number) => Summary): SeqSummary {
  let list = emptySeq(lifting)
  for (const [at, guard] of present.entries()) {
    if (guard === lifting.diagrams.never) continue
    list = ite(lifting, guard, appended(lifting, list, itemAt(at)), list) as SeqSummary
  }
  return list
}

/** A list of packed values that are present. */
export function keyList(lifting: Lifting, keys: readonly number[], present: readonly Diagram[]): SeqSummary {
  return listOf(lifting, present, (at) => lifted(lifting, lifting.diagrams.leaf(keys[at] as number)))
}
