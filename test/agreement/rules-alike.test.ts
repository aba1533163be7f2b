/**
 * Protocols of rules whose parties play the same part: states up to names, as the search on numbers counts them, are the orbits that an enumeration in plain
 * JavaScript has, and what the search of whole states has. Parties that are told apart are refused.
 */
import { describe, expect, test } from 'vitest'
import { permutations } from '../../src/collections/permutations.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import { searchCells } from '../../src/engines/stateful/cells/cells.ts'
import { GlobalSearch } from '../../src/engines/stateful/global-search.ts'
import { type Action, actions, checkResult, invariant, type Rule, system } from '../../src/index.ts'
import type { GlobalStates } from '../../src/program/stateful.ts'
import { amount, cut } from '../amount.ts'

/** Some of a party in a record of its own, some in a list of all parties. */
interface State {
  readonly parties: readonly { readonly a: number; readonly vote: { readonly of: number } | null }[]
  readonly flags: readonly boolean[]
  readonly shared: number
}

type When = (state: State, by: number) => boolean
type Does = (state: State, by: number) => State

const whens: readonly ((value: number) => When)[] = [
  (value) => (state, by) => state.parties[by]?.a === value,
  (value) => (state, by) => state.parties[by]?.vote?.of === value,
  () => (state, by) => state.parties[by]?.vote === null,
  () => (state, by) => state.flags[by] === true,
  (value) => (state) => state.shared === value,
  (value) => (state) => state.flags.filter(Boolean).length > value,
  (value) => (state) => state.parties.some(({ a }) => a === value),
]

const doings: readonly ((value: number) => Does)[] = [
  (value) => (state, by) => changed(state, by, { a: value }),
  () => (state, by) => changed(state, by, { a: ((state.parties[by]?.a ?? 0) + 1) % 3 }),
  (value) => (state, by) => changed(state, by, { vote: { of: value } }),
  () => (state, by) => changed(state, by, { vote: null }),
  () => (state, by) => ({ ...state, flags: state.flags.with(by, state.flags[by] !== true) }),
  (value) => (state) => ({ ...state, shared: value }),
  () => (state) => ({ ...state, shared: state.flags.filter(Boolean).length % 3 }),
]

function changed(state: State, by: number, party: Partial<State['parties'][number]>): State {
  return { ...state, parties: state.parties.with(by, { ...(state.parties[by] as State['parties'][number]), ...party }) }
}

function drawnRules(random: Random, parties: number): readonly Rule<State>[] {
  const kinds = Array.from({ length: 2 + random.below(3) }, () => ({
    when: Array.from({ length: random.below(3) }, () => random.pick(whens)(random.below(3))),
    does: Array.from({ length: 1 + random.below(2) }, () => random.pick(doings)(random.below(3))),
  }))
  const by = Array.from({ length: parties }, (_, party) => party)
  return kinds.flatMap(({ when, does }, kind) =>
    by.map((party) => (state: State): readonly Action<State>[] => {
      if (!when.every((holds) => holds(state, party))) return []
      return [{ name: `${kind} of ${party}`, after: () => does.reduce((before, one) => one(before, party), state) }]
    }),
  )
}

function firstOf(parties: number): State {
  return {
    parties: Array.from({ length: parties }, () => ({ a: 0, vote: null })),
    flags: Array.from({ length: parties }, () => false),
    shared: 0,
  }
}

const alike = {
  parties: ({ parties, flags }: State) => parties.map((party, by) => [party, flags[by]]),
  renamed: (state: State, order: readonly number[]): State => ({
    ...state,
    parties: order.map((by) => state.parties[by] as State['parties'][number]),
    flags: order.map((by) => state.flags[by] as boolean),
  }),
}

function declared(rules: readonly Rule<State>[], parties: number, holds?: (state: State) => boolean | string) {
  const protocol = actions<State>('protocol', { state: () => firstOf(parties), next: rules, alike })
  return system('drawn', { faults: {} }, () => ({
    machines: { protocol: protocol.as() },
    ...(holds === undefined
      ? {}
      : { invariants: [invariant<State>('it holds', (states) => holds(states.protocol as State))] }),
  }))
}

function statesOf(program: ReturnType<typeof declared>): GlobalStates {
  const view = program.views.stateful?.(settingFrom({ params: {}, network: program.network }))
  if (view === undefined || !('machines' in view)) throw new Error('a system has states')
  return view
}

function byRules(program: ReturnType<typeof declared>) {
  const events: EngineEvent[] = []
  const searching = searchCells(statesOf(program), { search: 'breadth', symmetry: true })
  for (let next = searching.next(); ; next = searching.next()) {
    if (next.done === true) return { isAtEnd: next.value, events }
    events.push(next.value)
  }
}

function told(events: readonly EngineEvent[]): object {
  const found = events.flatMap((event) => (event.kind === 'violation' ? [event.foundIn] : []))
  return { found, counts: events.flatMap((event) => (event.kind === 'progress' ? [event.counts] : [])).at(-1) }
}

