/**
 * Compares the engines of systems on generated ones, with what plans mean (`machine-reference.ts`) searched naively: the same
 * violations, the same states, counterexamples that replay and, breadth first, are shortest; and a soak without an end.
 */

import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import type { Violation } from '../../src/core/property.ts'
import { violationKey } from '../../src/core/property.ts'
import { localRefusal } from '../../src/engines/local/networks.ts'
import {
  type Searched,
  type SearchedLocally,
  type SystemViews,
  searchedByDpor,
  searchedGlobally,
  searchedLocally,
  viewsOf,
} from './machine-engines.ts'
import { generatedPlan, type NetworkPlan } from './machine-generate.ts'
import { type Oracle, searchGlobally } from './machine-oracle.ts'
import { generatedSystem, type SystemPlan } from './machine-plan.ts'
import { referenceOf, stateText } from './machine-reference.ts'
import { shrinkPlan } from './machine-shrink.ts'

export interface MachineTally {
  systems: number
  violated: number
  verified: number
  /** Given up, by engine. */
  dporSkipped: number
  localSkipped: number
  globalStates: number
  executions: number
}

export function newMachineTally(): MachineTally {
  return { systems: 0, violated: 0, verified: 0, dporSkipped: 0, localSkipped: 0, globalStates: 0, executions: 0 }
}

const mostExecutions = 300
const mostLocalEvents = 2_000

/** Compares one system; a disagreement as text, with the smallest plan that shows it. */
export function compareMachines(seed: number, tally: MachineTally, network?: NetworkPlan): string | undefined {
  const plan = generatedPlan(seed, network)
  tally.systems++
  const problem = disagreement(plan, tally)
  if (problem === undefined) return undefined
  const small = shrinkPlan(plan, (smaller) => disagreement(smaller, newMachineTally()) !== undefined)
  return `seed ${seed}: ${problem}\nin short: ${disagreement(small, newMachineTally())}\n${JSON.stringify(small, undefined, 2)}`
}

/** Compares so many systems; throws the first disagreement. */
export function compareSystems(systems: number, network: NetworkPlan): MachineTally {
  const tally = newMachineTally()
  while (tally.systems < systems) {
    const problem = compareMachines(tally.systems, tally, network)
    if (problem !== undefined) throw new Error(problem)
  }
  return tally
}

/** What must be true of a tally for it to mean anything. */
export function poorShares({
  systems,
  violated,
  verified,
  dporSkipped,
  localSkipped,
}: MachineTally): readonly string[] {
  return [
    ...(violated / systems < 0.35 ? [`only ${violated} of ${systems} systems are wrong`] : []),
    ...(verified / systems < 0.35 ? [`only ${verified} of ${systems} systems are right`] : []),
    ...(dporSkipped / systems > 0.05 ? [`dpor gave up on ${dporSkipped} of ${systems} systems`] : []),
    ...(localSkipped / systems > 0.05 ? [`local gave up on ${localSkipped} of ${systems} systems`] : []),
  ]
}

/** Yields after every system; returns the text of a disagreement, if there is one. */
export function* soakMachines(options: {
  readonly programs: number
  readonly seed: number
}): Generator<MachineTally, string | undefined> {
  const tally = newMachineTally()
  while (tally.systems < options.programs) {
    // Far apart, so that soaks with neighbouring seeds draw different systems.
    const name = networkNames[tally.systems % networkNames.length] as NetworkName
    const losses = ([0, 1, 'any'] as const)[tally.systems % 3]
    const network = { network: name, losses }
    const problem = compareMachines(options.seed * 10_000_019 + tally.systems, tally, network)
    if (problem !== undefined) return problem
    yield tally
  }
  return undefined
}

/** What engines and oracle disagree about. */
export function disagreement(plan: SystemPlan, tally: MachineTally): string | undefined {
  const oracle = searchGlobally(referenceOf(plan))
  const views = viewsOf(generatedSystem(plan))
  tally.globalStates += oracle.globalStates
  if (oracle.violated.size > 0) tally.violated++
  else tally.verified++
  try {
    const problem = globalProblem(oracle, views) ?? dporProblem(oracle, views, tally)
    return problem ?? (isLocal(plan) ? localProblem(oracle, views, tally) : undefined)
  } catch (error) {
    return error instanceof Error ? `an engine throws ${error.stack}` : String(error)
  }
}

