/** Work units of the exhaustive search: a branch is all executions that begin alike. */

import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Decision } from '../../core/trace.ts'
import { unitFormat } from '../../core/verdict.ts'
import type { WorkUnit } from '../engine.ts'

export interface Branch {
  readonly prefix: readonly Decision[]
  /** What comes after the prefix: one of these, or anything that is enabled there. */
  readonly options: readonly Decision[] | null
  /** The share of the whole search that each option stands for. */
  readonly weight: number
}

const wholeSearch: Branch = { prefix: [], options: null, weight: 1 }

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
    typeof state.weight === 'number' &&
    state.weight >= 0 &&
    state.weight <= 1 &&
    isDecisions(state.prefix) &&
    (state.options === null || (isDecisions(state.options) && state.options.length > 0))
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
  const { weight, options } = branchOf(unit)
  return weight * (options?.length ?? 1)
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
