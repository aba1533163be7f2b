/** What dpor says of invariants, execution by execution, against all consistent cuts of the execution. */
// @module-tag cut
import { expect, test } from 'vitest'
import type { FaultBudget } from '../../src/core/faults.ts'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import type { Value } from '../../src/core/value.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { Machines } from '../../src/program/machines.ts'
import type { Runnable } from '../../src/program/program.ts'
import { systemInvariant } from '../../src/semantics/machines/invariants.ts'
import { runnableOf } from '../../src/semantics/machines/runnable.ts'
import { amount, atLeast } from '../amount.ts'
import { creatingSystem } from './creation-generate.ts'
import { brokenInCuts } from './cut-oracle.ts'
import { usualSetting } from './explored.ts'
import { viewsOf } from './machine-engines.ts'
import { generatedPlan } from './machine-generate.ts'
import { generatedSystem } from './machine-plan.ts'

const budgets: readonly FaultBudget[] = [
  {},
  { losses: 1 },
  { duplicates: 1 },
  { losses: 1, duplicates: 1 },
  { crashes: 1, restarts: 1 },
  { partitions: 1 },
]

const systems = amount({ quick: 2, thorough: 6, all: 120 })
const mostExecutions = 12

test.each(networkNames)(`the same is broken, in as few steps, in ${systems} generated systems: %s`, (network) => {
  const tally = newTally()
  for (let seed = 0; seed < systems; seed++) {
    const faults = budgets[seed % budgets.length] as FaultBudget
    const subject = subjectOf(viewsOf(generatedSystem(generatedPlan(seed, { network, faults }))).machines)
    const options = { ...usualSetting, eager: seed % 5 === 4 }
    compare(subject, options, tally, `${network}, seed ${seed}`)
  }
  expectEnough(tally)
})

test.each(networkNames)(`the same in ${systems} systems that create machines: %s`, (network) => {
  const tally = newTally()
  for (let seed = 0; seed < systems; seed++)
    compare(creating(network, seed), usualSetting, tally, `${network}, seed ${seed}`)
  expectEnough(tally)
})

function creating(network: NetworkName, seed: number): Runnable {
  return subjectOf(viewsOf(creatingSystem(network, seed)).machines)
}

interface Tally {
  executions: number
  /** Those with something that was not broken in one before. */
  breaking: number
  broken: number
}

function newTally(): Tally {
  return { executions: 0, breaking: 0, broken: 0 }
}

function expectEnough({ executions, breaking, broken }: Tally): void {
  expect(executions).toBeGreaterThan(atLeast(systems * 2))
  expect(breaking).toBeGreaterThanOrEqual(atLeast(systems))
  expect(broken).toBeGreaterThan(breaking)
  expect(executions).toBeGreaterThan(breaking)
}

function compare(subject: Runnable, options: typeof usualSetting, tally: Tally, label: string): void {
  const known = new Set<string>()
  let told: [string, number][] = []
  let executions = 0
  for (const event of dpor.explore(subject, options)) {
    if (event.kind === 'diagnostic') throw new Error(`${label}: ${event.diagnostic.message}`)
    if (event.kind === 'violation' && event.violation.kind === 'invariant')
      told.push([violationKey(event.violation), event.decisions.length])
    if (event.kind !== 'execution') continue
    const broken = [...brokenInCuts(subject, event.decisions())].filter(([key]) => !known.has(key))
    expect({ label, executions, told: told.sort() }).toEqual({ label, executions, told: broken.sort() })
    for (const [key] of broken) known.add(key)
    tally.executions++
    tally.broken += broken.length
    if (broken.length > 0) tally.breaking++
    told = []
    if (++executions === mostExecutions) return
  }
}

/** With invariants that read in many ways beside those that were drawn. */
function subjectOf(machines: Machines): Runnable {
  const { network, faults, start } = machines
  const reading = readers.map(([name, holds]) =>
    systemInvariant({ name, holds, decomposed: undefined }, { machines: machines.machines, liars: [] }),
  )
  return runnableOf({
    machines: machines.machines,
    start,
    network,
    faults,
    internal: (machine, state) => machines.internal(machine, state),
    handle: (machine, state, event) => machines.handle(machine, state, event),
    key: (state) => machines.key(state),
    invariants: [...machines.invariants, ...reading],
    from: (states, underWay) => machines.from(states, underWay),
  })
}

type Named = { readonly [machine: string]: Value }

const valueIn = (state: Value): number => (state as { readonly value: number }).value

const readers: readonly (readonly [string, (states: Named) => boolean | string])[] = [
  [
    'text of everything',
    (states) => [...JSON.stringify(states)].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 5 > 0,
  ],
  ['copy of everything', (states) => valueIn(Object.values(structuredClone({ ...states })).at(-1)) < 2],
  [
    'values',
    (states) =>
      Object.values(states).some((state) => valueIn(state) !== 1) || Object.values(states).map(valueIn).join(),
  ],
  [
    'one after the other',
    (states) => {
      const [first, second, ...others] = Object.entries(states)
      if (valueIn(first?.[1]) === 0) return true
      if (valueIn(second?.[1]) === 0) return others.every(([name, state]) => valueIn(state) < 2 || name)
      throw new Error(`${second?.[0]} has ${valueIn(second?.[1])}`)
    },
  ],
]
