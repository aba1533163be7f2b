/**
 * The audit of searches that remember states of machines: what handlers and invariants answered in a search that ended is asked again,
 * in the system that was explored and in the same one made anew, from its file if that is known. A difference is the user's mistake.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Setting } from '../core/setting.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { BudgetName } from '../core/verdict.ts'
import type { Machines } from '../program/machines.ts'
import type { Program, ViewName, Views } from '../program/program.ts'
import { type Limits, unlessSpent } from './spent.ts'

export interface Audited {
  readonly subject: Views[ViewName]
  readonly program: Program
  readonly setting: Setting
  /** Handlers may take long, and are called some thousand times. */
  readonly limits: Limits
  readonly reload?: (() => Promise<Program | undefined>) | undefined
}

type Answer = Diagnostic | { readonly spent: BudgetName } | undefined

/** Nothing if the answers were the same, or of what consists of no machines. */
export async function calledAgain(audited: Audited): Promise<Answer> {
  const { program, setting, reload } = audited
  const machines = machinesIn(audited.subject)
  if (machines?.repeated === undefined) return undefined
  const found = await finished(machines.repeated(machines), audited.limits)
  if (found !== undefined) return found
  const anew = ((await reload?.()) ?? program).views.machines?.(setting)
  return anew && (await finished(machines.repeated(anew), audited.limits))
}

function machinesIn(subject: Views[ViewName]): Machines | undefined {
  if ('handle' in subject) return subject
  return 'machines' in subject ? subject.machines : undefined
}

async function finished(calls: Unhurried<Diagnostic | undefined>, limits: Limits): Promise<Answer> {
  const ended = await unlessSpent(calls, limits)
  return 'spent' in ended ? ended : ended.answer
}
