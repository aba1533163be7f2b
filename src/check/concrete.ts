/**
 * What goes wrong over classes of values is a suspicion: it is repeated with values, as many in each class as it takes, along the same deliveries. If it
 * goes wrong there as well it is a violation like any other, and otherwise perhaps none.
 */
import { type Result, success } from '../core/diagnostic.ts'
import type { Counterexample, SuspectedExecution } from '../core/evidence.ts'
import type { Setting } from '../core/setting.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { Found } from '../distribute/driver.ts'
import type { Program } from '../program/program.ts'
import { followed } from '../semantics/follow-schedule.ts'
import { type Court, judged } from './judge.ts'
import { replaySubject } from './request.ts'

/** Values in each class that stands for many, at most. */
const mostValues = 3
/** Steps of executions with so many values. */
const mostSteps = 100_000

/** Whether values are known by classes under this setting. */
function isOverClasses({ abstracts }: Program, { options }: Setting): boolean {
  return abstracts !== undefined && (options.values === undefined || options.values === 'all')
}

/** The setting under which an execution was found. */
export function settingWithValues(setting: Setting, { values }: Pick<Counterexample, 'values'>): Setting {
  return values === undefined ? setting : { ...setting, options: { ...setting.options, values: String(values) } }
}

interface CourtOfClasses extends Court {
  readonly program: Program
  readonly setting: Setting
}

/** Judged as it was found, and where that was over classes, with values. */
export function* judgedWithValues(
  court: CourtOfClasses,
  found: Found,
): Unhurried<Result<Counterexample | SuspectedExecution>> {
  const confirmed = yield* judged(court, found)
  if (!confirmed.ok || !isOverClasses(court.program, court.setting)) return confirmed
  return yield* madeConcrete(confirmed.value, court)
}

function* madeConcrete(
  found: Counterexample,
  { engine, program, setting }: CourtOfClasses,
): Unhurried<Result<Counterexample | SuspectedExecution>> {
  let isExhausted = true
  for (let values = 1; values <= mostValues; values++) {
    const subject = replaySubject(program, settingWithValues(setting, { values }))
    if (subject === undefined) break
    const { decisions, isExhausted: isAll } = yield* followed(subject, found.decisions, mostSteps)
    isExhausted &&= isAll
    if (decisions === undefined) continue
    const path = subject.begin({ decisions: decisions.length })
    for (const decision of decisions) path.take(decision)
    const [violation] = path.violations()
    if (violation === undefined) continue
    const claim = { violation, decisions, foundIn: decisions.length }
    const confirmed = yield* judged({ engine, subject }, claim)
    return confirmed.ok ? success({ ...confirmed.value, values }) : confirmed
  }
  return success({ kind: 'suspected', ...found, tried: mostValues, isExhausted })
}
