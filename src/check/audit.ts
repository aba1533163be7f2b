/** Whether executions repeat themselves: each of the first in several orders, later ones in one. What processes share shows early. */
import type { Decision } from '../core/trace.ts'
import type { Watch } from '../distribute/driver.ts'
import type { Paths } from '../program/path.ts'
import { repeatedExecution } from '../semantics/determinism.ts'

const thoroughAudits = 16
const ordersOfThorough = 6
/** Steps: to repeat one that is longer takes longer than it is worth. */
const longestThorough = 1_000

/** Of what was repeated, the last execution that is not too long to be repeated once more. */
export interface Heard {
  last?: readonly Decision[]
}

export function auditOf(paths: Paths, heard: Heard, beside?: 'beside others'): Watch['audit'] {
  // Repeating an execution would end the one that is explored.
  if (paths.isExclusive) return undefined
  // Others have audited the first.
  let audits = beside === undefined ? 0 : thoroughAudits
  let seed = 0
  return function* (decisions, isKnown) {
    if (decisions.length <= longestThorough) heard.last = decisions
    const isThorough = audits++ < thoroughAudits && decisions.length <= longestThorough
    for (let order = 0; order < (isThorough ? ordersOfThorough : 1); order++) {
      const found = yield* repeatedExecution(paths, decisions, { seed: seed++, isKnown })
      if (found !== undefined) return found
      yield
    }
    return undefined
  }
}