/** Whether engine `local` explores such systems. */
function isLocal(plan: SystemPlan): boolean {
  return localRefusal(plan) === undefined
}

function globalProblem(oracle: Oracle, views: SystemViews): string | undefined {
  for (const order of ['breadth', 'depth'] as const) {
    const found = searchedGlobally(views, order)
    const problem =
      (found.ended ? undefined : 'does not end') ??
      claimsProblem(oracle, found) ??
      difference(keysOf(found), [...oracle.violated.keys()]) ??
      difference([`${found.systemStates} system states`], [`${oracle.systemStates.size} system states`]) ??
      (order === 'breadth' ? notShortest(oracle, found) : undefined)
    if (problem !== undefined) return `stateful, ${order} first, ${problem}`
  }
  return undefined
}

function dporProblem(oracle: Oracle, views: SystemViews, tally: MachineTally): string | undefined {
  const found = searchedByDpor(views, mostExecutions)
  tally.executions += found.executions
  if (!found.ended) tally.dporSkipped++
  const problem =
    claimsProblem(oracle, found) ?? (found.ended ? difference(keysOf(found), [...oracle.violated.keys()]) : undefined)
  return problem === undefined ? undefined : `dpor ${problem}`
}

function localProblem(oracle: Oracle, views: SystemViews, tally: MachineTally): string | undefined {
  const found = searchedLocally(views, mostLocalEvents)
  if (!found.ended) tally.localSkipped++
  const problem = claimsProblem(oracle, found) ?? (found.ended ? endedLocalProblem(oracle, found) : undefined)
  return problem === undefined ? undefined : `local ${problem}`
}

/** Local search tells one violation of each kind, and meets more states: those that need messages which do not come together. */
function endedLocalProblem(oracle: Oracle, found: SearchedLocally): string | undefined {
  const kinds = [...oracle.violated.values()].map(({ violation }) => kindOf(violation))
  const problem = difference(
    found.claims.map(({ violation }) => kindOf(violation)),
    kinds,
  )
  if (problem !== undefined) return problem
  for (const [machine, states] of oracle.localStates.entries()) {
    const met = new Set(found.states[machine]?.map(stateText))
    const missing = [...states].filter((state) => !met.has(state))
    if (missing.length > 0) return `never meets ${missing.join(' and ')} of machine ${machine}`
  }
  return undefined
}

/** What must be true of whatever an engine reports, whether it ended or not. */
function claimsProblem(oracle: Oracle, { claims }: Searched): string | undefined {
  for (const { violation, events, replays } of claims) {
    const truth = oracle.violated.get(violationKey(violation))
    if (truth === undefined) return `invents ${violationKey(violation)}`
    if (!replays) return `reports ${violationKey(violation)}, which does not replay`
    if (events < truth.events)
      return `needs ${events} events for ${violationKey(violation)}, which takes ${truth.events}`
  }
  return undefined
}

function notShortest(oracle: Oracle, { claims }: Searched): string | undefined {
  for (const { violation, events } of claims) {
    const fewest = oracle.violated.get(violationKey(violation))?.events
    if (events !== fewest) return `takes ${events} events to ${violationKey(violation)} instead of ${fewest}`
  }
  return undefined
}

function keysOf({ claims }: Searched): readonly string[] {
  return claims.map(({ violation }) => violationKey(violation))
}

/** Of invariants which, of failures each. */
function kindOf(violation: Violation): string {
  return violation.kind === 'invariant' ? `invariant ${violation.property}` : violationKey(violation)
}

function difference(found: readonly string[], expected: readonly string[]): string | undefined {
  const [left, right] = [[...new Set(found)].sort(), [...new Set(expected)].sort()]
  if (left.join('\n') === right.join('\n')) return undefined
  return `finds ${left.join(' and ') || 'nothing'} instead of ${right.join(' and ') || 'nothing'}`
}
