/**
 * Protocols of rules: what a search finds that asks each rule once about what it looks at is what it finds that asks everything in every state, and what an
 * enumeration in plain JavaScript finds.
 */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { encodeInOrder, type Value } from '../../src/core/value.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import { searchAlone } from '../../src/engines/local/alone.ts'
import { searchCells } from '../../src/engines/stateful/cells/cells.ts'
import { GlobalSearch } from '../../src/engines/stateful/global-search.ts'
import { type Action, actions, invariant, refines, system } from '../../src/index.ts'
import type { Program } from '../../src/program/program.ts'
import type { GlobalStates } from '../../src/program/stateful.ts'
import { amount, cut } from '../amount.ts'
import { type Drawn, drawnRules, drawnTest, type Form, first, register } from './rules-generate.ts'

type Rule = (state: Drawn) => readonly Action<Drawn>[]

interface Case extends Form {
  readonly rules: readonly Rule[]
  readonly isBad: ((state: Drawn) => boolean) | undefined
}

function drawnCase(seed: number): Case {
  const random = new Random(seed)
  const form = { isCalling: random.below(3) === 0, isReshaping: random.below(8) === 0 }
  const rules = drawnRules(random, form)
  return { ...form, rules, isBad: random.below(2) === 0 ? drawnTest(random) : undefined }
}

function declared({ isBad, isCalling }: Case, next: Rule | readonly Rule[]): Program {
  return system('drawn', { faults: {} }, () => ({
    machines: { protocol: actions<Drawn>('protocol', { state: () => first, next }).as() },
    ...(isCalling ? { properties: [refines(register)] } : {}),
    ...(isBad === undefined
      ? {}
      : { invariants: [invariant('it holds', (states) => !isBad(states.protocol as unknown as Drawn))] }),
  }))
}

function statesOf(program: Program): GlobalStates {
  const view = program.views.stateful?.(settingFrom({ params: {}, network: program.network }))
  if (view === undefined || !('machines' in view)) throw new Error('a system has states')
  return view
}

/** Counts at the end, what was violated after how many decisions, and how many executions ended. */
function told(events: readonly EngineEvent[]): object {
  const found = events.flatMap((event) =>
    event.kind === 'violation' ? [[event.violation.message, event.foundIn] as const] : [],
  )
  const counts = events.flatMap((event) => (event.kind === 'progress' ? [event.counts] : [])).at(-1)
  return { counts, found, endings: events.filter(({ kind }) => kind === 'ending').length }
}

function byRules(program: Program, search: 'breadth' | 'depth') {
  return gone(searchCells(statesOf(program), { search }))
}

function gone(searching: Generator<EngineEvent, boolean>) {
  const events: EngineEvent[] = []
  for (let next = searching.next(); ; next = searching.next()) {
    if (next.done === true) return { isAtEnd: next.value, events }
    events.push(next.value)
  }
}

const mostStates = 3_000

/** All states and steps, or nothing if there are too many. */
function enumerated({ rules }: Case): { readonly states: number; readonly transitions: number } | undefined {
  const known = new Map([[encodeInOrder(first as unknown as Value), first]])
  let transitions = 0
  for (const state of known.values()) {
    for (const { after } of rules.flatMap((rule) => rule(state))) {
      const made = typeof after === 'function' ? (after as () => Drawn)() : after
      known.set(encodeInOrder(made as unknown as Value), made)
      transitions++
    }
    if (known.size > mostStates) return undefined
  }
  return { states: known.size, transitions }
}

describe.each(['breadth', 'depth'] as const)('%s first', cut, (search) => {
  test('the same states, steps, endings and violations', () => {
    const seen = { saving: 0, violated: 0, calling: 0, reshaping: 0 }
    for (let seed = 0; seed < amount({ quick: 12, rest: 80, thorough: 500, all: 20_000 }); seed++) {
      const one = drawnCase(seed + (search === 'depth' ? 1_000_000 : 0))
      const expected = enumerated(one)
      if (expected === undefined) continue
      const calls = { rules: 0, whole: 0 }
      const counted = (by: keyof typeof calls) =>
        one.rules.map((rule) => (state: Drawn) => {
          calls[by]++
          return rule(state)
        })
      const { isAtEnd, events } = byRules(declared(one, counted('rules')), search)
      if (!isAtEnd) {
        expect(one.isReshaping, `seed ${seed} is given up`).toBe(true)
        seen.reshaping++
        continue
      }
      const all = counted('whole')
      const whole = declared(one, (state) => all.flatMap((rule) => rule(state)))
      const asked = [...new GlobalSearch(statesOf(whole), { search }).events()]
      expect(told(events), `seed ${seed}`).toEqual(told(asked))
      if (!one.isCalling) expect(told(events), `seed ${seed}`).toMatchObject({ counts: expected })
      if (expected.states > 300 && calls.rules < calls.whole) seen.saving++
      if (events.some(({ kind }) => kind === 'violation')) seen.violated++
      if (one.isCalling) seen.calling++
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  })
})

test('engine local finds the same states, steps and violations of a machine that is alone', cut, () => {
  const seen = { violated: 0, calling: 0, reshaping: 0, functions: 0 }
  for (let seed = 2_000_000; seed < 2_000_000 + amount({ quick: 16, rest: 40, thorough: 300, all: 20_000 }); seed++) {
    const one = drawnCase(seed)
    if (enumerated(one) === undefined) continue
    const isFunction = seed % 2 === 0
    const whole = declared(one, (state) => one.rules.flatMap((rule) => rule(state)))
    const { machines } = statesOf(isFunction ? whole : declared(one, one.rules))
    const { isAtEnd, events } = gone(searchAlone(machines, new Set()))
    expect(isAtEnd, `seed ${seed}`).toBe(true)
    const asked = [...new GlobalSearch(statesOf(whole), { search: 'breadth' }).events()]
    expect(common(events), `seed ${seed}`).toEqual(common(asked))
    const isViolated = events.some(({ kind }) => kind === 'violation')
    if (isViolated) seen.violated++
    if (isFunction) seen.functions++
    if (one.isCalling) seen.calling++
    if (one.isReshaping) seen.reshaping++
  }
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
})

/** What searches count alike, and what they find. */
function common(events: readonly EngineEvent[]): object {
  const { counts, found } = told(events) as { counts: { states: number; transitions: number }; found: unknown }
  return { states: counts.states, transitions: counts.transitions, found }
}
