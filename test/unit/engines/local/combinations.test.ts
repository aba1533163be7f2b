/** Combinations of states by what an invariant reads, against all combinations. */
import { expect, test } from 'vitest'
import type { Violation } from '../../../../src/core/property.ts'
import { Random } from '../../../../src/core/random.ts'
import type { Value } from '../../../../src/core/value.ts'
import { Combinations } from '../../../../src/engines/local/combinations.ts'
import { anywhere } from '../../../../src/engines/local/needs.ts'
import type { LocalState } from '../../../../src/program/machines.ts'
import { amount } from '../../../amount.ts'

interface Data {
  readonly role: number
  readonly log: readonly { readonly term: number; readonly note?: number }[]
  readonly votes: { readonly [name: string]: number }
}

const machines = 3

test('every combination that breaks an invariant is told, and what it says is what it says of the states', () => {
  for (let seed = 0; seed < amount({ quick: 150, all: 20_000 }); seed++) {
    const random = new Random(seed)
    const below = (most: number) => random.below(most)
    const spaces = Array.from({ length: machines }, () => ({ states: [] as LocalState[] }))
    const invariant = { name: 'generated', violation: readerOf(Array.from({ length: 12 }, () => below(7))) }
    const combinations = new Combinations(invariant, spaces)
    const told: (readonly number[])[] = []
    for (let added = 0; added < 12; added++) {
      const machine = added < machines ? added : below(machines)
      const states = spaces[machine]?.states ?? []
      states.push(stateOf(below))
      for (const found of combinations.add(machine, states.length - 1)) if (typeof found === 'object') told.push(found)
      if (below(4) === 0) for (const all of everyCombination(spaces)) combinations.isBroken(all)
    }
    for (const all of everyCombination(spaces)) {
      const isBroken =
        invariant.violation(all.map((state, at) => spaces[at]?.states[state] as LocalState)) !== undefined
      expect(combinations.isBroken(all), `seed ${seed}`).toBe(isBroken)
      const isTold = told.some((one) => one.every((state, at) => state === anywhere || state === all[at]))
      if (isBroken) expect(isTold, `seed ${seed}: ${all}`).toBe(true)
    }
    const exact = told.filter((one) => !one.includes(anywhere))
    for (const one of exact) expect(combinations.isBroken(one), `seed ${seed}: ${one}`).toBe(true)
  }
})

test('what is not read is not combined', () => {
  const spaces = Array.from({ length: machines }, () => ({ states: [] as LocalState[] }))
  const violation = ([first]: readonly LocalState[]) =>
    brokenIf(((first as LocalState).data as unknown as Data).role === 7)
  const combinations = new Combinations({ name: 'role', violation }, spaces)
  const told: (readonly number[] | 'breath' | undefined)[] = []
  for (let role = 0; role < 10; role++)
    for (const [machine, { states }] of spaces.entries()) {
      states.push(local({ role, log: [{ term: role }], votes: {} }))
      told.push(...combinations.add(machine, role))
    }
  // Ten roles of the first machine, whatever the others do.
  expect(combinations.tried).toBe(10)
  expect(told).toEqual([[7, anywhere, anywhere]])
})

function* everyCombination(spaces: readonly { readonly states: readonly LocalState[] }[]): Generator<number[]> {
  const [first, second, third] = spaces.map(({ states }) => [...states.keys()])
  for (const a of first ?? []) for (const b of second ?? []) for (const c of third ?? []) yield [a, b, c]
}

function local(data: Data): LocalState {
  return { data: data as unknown as Value, timers: [], requests: 0, crashes: 0 }
}

function stateOf(below: (most: number) => number): LocalState {
  const log = Array.from({ length: below(3) }, () =>
    below(2) === 0 ? { term: below(2) } : { term: 1, note: below(2) },
  )
  return local({ role: below(2), log, votes: below(2) === 0 ? {} : { a: below(2) } })
}

function brokenIf(isBroken: boolean): Violation | undefined {
  return isBroken ? { kind: 'invariant', property: 'generated', message: 'broken' } : undefined
}

/** Reads what the plan says, and goes on by what it read. */
function readerOf(plan: readonly number[]): (states: readonly LocalState[]) => Violation | undefined {
  return (states) => {
    const data = states.map((state) => state.data as unknown as Data)
    let sum = plan[0] ?? 0
    for (let step = 0; step < 4; step++) {
      const what = plan[(sum + step) % plan.length] ?? 0
      const { role, log, votes } = data[(what + sum) % machines] as Data
      if (what === 0) sum += role
      else if (what === 1) sum += log.length
      else if (what === 2) sum += log.find(({ term }) => term === 1)?.note ?? 3
      else if (what === 3) sum += 'a' in votes ? 1 : 2
      else if (what === 4) sum += Object.keys(votes).length
      else if (what === 5) sum += votes.a ?? 5
      else sum += Object.values(votes).reduce((total, one) => total + one, log.map(({ term }) => term).indexOf(0) + 1)
    }
    return brokenIf(sum % 3 === 0)
  }
}
