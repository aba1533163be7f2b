/** Operations on summaries against the same operations on plain values, under every assignment of a few variables. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { concrete, lifted } from '../../../../src/engines/symbolic/summaries/concrete.ts'
import { diagramsOf, equal, within } from '../../../../src/engines/symbolic/summaries/equality.ts'
import {
  added,
  dropped,
  has,
  keyList,
  listOf,
  put,
  setHas,
  sizeOf,
  valueAt,
  without,
} from '../../../../src/engines/symbolic/summaries/keyed.ts'
import { ite } from '../../../../src/engines/symbolic/summaries/merge.ts'
import {
  appended,
  contains,
  elementAt,
  emptySeq,
  inRange,
  insertedAt,
  removedAt,
  withElementAt,
} from '../../../../src/engines/symbolic/summaries/seq.ts'
import type { MapSummary, SeqSummary, SetSummary, Summary } from '../../../../src/engines/symbolic/summaries/summary.ts'
import type { IrValue, MapValue, SeqValue, SetValue } from '../../../../src/semantics/ir/value.ts'
import { amount } from '../../../amount.ts'
import { type Known, KnownSummaries, shapes } from './known.ts'

const rounds = amount({ quick: 60, all: 3_000 })

/** Each round with variables and values of its own. */
function everyRound(check: (known: KnownSummaries) => void): void {
  for (let seed = 0; seed < rounds; seed++) check(new KnownSummaries(new Random(seed)))
}

const seqAt = ({ table }: Known, at: number): readonly IrValue[] => (table[at] as SeqValue).items

describe('a summary', () => {
  test('of any values has the value that was merged last', () => {
    everyRound((known) => known.expect(known.known(...shapes)))
  })

  test('is the same after it was one diagram of whole values', () => {
    everyRound((known) => {
      const { summary, table } = known.known(...shapes)
      known.expect({ summary: lifted(known.lifting, concrete(known.lifting, summary)), table })
    })
  })

  test('is one diagram, the same for the same values however they were made', () => {
    everyRound((known) => {
      const { summary, table } = known.known(...shapes)
      const again = known.row((at) => known.guardOf(known.row((other) => at === other)))
      const rebuilt = again.reduce(
        (rest, guard, at) => known.merged(guard, known.constant(table[at] as IrValue), rest),
        known.constant(known.value('seq')),
      )
      expect(known.scalar(rebuilt)).toBe(concrete(known.lifting, summary))
    })
  })

  test('is equal to another one exactly where the values are', () => {
    everyRound((known) => {
      const [one, other] = [known.known(...shapes), known.known(...shapes)]
      // Half of it is the same, in other words.
      const mixed = known.merged(known.guard(), { ...one, summary: lifted(known.lifting, known.scalar(one)) }, other)
      const guard = equal(known.lifting, one.summary, mixed.summary)
      known.expectGuard({ guard, table: known.row((at) => one.table[at] === mixed.table[at]) })
    })
  })

  test('is the same within a care set', () => {
    everyRound((known) => {
      const { summary, table } = known.known(...shapes)
      const care = known.guard()
      if (!care.table.includes(true)) return
      known.expect({ summary: within(known.lifting, summary, care.guard), table }, care.table)
    })
  })

  test('survives a collection of all but its diagrams', () => {
    everyRound((known) => {
      const one = known.known(...shapes)
      known.diagrams.collect(diagramsOf(one.summary))
      // Nodes that were given back are used again.
      known.known(...shapes)
      known.expect(one)
    })
  })
})

