/**
 * Summaries as one diagram whose leaves are whole values, and back. What a summary says nothing about does not come through, so two executions are in the same
 * leaf if and only if they have the same value.
 */
import type { Diagram, LeafFunction } from '../../../bdd/diagrams.ts'
import { mostElements, nodeKinds } from '../../../semantics/ir/compiled/packed-values.ts'
import { type Lifting, type Spread, shapes } from './lifting.ts'
import { unionOf } from './merge.ts'
import { type MapSummary, nowhere, type Part, type SeqSummary, type Summary } from './summary.ts'

/** A diagram of packed values. */
export function concrete(lifting: Lifting, summary: Summary): Diagram {
  const { diagrams } = lifting
  switch (summary.kind) {
    case 'scalar':
      return summary.of
    case 'tuple': {
      let list = lifting.emptyPrefix
      for (const item of summary.items) list = lifting.appended(list, concrete(lifting, item))
      return finished(lifting, `tuple ${summary.names}`, list)
    }
    case 'seq':
      return finished(lifting, 'seq', listed(lifting, summary))
    case 'set': {
      let list = lifting.emptyPrefix
      for (const [at, element] of summary.elements.entries())
        list = diagrams.ite(summary.present[at] as Diagram, lifting.appended(list, diagrams.leaf(element)), list)
      return finished(lifting, 'set', list)
    }
    case 'map':
      return finished(lifting, 'map', entries(lifting, summary))
    case 'union': {
      let made = diagrams.leaf(nowhere)
      for (const [shape, part] of summary.alternatives)
        made = diagrams.ite(diagrams.guardOf(summary.tag, shape), concrete(lifting, part), made)
      return made
    }
  }
}

function listed(lifting: Lifting, { size, items }: SeqSummary): Diagram {
  let list = lifting.emptyPrefix
  for (const [at, item] of items.entries()) {
    const longer = lifting.beyond(size, at)
    if (longer === lifting.diagrams.never) break
    list = lifting.diagrams.ite(longer, lifting.appended(list, concrete(lifting, item)), list)
  }
  return list
}

/** Each key and its value. */
function entries(lifting: Lifting, { keys, present, values }: MapSummary): Diagram {
  const { diagrams } = lifting
  let list = lifting.emptyPrefix
  for (const [at, key] of keys.entries()) {
    const longer = lifting.appended(
      lifting.appended(list, diagrams.leaf(key)),
      concrete(lifting, values[at] as Summary),
    )
    list = diagrams.ite(present[at] as Diagram, longer, list)
  }
  return list
}

function finished(lifting: Lifting, how: string, list: Diagram): Diagram {
  const finish = lifting.function(`finish ${how}`, () => {
    const names = how.startsWith('tuple ') ? Number(how.slice('tuple '.length)) : 0
    const kind = how.startsWith('tuple ') ? 'tuple' : (how as 'seq' | 'set' | 'map')
    return (prefix) => (prefix === nowhere ? nowhere : packedOf(lifting, kind, names, lifting.partsOfPrefix(prefix)))
  })
  return lifting.diagrams.map(finish, list)
}

function packedOf(
  { packed }: Lifting,
  kind: 'tuple' | 'seq' | 'set' | 'map',
  names: number,
  parts: readonly number[],
): number {
  if (kind === 'tuple') return packed.heap.of(nodeKinds.tuple, [names, ...parts]) << 1
  const size = kind === 'map' ? parts.length / 2 : parts.length
  if (size > mostElements) return packed.packed(unpackedCollection(packed, kind, parts))
  if (kind !== 'map') return packed.heap.of(nodeKinds[kind], parts) << 1
  const keys = parts.filter((_, at) => at % 2 === 0)
  return packed.heap.of(nodeKinds.map, [...keys, ...parts.filter((_, at) => at % 2 === 1)]) << 1
}