/** How many states there are up to names. */
function orbits(rules: readonly Rule<State>[], parties: number): number {
  const orders = [...permutations(Array.from({ length: parties }, (_, party) => party))]
  const textOf = (state: State) =>
    orders.map((order) => JSON.stringify(alike.renamed(state, order))).sort()[0] as string
  const first = firstOf(parties)
  const known = new Map([[textOf(first), first]])
  for (const state of known.values())
    for (const { after } of rules.flatMap((rule) => rule(state, undefined as never))) {
      const made = (after as () => State)()
      if (!known.has(textOf(made))) known.set(textOf(made), made)
    }
  return known.size
}

describe('states up to names', cut, () => {
  test('are as many as an enumeration and the search of whole states have', () => {
    let [large, violated] = [0, 0]
    for (let seed = 0; seed < amount({ quick: 6, rest: 24, thorough: 200, all: 5_000 }); seed++) {
      const random = new Random(seed)
      const parties = 2 + random.below(3)
      const rules = drawnRules(random, parties)
      const bad = random.pick(whens)(random.below(3))
      // Asked of no party, or of all of them, and told in words that name one.
      const isAsked = random.below(2) === 0
      const holds = (state: State) => {
        const wrong = state.parties.findIndex((_, by) => bad(state, by) && state.shared === 2)
        return wrong < 0 || `party ${wrong} is wrong`
      }
      const program = declared(rules, parties, isAsked ? holds : undefined)
      const { isAtEnd, events } = byRules(program)
      expect(isAtEnd, `seed ${seed}`).toBe(true)
      const whole = [...new GlobalSearch(statesOf(program), { search: 'breadth', symmetry: true }).events()]
      const states = orbits(rules, parties)
      expect(told(events), `seed ${seed}`).toMatchObject({ counts: { states } })
      const [one, other] = [told(events), told(whole)] as { found: number[]; counts: object }[]
      expect(one?.counts, `seed ${seed}`).toEqual(other?.counts)
      expect(one?.found[0], `seed ${seed}`).toBe(other?.found[0])
      if (states > 50) large++
      if ((one?.found.length ?? 0) > 0) violated++
    }
    expect(Math.min(large, violated)).toBeGreaterThan(0)
  })

  test('a violation is told of the parties that it is about, and replayed', async () => {
    const rules = [0, 1, 2].map(
      (by): Rule<State> =>
        (state) => [{ name: `${by} turns`, after: () => ({ ...state, flags: state.flags.with(by, true) }) }],
    )
    const holds = ({ flags }: State) => flags.filter(Boolean).length < 2 || `${flags.map(Number).join('')} are up`
    const checked = await checkResult(declared(rules, 3, holds), { engine: 'stateful', options: { symmetry: true } })
    expect(checked).toMatchObject({ value: { kind: 'violated' } })
  })
})

describe('parties that are told apart are refused', () => {
  const turning = [0, 1, 2].map(
    (by): Rule<State> =>
      (state) => [{ name: `${by} turns`, after: () => ({ ...state, flags: state.flags.with(by, true) }) }],
  )
  test.each<readonly [string, Rule<State>]>([
    ['the first one alone', (state) => [{ name: 'on', after: () => changed(state, 0, { a: 1 }) }]],
    ['the first that is up', (state) => [{ name: 'on', after: { ...state, shared: state.flags.indexOf(true) + 1 } }]],
  ])('%s', async (_, rule) => {
    const program = declared([...turning, rule], 3)
    expect(byRules(program).isAtEnd).toBe(false)
    const checked = await checkResult(program, { engine: 'stateful', options: { symmetry: true } })
    expect(checked).toMatchObject({ ok: false, diagnostics: [{ code: 'E235' }] })
  })

  test('by an invariant', async () => {
    const program = declared(turning, 3, ({ flags }) => flags[0] === true || flags[1] !== true)
    expect(byRules(program).isAtEnd).toBe(false)
    const checked = await checkResult(program, { engine: 'stateful', options: { symmetry: true } })
    expect(checked).toMatchObject({ ok: false, diagnostics: [{ code: 'E235' }] })
  })
})

test('parties in a list that is written anew are left to the search of whole states', async () => {
  interface Up {
    readonly up: readonly number[]
    readonly n: number
  }
  const rules = [0, 1, 2].map(
    (by): Rule<Up> =>
      (state) =>
        state.up.includes(by) ? [] : [{ name: `${by} turns`, after: { ...state, up: [...state.up, by].sort() } }],
  )
  const protocol = actions<Up>('protocol', {
    state: () => ({ up: [], n: 3 }),
    next: rules,
    alike: {
      parties: ({ up }) => [0, 1, 2].map((by) => up.includes(by)),
      renamed: (state, order) => ({ ...state, up: order.flatMap((by, to) => (state.up.includes(by) ? [to] : [])) }),
    },
  })
  const program = system('up', { faults: {} }, () => ({ machines: { protocol: protocol.as() } }))
  const checked = await checkResult(program, { engine: 'stateful', options: { symmetry: true } })
  expect(checked).toMatchObject({ value: { kind: 'verified', counts: { states: 4 } } })
})
