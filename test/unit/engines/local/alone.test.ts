/** A machine of actions that is alone: what `local` keeps of it, and where it says what is wrong as of any other system. */
import { expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { searchAlone } from '../../../../src/engines/local/alone.ts'
import { local } from '../../../../src/engines/local/local.ts'
import { type Action, actions, invariant, type Rule, system } from '../../../../src/index.ts'
import type { Machines } from '../../../../src/program/machines.ts'
import { exploredLocally } from './explored.ts'

type Bag = { readonly [field: string]: unknown }

function machinesOf(first: object, next: unknown, holds?: (state: never) => boolean | string): Machines {
  const program = system('declared', { faults: {} }, () => ({
    machines: { protocol: actions<Bag>('protocol', { state: () => first as Bag, next: next as Rule<Bag>[] }).as() },
    ...(holds === undefined
      ? {}
      : { invariants: [invariant<Bag>('it holds', ({ protocol }) => holds(protocol as never))] }),
  }))
  const view = program.views.machines
  if (view === undefined) throw new Error('a system offers its machines')
  return view(settingFrom({ params: {}, network: program.network, faults: {} }))
}

function searched(machines: Machines) {
  const events: EngineEvent[] = []
  const searching = searchAlone(machines, new Set())
  for (let next = searching.next(); ; next = searching.next()) {
    if (next.done === true) return { isAtEnd: next.value, events }
    events.push(next.value)
  }
}

/** By the engine: with the general search, where the other one is given up. */
function toldBy(machines: Machines): readonly string[] {
  return [...local.explore(machines, {})].flatMap((event) => {
    if (event.kind === 'diagnostic') return [event.diagnostic.code]
    return event.kind === 'violation' ? [event.violation.message] : []
  })
}

interface Counter {
  readonly n: number
  readonly m: { readonly of: readonly number[] }
}

const first: Counter = { n: 0, m: { of: [0] } }

function counting({ n, m }: Counter): readonly Action<Counter>[] {
  return [
    ...(n < 9 ? [{ name: 'n', after: { n: n + 1, m } }] : []),
    ...((m.of[0] as number) < 9 ? [{ name: 'm', after: { n, m: { of: [(m.of[0] as number) + 1] } } }] : []),
  ]
}

test.each([
  ['a function', counting],
  ['a list of rules', [counting]],
])('every state is counted once, by %s', (_, next) => {
  const { isAtEnd, events } = searched(machinesOf(first, next))
  expect(isAtEnd).toBe(true)
  // Ten values each; nine steps along each of ten lines, in two directions; eighteen steps to the last state.
  const counts = { states: 100, transitions: 180, depth: 18, messages: 0 }
  expect(events.at(-1)).toMatchObject({ counts, explored: 1 })
})

test('the general search of the same machine counts the same', () => {
  const { counts } = exploredLocally(machinesOf(first, counting))
  expect(counts).toMatchObject({ states: 100, transitions: 180, depth: 18, messages: 0 })
})

test('what is violated is told once, by a shortest execution', () => {
  const { events } = searched(machinesOf(first, counting, ({ n, m }: Counter) => n + (m.of[0] as number) < 4))
  const found = events.filter((event) => event.kind === 'violation')
  expect(found).toHaveLength(1)
  // What is found by an action is its timer and its choice.
  expect(found[0]?.decisions.filter(({ kind }) => kind === 'choose')).toHaveLength(4)
})

test('a search begins again where parts turn out to have other fields, and tells what it has told no more', () => {
  const growing = ({ list }: { readonly list: readonly number[] }) =>
    list.length < 5 ? [{ name: 'grow', after: { list: [...list, list.length] } }] : []
  const holds = ({ list }: { readonly list: readonly number[] }) => list.length > 0
  const { isAtEnd, events } = searched(machinesOf({ list: [] }, [growing], holds))
  expect(isAtEnd).toBe(true)
  expect(events.filter(({ kind }) => kind === 'violation')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ counts: { states: 6 } })
})

test('a rule that answers by chance is given up, and told', () => {
  let asked = 0
  const rule = ({ n }: { readonly n: number }) =>
    n < 3 && asked++ % 3 < 2 ? [{ name: 'on', after: { n: n + 1 } }] : []
  expect(searched(machinesOf({ n: 0 }, [rule])).isAtEnd).toBe(false)
  asked = 0
  expect(toldBy(machinesOf({ n: 0 }, [rule]))).toContain('E201')
})

test('a rule that compares which objects parts are is given up, and told', () => {
  const rule = ({ a, b }: { readonly a: object; readonly b: object }) =>
    a === b ? [] : [{ name: 'on', after: { a, b: a } }]
  const begin = { a: { x: 1 }, b: { x: 1 } }
  expect(searched(machinesOf(begin, [rule])).isAtEnd).toBe(false)
  expect(toldBy(machinesOf(begin, [rule]))).toEqual(['E201'])
})

test('a rule that throws is given up, and what it throws is a violation', () => {
  const rule = ({ n }: { readonly n: number }) => {
    if (n === 2) throw new Error('no more')
    return [{ name: 'on', after: { n: n + 1 } }]
  }
  expect(searched(machinesOf({ n: 0 }, [rule])).isAtEnd).toBe(false)
  expect(toldBy(machinesOf({ n: 0 }, [rule])).join()).toContain('no more')
})

test('of a system with others, or of handlers, nothing is explored here', () => {
  const machine = actions<Counter>('counter', { state: () => first, next: counting })
  const view = system('two', { faults: {} }, () => ({ machines: { a: machine.as(), b: machine.as() } })).views.machines
  const machines = view?.(settingFrom({ params: {}, network: 'bag', faults: {} })) as Machines
  expect(searched(machines)).toEqual({ isAtEnd: false, events: [] })
})
