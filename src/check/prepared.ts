/** What takes long before the search of a setting begins. */
import { DiagnosticError } from '../core/diagnostic.ts'
import type { BudgetName } from '../core/verdict.ts'
import type { Host } from '../distribute/driver.ts'
import type { Program } from '../program/program.ts'
import { declaredAt } from './objects/declared-at.ts'
import type { Explored } from './request.ts'
import { type Limits, spentNow } from './spent.ts'

/** Milliseconds. */
const preparedAtOnce = 25
const preparedInAnyCase = 125

/** The budget that is spent before it is done. */
export async function prepared(
  { paths }: Explored,
  program: Program,
  { limits, host }: { readonly limits: Limits; readonly host: Host },
): Promise<BudgetName | undefined> {
  const work = paths.prepare?.()
  try {
    const begunAt = host.now()
    for (let pausedAt = begunAt; work?.next().done === false; ) {
      const now = host.now()
      if (now - pausedAt < preparedAtOnce) continue
      const because = await spentNow(limits)
      pausedAt = host.now()
      // What is nearly done is done, so that every run gets on by a setting.
      if (because === undefined || (because === 'time' && now - begunAt < preparedInAnyCase)) continue
      return because
    }
    return undefined
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    throw new DiagnosticError(declaredAt(error.diagnostic, program))
  }
}