describe('a list', () => {
  /** Items of different shapes. */
  const list = (known: KnownSummaries): Known => known.known('seq', 'deep')
  const seqOf = (summary: Summary): SeqSummary => summary as SeqSummary
  const listed = (known: KnownSummaries, summary: Summary, each: (at: number) => readonly IrValue[]): Known => ({
    summary,
    table: known.row((at) => known.values.seq(each(at))),
  })

  test('has its items, changed ones, and no others', () => {
    everyRound((known) => {
      const [of, value] = [list(known), known.known('int', 'seq')]
      const { index, table } = known.counts((at) => Math.max(1, seqAt(of, at).length))
      const inside = known.row((at) => (table[at] as number) < seqAt(of, at).length)
      const seq = seqOf(of.summary)
      known.expectGuard({ guard: inRange(known.lifting, seq, index), table: inside })
      const found = elementAt(known.lifting, seq, index)
      known.expect({ summary: found, table: known.row((at) => seqAt(of, at)[table[at] as number] ?? null) }, inside)
      const changed = withElementAt(known.lifting, seq, index, value.summary)
      const removed = removedAt(known.lifting, seq, index)
      known.expect(
        listed(known, changed, (at) =>
          inside[at] ? seqAt(of, at).with(table[at] as number, value.table[at] ?? null) : [],
        ),
        inside,
      )
      known.expect(
        listed(known, removed, (at) => seqAt(of, at).toSpliced(table[at] as number, 1)),
        inside,
      )
    })
  })

  test('grows anywhere', () => {
    everyRound((known) => {
      const [of, value] = [list(known), known.known('int', 'tuple')]
      const { index, table } = known.counts((at) => seqAt(of, at).length + 2)
      const inside = known.row((at) => (table[at] as number) <= seqAt(of, at).length)
      const seq = seqOf(of.summary)
      known.expectGuard({ guard: inRange(known.lifting, seq, index, 1), table: inside })
      const inserted = insertedAt(known.lifting, seq, index, value.summary)
      known.expect(
        listed(known, inserted, (at) => seqAt(of, at).toSpliced(table[at] as number, 0, value.table[at] ?? null)),
        inside,
      )
      const longer = appended(known.lifting, seq, value.summary)
      known.expect(listed(known, longer, (at) => [...seqAt(of, at), value.table[at] ?? null]))
    })
  })

  test('grows and shrinks again and again', () => {
    everyRound((known) => {
      let [summary, table]: [Summary, readonly (readonly IrValue[])[]] = [emptySeq(known.lifting), known.row(() => [])]
      for (let turns = 0; turns < 8; turns++) {
        const [where, value] = [known.guard(), known.known('int')]
        const before = seqOf(summary)
        const isShorter = known.random.below(3) === 0
        const leaves = known.diagrams.and(where.guard, known.lifting.beyond(before.size, 0))
        const other = isShorter
          ? removedAt(known.lifting, before, known.diagrams.leaf(0))
          : appended(known.lifting, before, value.summary)
        const old = table
        table = known.row((at) => {
          const items = old[at] as readonly IrValue[]
          if (!where.table[at]) return items
          return isShorter ? items.slice(1) : [...items, value.table[at] ?? null]
        })
        const guard = { guard: isShorter ? leaves : where.guard, table: where.table }
        summary = known.merged(guard, { summary: other, table: [] }, { summary: before, table: [] }).summary
        known.expect(listed(known, summary, (at) => table[at] as readonly IrValue[]))
      }
    })
  })

  test('contains what is among its items', () => {
    everyRound((known) => {
      const [of, value] = [list(known), known.known('int', 'seq')]
      const guard = contains(known.lifting, seqOf(of.summary), value.summary)
      known.expectGuard({ guard, table: known.row((at) => seqAt(of, at).includes(value.table[at] ?? null)) })
    })
  })

  test('is told apart from others by its items alone, not by what is left over behind them', () => {
    const known = new KnownSummaries(new Random(0))
    const { diagrams, lifting } = known
    const item = (value: IrValue): Summary => known.constant(value).summary
    // The second item is there in one half alone.
    const half = diagrams.literal(0)
    const size = diagrams.ite(half, diagrams.leaf(2), diagrams.leaf(1))
    const list = (left: number): SeqSummary => {
      return { kind: 'seq', size, items: [item(1), ite(lifting, half, item(9), item(left))] }
    }
    const [one, other] = [list(2), list(3)]
    expect(equal(lifting, one, other)).toBe(diagrams.always)
    expect(concrete(lifting, one)).toBe(concrete(lifting, other))
    expect(lifting.packed.unpacked(diagrams.valueUnder(concrete(lifting, one), new Map()))).toBe(known.values.seq([1]))
    expect(contains(lifting, one, item(2))).toBe(diagrams.never)
  })
})