function unpackedCollection(
  packed: Lifting['packed'],
  kind: 'seq' | 'set' | 'map',
  parts: readonly number[],
): Parameters<typeof packed.packed>[0] {
  const { values } = packed
  const all = packed.unpackedAll(parts)
  if (kind === 'seq') return values.seq(all)
  if (kind === 'set') return values.set(all)
  return values.map(all.flatMap((key, at) => (at % 2 === 0 ? [[key, all[at + 1] as typeof key] as const] : [])))
}

/** The summary of a diagram of packed values. */
export function lifted(lifting: Lifting, of: Diagram): Summary {
  return liftedSpread(lifting, lifting.spread(of))
}

/** Where a diagram says nothing, what it says elsewhere will do. */
export function liftedSpread(lifting: Lifting, spread: Spread): Summary {
  const found = new Set(spread.values.map(lifting.shapeOfValue))
  found.delete(nowhere)
  const [only = shapes.scalar] = found
  if (found.size <= 1) return liftedPart(lifting, lifting.saying(spread), only)
  const toShape = lifting.function('shape', () => lifting.shapeOfValue)
  const alternatives = new Map<number, Part>()
  for (const shape of found) {
    const ofShape = lifting.function(
      `of shape ${shape}`,
      () => (value) => (lifting.shapeOfValue(value) === shape ? value : nowhere),
    )
    alternatives.set(shape, liftedPart(lifting, lifting.saying(lifting.mapped(ofShape, spread)), shape))
  }
  return unionOf(lifting, lifting.mapped(toShape, spread).of, alternatives)
}

/** All leaves have this shape, or are nowhere. */
function liftedPart(lifting: Lifting, spread: Spread, shape: number): Part {
  if (shape === shapes.scalar) return { kind: 'scalar', of: spread.of }
  const opened = spread.values.flatMap((value) => lifting.opened(value) ?? [])
  const part = (at: number): Summary => liftedSpread(lifting, lifting.mapped(partFunction(lifting, at), spread))
  if (shape === shapes.seq) {
    const length = opened.reduce((longest, { parts }) => Math.max(longest, parts.length), 0)
    const toSize = lifting.function('size', () => (value) => lifting.opened(value)?.parts.length ?? 0)
    const size = lifting.mapped(toSize, spread).of
    return { kind: 'seq', size, items: Array.from({ length }, (_, at) => part(at)) }
  }
  if (shape === shapes.set || shape === shapes.map) return liftedKeyed(lifting, spread, shape)
  const { names = 0, parts = [] } = opened[0] ?? {}
  return { kind: 'tuple', names, items: parts.map((_, at) => part(at)) }
}

function partFunction(lifting: Lifting, at: number): LeafFunction {
  return lifting.function(`part ${at}`, () => (value) => lifting.opened(value)?.parts[at] ?? nowhere)
}

function liftedKeyed(lifting: Lifting, spread: Spread, shape: number): Part {
  const isMap = shape === shapes.map
  const keysOf = (value: number): readonly number[] => {
    const { parts = [] } = lifting.opened(value) ?? {}
    return isMap ? parts.slice(0, parts.length / 2) : parts
  }
  const all = [...new Set(spread.values.flatMap(keysOf))].sort((left, right) => lifting.packed.compare(left, right))
  const present = all.map((key) => {
    const has = lifting.function(`has ${key} ${isMap}`, () => (value) => (keysOf(value).includes(key) ? 1 : 0))
    return lifting.mapped(has, spread).of
  })
  if (!isMap) return { kind: 'set', elements: all, present }
  const values = all.map((key) => {
    const under = lifting.function(`under ${key}`, () => (value) => {
      const { parts = [] } = lifting.opened(value) ?? {}
      const at = keysOf(value).indexOf(key)
      return at < 0 ? nowhere : (parts[parts.length / 2 + at] as number)
    })
    return liftedSpread(lifting, lifting.mapped(under, spread))
  })
  return { kind: 'map', keys: all, present, values }
}
