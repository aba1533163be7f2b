/**
 * Faults as budgets: how often, in one execution, processes and machines may crash, messages get lost or duplicated, and the
 * network be partitioned. Plain data: it travels beside network and parameters.
 */

import { nearestName } from './did-you-mean.ts'
import { shown } from './option-shape.ts'

/** The kinds of fault, in the order in which they are told. */
export const faultNames = ['crashes', 'restarts', 'losses', 'duplicates', 'partitions'] as const
export type FaultName = (typeof faultNames)[number]

/**
 * At most so many of each in one execution; what is left out does not happen. Messages alone may get lost `'any'` number of times:
 * that makes executions shorter, where crashes or duplicates without end make them endless.
 */
export type FaultBudget = { readonly [name in FaultName]?: Most<name> | undefined }
type Most<Name> = Name extends 'losses' ? number | 'any' : number

/** As a number, which may be infinite. */
export function mostOf(budget: FaultBudget | undefined, name: FaultName): number {
  const most = budget?.[name] ?? 0
  return most === 'any' ? Number.POSITIVE_INFINITY : most
}

/** What the environment does to a process, its message or its connection. */
export type Fault = 'crash' | 'restart' | 'lose' | 'duplicate' | 'partition'

/** What a fault takes from the budget; a restart is a crash after which the process begins again. */
const costs: { readonly [fault in Fault]: readonly FaultName[] } = {
  crash: ['crashes'],
  restart: ['crashes', 'restarts'],
  lose: ['losses'],
  duplicate: ['duplicates'],
  partition: ['partitions'],
}

/** How much of a budget is used up. */
export class SpentFaults {
  readonly #budget: FaultBudget
  readonly #spent: { [name in FaultName]: number } = {
    crashes: 0,
    restarts: 0,
    losses: 0,
    duplicates: 0,
    partitions: 0,
  }

  constructor(budget: FaultBudget) {
    this.#budget = budget
  }

  /** Whether the budget has room for one more. */
  allows(fault: Fault): boolean {
    return costs[fault].every((name) => this.#spent[name] < mostOf(this.#budget, name))
  }

  spend(fault: Fault): void {
    for (const name of costs[fault]) this.#spent[name]++
  }
}

/** What is wrong with a budget as somebody wrote it, in words. */
export function faultProblems(budget: unknown): readonly string[] {
  if (typeof budget !== 'object' || budget === null || Array.isArray(budget)) {
    return ['faults are written as an object with a number for each kind of fault, such as { crashes: 1 }']
  }
  const problems = Object.entries(budget).flatMap(([name, value]) => {
    if (!isFaultName(name)) {
      const nearest = nearestName(name, faultNames)
      return [`there is no fault "${name}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`]
    }
    const isCount = value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)
    if (isCount || (name === 'losses' && value === 'any')) return []
    const expected = name === 'losses' ? 'a whole number from 0 or "any"' : 'a whole number from 0'
    return [`"${name}" must be ${expected}, and is ${shown(value)}`]
  })
  const { crashes = 0, restarts = 0 } = budget as FaultBudget
  if (problems.length > 0 || restarts <= crashes) return problems
  const [these, those] =
    restarts === 1 ? ['1 restart needs', '1 crash'] : [`${restarts} restarts need`, `${restarts} crashes`]
  return [`${these} at least ${those}: a process restarts after it has crashed`]
}

function isFaultName(name: string): name is FaultName {
  return (faultNames as readonly string[]).includes(name)
}

/** A budget without what does not happen, in a fixed order; nothing when nothing can go wrong. */
export function normalFaults(budget: FaultBudget | undefined): FaultBudget | undefined {
  let kept: FaultBudget = {}
  for (const name of faultNames) if (mostOf(budget, name) > 0) kept = { ...kept, [name]: budget?.[name] }
  return Object.keys(kept).length === 0 ? undefined : kept
}

const faultHint = `faults are ${faultNames.join(', ')}, each with the number of times it may happen in one execution`

/** What a diagnostic says about a budget that cannot be used. */
export function faultDiagnostic(message: string, hint = faultHint) {
  return { code: 'E217' as const, message, hint }
}
