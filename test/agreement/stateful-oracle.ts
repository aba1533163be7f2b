/** The oracle: every state of a generated program, breadth first and without a thought; and what a search reports of it. */
import { type Violation, violationKey } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Stateful } from '../../src/program/stateful.ts'
import { optionsOf, type StateCounts, type StatefulSetting } from '../stateful-setting.ts'
import type { GeneratedView, Known } from './stateful-view.ts'

export interface Truth {
  readonly states: number
  readonly transitions: number
  /** Final states by key, with the key of what is wrong there. */
  readonly finals: ReadonlyMap<string, string | undefined>
  readonly cyclic: boolean
  /** Executions, counted with those that lead to the same state: how large a search without memory is. Infinity if cyclic. */
  readonly paths: number
}

/** Undefined if there are more states than the limit. */
export function truthOf(view: GeneratedView, limit: number): Truth | undefined {
  const finals = new Map<string, string | undefined>()
  const met = new Set([view.initial])
  let transitions = 0
  for (const state of met) {
    if (met.size > limit) return undefined
    if (state.moves.length === 0) finals.set(state.key, shown(state.violation))
    for (const { process } of state.moves) {
      transitions++
      met.add(state.successor(process).target)
    }
  }
  const paths = pathsFrom(view.initial, met.size)
  return { states: met.size, transitions, finals, cyclic: paths === Number.POSITIVE_INFINITY, paths }
}

/** Steps of the tree of all executions; Infinity if there is a cycle. */
function pathsFrom(initial: Known, states: number): number {
  const known = new Map<Known, number>()
  const open = new Set<Known>()
  const visit = (state: Known): number => {
    const counted = known.get(state)
    if (counted !== undefined) return counted
    if (open.has(state) || open.size > states) return Number.POSITIVE_INFINITY
    open.add(state)
    let sum = 1
    for (const { process } of state.moves) sum += visit(state.successor(process).target)
    open.delete(state)
    known.set(state, sum)
    return sum
  }
  return visit(initial)
}

export interface Found {
  readonly counts: StateCounts
  readonly finals: ReadonlyMap<string, string | undefined>
  /** What is wrong with the search's own reports, if anything. */
  readonly problem: string | undefined
}

export function found(view: Stateful, setting: StatefulSetting, seed: number): Found {
  const finals = new Map<string, string | undefined>()
  const violations = new Set<string | undefined>()
  let counts: StateCounts | undefined
  let problem: string | undefined
  for (const event of stateful.explore(view, optionsOf(setting, seed))) {
    switch (event.kind) {
      case 'ending': {
        if (finals.has(event.key)) problem = 'a final state was reported twice'
        finals.set(event.key, shown(event.violation))
        if (reached(view, event.decisions()) !== event.key) problem = 'the decisions lead elsewhere'
        break
      }
      case 'violation':
        violations.add(shown(event.violation))
        if (violationAfter(view, event.decisions) !== shown(event.violation)) problem = 'the violation does not repeat'
        break
      case 'progress':
        counts = event.counts as StateCounts
        if (event.explored < 0 || event.explored > 1) problem = `a share of ${event.explored} was explored`
        break
      default:
        problem = `unexpected ${event.kind}: ${JSON.stringify(event)}`
    }
  }
  for (const violation of finals.values())
    if (violation !== undefined && !violations.has(violation)) problem ??= 'a violation is missing'
  if (counts === undefined) return { counts: none, finals, problem: problem ?? 'no counts were reported' }
  if (counts.finals !== finals.size) problem = `${counts.finals} final states counted, ${finals.size} reported`
  return { counts, finals, problem }
}

const none: StateCounts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }

function reached(view: Stateful, decisions: readonly Decision[]): string {
  return walked(view, decisions).key()
}

function violationAfter(view: Stateful, decisions: readonly Decision[]): string | undefined {
  return shown(walked(view, decisions).violation())
}

function walked(view: Stateful, decisions: readonly Decision[]) {
  const walk = view.walk()
  for (const { process } of decisions) walk.step(view.processes.indexOf(process))
  return walk
}

function shown(violation: Violation | undefined): string | undefined {
  return violation && violationKey(violation)
}
