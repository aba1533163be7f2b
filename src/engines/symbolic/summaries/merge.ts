/** `ite`, the one primitive: what holds under a guard is this, and otherwise that. Updates, joins and choices are made of it. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import type { Lifting } from './lifting.ts'
import type { MapSummary, Part, SeqSummary, SetSummary, Summary, TupleSummary, UnionSummary } from './summary.ts'

export function ite(lifting: Lifting, guard: Diagram, then: Summary, otherwise: Summary): Summary {
  const { diagrams } = lifting
  if (then === otherwise || guard === diagrams.always) return then
  if (guard === diagrams.never) return otherwise
  if (then.kind === 'union' || otherwise.kind === 'union' || lifting.shapeOf(then) !== lifting.shapeOf(otherwise))
    return mergedUnions(lifting, guard, then, otherwise)
  switch (then.kind) {
    case 'scalar': {
      const of = diagrams.ite(guard, then.of, (otherwise as typeof then).of)
      return of === then.of ? then : { kind: 'scalar', of }
    }
    case 'tuple':
      return mergedTuples(lifting, guard, then, otherwise as TupleSummary)
    case 'seq':
      return mergedSeqs(lifting, guard, then, otherwise as SeqSummary)
    case 'set':
      return mergedSets(lifting, guard, then, otherwise as SetSummary)
    case 'map':
      return mergedMaps(lifting, guard, then, otherwise as MapSummary)
  }
}

/** Where one of both says nothing, the other may speak everywhere. */
function iteOrEither(
  lifting: Lifting,
  guard: Diagram,
  then: Summary | undefined,
  otherwise: Summary | undefined,
): Summary {
  if (then === undefined) return otherwise as Summary
  return otherwise === undefined ? then : ite(lifting, guard, then, otherwise)
}

function mergedTuples(lifting: Lifting, guard: Diagram, then: TupleSummary, otherwise: TupleSummary): TupleSummary {
  const items = then.items.map((item, at) => ite(lifting, guard, item, otherwise.items[at] as Summary))
  return { kind: 'tuple', names: then.names, items }
}

function mergedSeqs(lifting: Lifting, guard: Diagram, then: SeqSummary, otherwise: SeqSummary): SeqSummary {
  const size = lifting.diagrams.ite(guard, then.size, otherwise.size)
  const length = Math.max(then.items.length, otherwise.items.length)
  const items = Array.from({ length }, (_, at) => iteOrEither(lifting, guard, then.items[at], otherwise.items[at]))
  return { kind: 'seq', size, items }
}

/** Elements of two sorted lists, in order and each once, with where they stand in both; -1 if they do not. */
export function alongside(
  lifting: Lifting,
  left: readonly number[],
  right: readonly number[],
): readonly (readonly [element: number, left: number, right: number])[] {
  const found: (readonly [number, number, number])[] = []
  let [one, other] = [0, 0]
  while (one < left.length || other < right.length) {
    const [first, second] = [left[one], right[other]]
    const order = first === undefined ? 1 : second === undefined ? -1 : lifting.packed.compare(first, second)
    if (order === 0) found.push([first as number, one++, other++])
    else if (order < 0) found.push([first as number, one++, -1])
    else found.push([second as number, -1, other++])
  }
  return found
}

function mergedSets(lifting: Lifting, guard: Diagram, then: SetSummary, otherwise: SetSummary): SetSummary {
  const { diagrams } = lifting
  const both = alongside(lifting, then.elements, otherwise.elements)
  return {
    kind: 'set',
    elements: both.map(([element]) => element),
    present: both.map(([, one, other]) =>
      diagrams.ite(guard, then.present[one] ?? diagrams.never, otherwise.present[other] ?? diagrams.never),
    ),
  }
}

function mergedMaps(lifting: Lifting, guard: Diagram, then: MapSummary, otherwise: MapSummary): MapSummary {
  const { diagrams } = lifting
  const both = alongside(lifting, then.keys, otherwise.keys)
  return {
    kind: 'map',
    keys: both.map(([key]) => key),
    present: both.map(([, one, other]) =>
      diagrams.ite(guard, then.present[one] ?? diagrams.never, otherwise.present[other] ?? diagrams.never),
    ),
    values: both.map(([, one, other]) => iteOrEither(lifting, guard, then.values[one], otherwise.values[other])),
  }
}

export function tagOf(lifting: Lifting, summary: Summary): Diagram {
  return summary.kind === 'union' ? summary.tag : lifting.diagrams.leaf(lifting.shapeOf(summary))
}

export function alternativesOf(lifting: Lifting, summary: Summary): ReadonlyMap<number, Part> {
  return summary.kind === 'union' ? summary.alternatives : new Map([[lifting.shapeOf(summary), summary]])
}

function mergedUnions(lifting: Lifting, guard: Diagram, then: Summary, otherwise: Summary): Summary {
  const tag = lifting.diagrams.ite(guard, tagOf(lifting, then), tagOf(lifting, otherwise))
  const [one, other] = [alternativesOf(lifting, then), alternativesOf(lifting, otherwise)]
  const alternatives = new Map<number, Part>()
  for (const shape of new Set([...one.keys(), ...other.keys()]))
    alternatives.set(shape, iteOrEither(lifting, guard, one.get(shape), other.get(shape)) as Part)
  return unionOf(lifting, tag, alternatives)
}

/** A union with the alternatives that its tag names; none if that is one. */
export function unionOf(lifting: Lifting, tag: Diagram, alternatives: ReadonlyMap<number, Part>): Summary {
  const named = lifting.diagrams.leaves(tag).filter((shape) => alternatives.has(shape))
  const [only] = named
  if (named.length === 1) return alternatives.get(only as number) as Part
  const kept = new Map(named.map((shape) => [shape, alternatives.get(shape) as Part]))
  return { kind: 'union', tag, alternatives: kept } satisfies UnionSummary
}
