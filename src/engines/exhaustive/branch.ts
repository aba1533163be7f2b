/** Work units of the exhaustive search: executions that begin alike, be it for long or not. */

import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Decision } from '../../core/trace.ts'
import { unitFormat } from '../../core/verdict.ts'
import type { WorkUnit } from '../engine.ts'

export interface Branch {
  readonly prefix: readonly Decision[]
  /** By their depths: the last are those after the whole prefix, the others leave it earlier. Null: anything that is enabled. */
  readonly untried: readonly Untried[] | null
  /** The share of the whole search. */
  readonly weight: number
}

/** What else there is instead of the decision at a depth. */
export interface Untried {
  readonly depth: number
  readonly options: readonly Decision[]
  /** The share of the whole search that each option stands for. */
  readonly weight: number
}

const wholeSearch: Branch = { prefix: [], untried: null, weight: 1 }

export function branchOfUntried(prefix: readonly Decision[], untried: readonly Untried[]): Branch {
  return { prefix, untried, weight: shareIn(untried) }
}

export function unitOf(branch: Branch): WorkUnit {
  return { format: unitFormat, engine: 'exhaustive', state: branch }
}

/** The branch in a unit that may come from a file or another machine. */
export function branchOf(unit: WorkUnit | undefined): Branch {
  if (unit === undefined) return wholeSearch
  const state = unit.state as Partial<Branch> | null
  const fits =
    unit.format === unitFormat &&
    unit.engine === 'exhaustive' &&
    typeof state === 'object' &&
    state !== null &&
    isShare(state.weight) &&
    isDecisions(state.prefix) &&
    (state.untried === null ? state.prefix.length === 0 : isUntried(state.untried, state.prefix.length))
  if (!fits)
    throw new DiagnosticError({
      code: 'E405',
      message: 'this work unit was not made by the exhaustive engine, or is damaged',
      hint: 'begin the search again, without the checkpoint',
    })
  return state as Branch
}

/** The share of the whole search that a unit stands for. */
export function shareOf(unit: WorkUnit): number {
  const { weight, untried } = branchOf(unit)
  return untried === null ? weight : shareIn(untried)
}

function shareIn(untried: readonly Untried[]): number {
  return untried.reduce((sum, { weight, options }) => sum + weight * options.length, 0)
}

function isShare(candidate: unknown): candidate is number {
  return typeof candidate === 'number' && candidate >= 0 && candidate <= 1
}

function isUntried(candidate: unknown, deepest: number): candidate is readonly Untried[] {
  if (!Array.isArray(candidate)) return false
  let before = -1
  for (const one of candidate as readonly (Partial<Untried> | null)[]) {
    const { depth, options, weight } = one ?? {}
    if (!Number.isInteger(depth) || !isShare(weight) || !isDecisions(options) || options.length === 0) return false
    if ((depth as number) <= before) return false
    before = depth as number
  }
  return before === deepest
}

function isDecisions(candidate: unknown): candidate is readonly Decision[] {
  return Array.isArray(candidate) && candidate.every(isDecision)
}

function isDecision(candidate: unknown): candidate is Decision {
  if (typeof candidate !== 'object' || candidate === null) return false
  const { kind, process, message, option } = candidate as { readonly [field: string]: unknown }
  if (typeof process !== 'string') return false
  switch (kind) {
    case 'step':
    case 'timeout':
    case 'lose':
    case 'duplicate':
    case 'crash':
    case 'restart':
    case 'partition':
    case 'heal':
      return true
    case 'deliver':
      return Number.isInteger(message)
    case 'choose':
      return Number.isInteger(option)
    default:
      return false
  }
}