describe('a set', () => {
  const setAt = ({ table }: Known, at: number): SetValue => table[at] as SetValue

  test('has what was added and not dropped', () => {
    everyRound((known) => {
      const [of, element] = [known.known('set'), known.known('int', 'tuple')]
      const [set, key] = [of.summary as SetSummary, known.scalar(element)]
      const at = (assignment: number): IrValue => element.table[assignment] ?? null
      const { lifting, values } = known
      known.expectGuard({
        guard: setHas(lifting, set, key),
        table: known.row((each) => setAt(of, each).items.includes(at(each))),
      })
      const care = known.guard()
      const more = added(lifting, set, key, care.guard)
      known.expect({ summary: more, table: known.row((each) => values.added(setAt(of, each), at(each))) }, care.table)
      const less = dropped(lifting, set, key)
      known.expect({ summary: less, table: known.row((each) => values.dropped(setAt(of, each), at(each))) })
      const size = lifting.whole(sizeOf(lifting, set.present))
      known.expect({ summary: { kind: 'scalar', of: size }, table: known.row((each) => setAt(of, each).items.length) })
      const items = keyList(lifting, set.elements, set.present)
      known.expect({ summary: items, table: known.row((each) => values.seq(setAt(of, each).items)) })
    })
  })
})

describe('a map', () => {
  const mapAt = ({ table }: Known, at: number): MapValue => table[at] as MapValue

  test('has what was put and not taken away', () => {
    everyRound((known) => {
      const { lifting, values } = known
      const [of, key, value] = [known.known('map'), known.known('int'), known.known('seq', 'int')]
      const [map, scalar] = [of.summary as MapSummary, known.scalar(key)]
      const keyAt = (at: number): IrValue => key.table[at] ?? null
      const present = known.row((at) => mapAt(of, at).keys.includes(keyAt(at)))
      known.expectGuard({ guard: has(lifting, map, scalar), table: present })
      const under = known.row((at) => mapAt(of, at).values[mapAt(of, at).keys.indexOf(keyAt(at))] ?? null)
      known.expect({ summary: valueAt(lifting, map, scalar), table: under }, present)
      const care = known.guard()
      const more = put(lifting, map, [scalar, value.summary], care.guard)
      const putTable = known.row((at) => values.put(mapAt(of, at), keyAt(at), value.table[at] ?? null))
      known.expect({ summary: more, table: putTable }, care.table)
      const less = without(lifting, map, scalar)
      known.expect({ summary: less, table: known.row((at) => values.without(mapAt(of, at), keyAt(at))) })
      const size = lifting.whole(sizeOf(lifting, map.present))
      known.expect({ summary: { kind: 'scalar', of: size }, table: known.row((at) => mapAt(of, at).keys.length) })
    })
  })

  test('has its keys and values in order', () => {
    everyRound((known) => {
      const { lifting, values } = known
      const of = known.known('map')
      const { keys, present, values: items } = of.summary as MapSummary
      const keysOf = keyList(lifting, keys, present)
      known.expect({ summary: keysOf, table: known.row((at) => values.seq(mapAt(of, at).keys)) })
      const all = listOf(lifting, present, (at) => items[at] as Summary)
      known.expect({ summary: all, table: known.row((at) => values.seq(mapAt(of, at).values)) })
    })
  })

  test('is told apart from others by what is under keys that are present, not by what is left over', () => {
    const known = new KnownSummaries(new Random(0))
    const { diagrams, lifting } = known
    const map = (value: IrValue): MapSummary => {
      const one = known.constant(value).summary
      return { kind: 'map', keys: [lifting.packed.whole(1)], present: [diagrams.never], values: [one] }
    }
    expect(equal(lifting, map(1), map(2))).toBe(diagrams.always)
    expect(concrete(lifting, map(1))).toBe(lifting.constant(known.values.map([])))
  })
})
