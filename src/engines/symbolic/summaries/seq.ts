/** Lists. An index is a diagram of counts; where it is out of range the result says nothing, and `inRange` is asked first. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import { equal } from './equality.ts'
import type { Lifting } from './lifting.ts'
import { ite } from './merge.ts'
import { nowhere, type SeqSummary, type Summary } from './summary.ts'

export function emptySeq({ diagrams }: Lifting): SeqSummary {
  return { kind: 'seq', size: diagrams.leaf(0), items: [] }
}

/** Where an index is one of the list, or with `more` one that is so much larger. */
export function inRange(lifting: Lifting, { size }: SeqSummary, index: Diagram, more = 0): Diagram {
  const isWithin = lifting.operation(`within ${more}`, () => (at, length) => (at >= 0 && at < length + more ? 1 : 0))
  return lifting.diagrams.apply(isWithin, index, size)
}

export function elementAt(lifting: Lifting, { items }: SeqSummary, index: Diagram): Summary {
  let found: Summary | undefined
  for (const [at, item] of items.entries()) {
    const here = lifting.diagrams.guardOf(index, at)
    if (here === lifting.diagrams.never) continue
    found = found === undefined ? item : ite(lifting, here, item, found)
  }
  return found ?? { kind: 'scalar', of: lifting.diagrams.leaf(nowhere) }
}

export function withElementAt(lifting: Lifting, seq: SeqSummary, index: Diagram, value: Summary): SeqSummary {
  const items = seq.items.map((item, at) => ite(lifting, lifting.diagrams.guardOf(index, at), value, item))
  return { ...seq, items }
}

/** The items from the index on move up by one. */
export function insertedAt(lifting: Lifting, { size, items }: SeqSummary, index: Diagram, value: Summary): SeqSummary {
  const { diagrams } = lifting
  const made = Array.from({ length: items.length + 1 }, (_, at) => {
    const [item, before] = [items[at], items[at - 1]]
    const moved = before === undefined ? value : ite(lifting, diagrams.guardOf(index, at), value, before)
    return item === undefined ? moved : ite(lifting, lifting.beyond(index, at), item, moved)
  })
  return { kind: 'seq', size: lifting.plus(size, 1), items: made }
}

export function appended(lifting: Lifting, seq: SeqSummary, value: Summary): SeqSummary {
  const { size, items } = seq
  const made = Array.from({ length: items.length + 1 }, (_, at) => {
    const item = items[at]
    return item === undefined ? value : ite(lifting, lifting.diagrams.guardOf(size, at), value, item)
  })
  return { kind: 'seq', size: lifting.plus(size, 1), items: made }
}

export function removedAt(lifting: Lifting, { size, items }: SeqSummary, index: Diagram): SeqSummary {
  const made = items.slice(0, -1).map((item, at) => {
    return ite(lifting, lifting.beyond(index, at), item, items[at + 1] as Summary)
  })
  return { kind: 'seq', size: lifting.plus(size, -1), items: made }
}

export function contains(lifting: Lifting, { size, items }: SeqSummary, value: Summary): Diagram {
  const { diagrams } = lifting
  return items.reduce<Diagram>((found, item, at) => {
    const here = diagrams.and(lifting.beyond(size, at), equal(lifting, item, value))
    return diagrams.or(found, here)
  }, diagrams.never)
}
