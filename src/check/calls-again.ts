/**
 * The audit of searches that have ended. Of those that remember states of machines, what handlers and invariants answered is asked again,
 * in the system that was explored and in the same one made anew, from its file if that is known; of others, one execution is repeated
 * in the program made anew from its file. A difference is the user's mistake.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Setting } from '../core/setting.ts'
import type { Decision } from '../core/trace.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { BudgetName } from '../core/verdict.ts'
import type { Machines } from '../program/machines.ts'
import type { Paths } from '../program/path.ts'
import type { Program, ViewName, Views } from '../program/program.ts'
import { repeatedAnew } from '../semantics/determinism.ts'
import { replaySubject } from './request.ts'
import { type Limits, unlessSpent } from './spent.ts'

export interface Audited {
  readonly subject: Views[ViewName]
  readonly program: Program
  readonly setting: Setting
  /** Handlers may take long, and are called some thousand times. */
  readonly limits: Limits
  readonly reload?: (() => Promise<Program | undefined>) | undefined
  readonly executed?: Executed | undefined
}

interface Executed {
  readonly paths: Paths
  readonly decisions: readonly Decision[]
}

type Answer = Diagnostic | { readonly spent: BudgetName } | undefined

/** Each time a file is loaded, and only the first execution after that meets its modules as they were. */
const timesAnew = 3

/** Nothing if the answers were the same. */
export async function calledAgain(audited: Audited): Promise<Answer> {
  const { program, setting, reload } = audited
  const machines = machinesIn(audited.subject)
  if (machines?.repeated === undefined) return await executedAgain(audited)
  const found = await finished(machines.repeated(machines), audited.limits)
  if (found !== undefined) return found
  const anew = ((await reload?.()) ?? program).views.machines?.(setting)
  return anew && (await finished(machines.repeated(anew), audited.limits))
}

/** What a module of a file that is not known keeps from the first execution on is not noticed. */
async function executedAgain({ executed, setting, reload, limits }: Audited): Promise<Answer> {
  if (executed === undefined) return undefined
  const { paths, decisions } = executed
  const once = async (seed: number, places: boolean): Promise<Answer> => {
    const program = await reload?.()
    const anew = program && replaySubject(program, setting)
    return anew && (await finished(repeatedAnew(paths, anew, { decisions, seed, places }), limits))
  }
  for (let seed = 0; seed < timesAnew; seed++) {
    const found = await once(seed, false)
    // Once more with places; should the difference hide now, it is reported without one.
    if (found !== undefined) return (await once(seed, true)) ?? found
  }
  return undefined
}

function machinesIn(subject: Views[ViewName]): Machines | undefined {
  if ('handle' in subject) return subject
  return 'machines' in subject ? subject.machines : undefined
}

async function finished(calls: Unhurried<Diagnostic | undefined>, limits: Limits): Promise<Answer> {
  const ended = await unlessSpent(calls, limits)
  return 'spent' in ended ? ended : ended.answer
}
