/** Where two summaries have the same value, as one guard; and summaries made smaller where nobody cares. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import type { Lifting } from './lifting.ts'
import { alongside, alternativesOf, tagOf, unionOf } from './merge.ts'
import type { MapSummary, Part, SeqSummary, SetSummary, Summary } from './summary.ts'

export function equal(lifting: Lifting, left: Summary, right: Summary): Diagram {
  const { diagrams } = lifting
  if (left === right) return diagrams.always
  if (left.kind === 'union' || right.kind === 'union') return equalUnions(lifting, left, right)
  if (lifting.shapeOf(left) !== lifting.shapeOf(right)) return diagrams.never
  switch (left.kind) {
    case 'scalar':
      return lifting.same(left.of, (right as typeof left).of)
    case 'tuple':
      return left.items.reduce<Diagram>((all, item, at) => {
        if (all === diagrams.never) return all
        return diagrams.and(all, equal(lifting, item, (right as typeof left).items[at] as Summary))
      }, diagrams.always)
    case 'seq':
      return equalSeqs(lifting, left, right as SeqSummary)
    case 'set':
      return equalKeys(lifting, left.elements, left.present, right as SetSummary)
    case 'map':
      return equalMaps(lifting, left, right as MapSummary)
  }
}

function equalUnions(lifting: Lifting, left: Summary, right: Summary): Diagram {
  const { diagrams } = lifting
  const [one, other] = [alternativesOf(lifting, left), alternativesOf(lifting, right)]
  let found = diagrams.never
  for (const [shape, part] of one) {
    const same = other.get(shape)
    if (same === undefined) continue
    const both = diagrams.and(
      diagrams.guardOf(tagOf(lifting, left), shape),
      diagrams.guardOf(tagOf(lifting, right), shape),
    )
    if (both !== diagrams.never) found = diagrams.or(found, diagrams.and(both, equal(lifting, part, same)))
  }
  return found
}

function equalSeqs(lifting: Lifting, left: SeqSummary, right: SeqSummary): Diagram {
  const { diagrams } = lifting
  let found = lifting.same(left.size, right.size)
  const length = Math.min(left.items.length, right.items.length)
  for (let at = 0; at < length && found !== diagrams.never; at++) {
    const ended = diagrams.not(lifting.beyond(left.size, at))
    const same = equal(lifting, left.items[at] as Summary, right.items[at] as Summary)
    found = diagrams.and(found, lifting.masked(ended, same))
  }
  return found
}

function equalKeys(
  lifting: Lifting,
  elements: readonly number[],
  present: readonly Diagram[],
  right: SetSummary,
): Diagram {
  const { diagrams } = lifting
  let found = diagrams.always
  for (const [, one, other] of alongside(lifting, elements, right.elements)) {
    const [has, hasToo] = [present[one] ?? diagrams.never, right.present[other] ?? diagrams.never]
    found = diagrams.and(found, diagrams.ite(has, hasToo, diagrams.not(hasToo)))
  }
  return found
}

function equalMaps(lifting: Lifting, left: MapSummary, right: MapSummary): Diagram {
  const { diagrams } = lifting
  const keys = { kind: 'set', elements: right.keys, present: right.present } as const
  let found = equalKeys(lifting, left.keys, left.present, keys)
  for (const [, one, other] of alongside(lifting, left.keys, right.keys)) {
    const [value, same] = [left.values[one], right.values[other]]
    if (value === undefined || same === undefined || found === diagrams.never) continue
    const absent = diagrams.not(left.present[one] as Diagram)
    found = diagrams.and(found, lifting.masked(absent, equal(lifting, value, same)))
  }
  return found
}

/** The same wherever the care set holds, and smaller if that is possible; `care` holds somewhere. */
export function within(lifting: Lifting, summary: Summary, care: Diagram): Summary {
  const { diagrams } = lifting
  switch (summary.kind) {
    case 'scalar':
      return diagrams.isLeaf(summary.of) ? summary : { kind: 'scalar', of: diagrams.within(summary.of, care) }
    case 'tuple':
      return { ...summary, items: summary.items.map((item) => within(lifting, item, care)) }
    case 'seq': {
      const size = diagrams.within(summary.size, care)
      const longest = diagrams.leaves(size).reduce((most, count) => Math.max(most, count), 0)
      const items = summary.items.slice(0, longest).map((item) => within(lifting, item, care))
      return { kind: 'seq', size, items }
    }
    case 'set': {
      const present = summary.present.map((guard) => diagrams.within(guard, care))
      const kept = present.map((guard) => guard !== diagrams.never)
      return { kind: 'set', elements: only(summary.elements, kept), present: only(present, kept) }
    }
    case 'map': {
      const present = summary.present.map((guard) => diagrams.within(guard, care))
      const kept = present.map((guard) => guard !== diagrams.never)
      return {
        kind: 'map',
        keys: only(summary.keys, kept),
        present: only(present, kept),
        values: only(summary.values, kept).map((value) => within(lifting, value, care)),
      }
    }
    case 'union': {
      const tag = diagrams.within(summary.tag, care)
      const kept = diagrams.leaves(tag).flatMap((shape) => {
        const part = summary.alternatives.get(shape)
        return part === undefined ? [] : [[shape, within(lifting, part, care) as Part] as const]
      })
      return unionOf(lifting, tag, new Map(kept))
    }
  }
}

function only<T>(all: readonly T[], kept: readonly boolean[]): readonly T[] {
  return all.filter((_, at) => kept[at])
}

/** All diagrams of a summary. */
export function* diagramsOf(summary: Summary): Generator<Diagram> {
  switch (summary.kind) {
    case 'scalar':
      return yield summary.of
    case 'tuple':
      for (const item of summary.items) yield* diagramsOf(item)
      return
    case 'seq':
      yield summary.size
      for (const item of summary.items) yield* diagramsOf(item)
      return
    case 'set':
      return yield* summary.present
    case 'map':
      yield* summary.present
      for (const value of summary.values) yield* diagramsOf(value)
      return
    case 'union':
      yield summary.tag
      for (const part of summary.alternatives.values()) yield* diagramsOf(part)
  }
}

const kinds = { scalar: 0, tuple: 1, seq: 2, set: 3, map: 4, union: 5 } as const

/**
 * Puts numbers that are the same for summaries that are alike: values as well as diagrams, in an order that tells which is which. Not a generator: all states
 * are compared part by part in each step, and a generator for each value took a tenth of a short search.
 */
export function putContents(summary: Summary, into: number[]): void {
  into.push(kinds[summary.kind])
  switch (summary.kind) {
    case 'scalar':
      into.push(summary.of)
      return
    case 'tuple':
      into.push(summary.names, summary.items.length)
      for (const item of summary.items) putContents(item, into)
      return
    case 'seq':
      into.push(summary.size, summary.items.length)
      for (const item of summary.items) putContents(item, into)
      return
    case 'set':
      into.push(summary.elements.length)
      putAll(summary.elements, into)
      putAll(summary.present, into)
      return
    case 'map':
      into.push(summary.keys.length)
      putAll(summary.keys, into)
      putAll(summary.present, into)
      for (const value of summary.values) putContents(value, into)
      return
    case 'union':
      into.push(summary.tag, summary.alternatives.size)
      for (const [shape, part] of summary.alternatives) {
        into.push(shape)
        putContents(part, into)
      }
  }
}

/** One by one: so many arguments as a set may have elements are too many for a call. */
function putAll(numbers: readonly number[], into: number[]): void {
  for (const one of numbers) into.push(one)
}
