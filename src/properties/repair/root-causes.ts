/**
 * Root causes of violations: the least sets of atomic sections that rule out every violating execution (thesis §2.3.2.2),
 * those first that rule out the fewest good executions (§2.3.4.2).
 *
 * Per execution the sections are optimal; over all executions they are what the recorded violations ask for, which need
 * not be all that is wrong with the object. Executions that are equivalent to running the calls one after another cannot
 * be ruled out by any sections; they are counted instead.
 */
import type { Unhurried } from '../../core/unhurried.ts'
import { eliminatorsOf } from './eliminators.ts'
import type { RecordedExecution } from './execution.ts'
import { type Recording, recordingOf } from './recording.ts'
import { compareRepairs, flatten, minimalRepairs, type Repair, repairKey, repairOf, subsumes } from './sections.ts'
import { eliminates } from './transactions.ts'

interface RankedRepair {
  readonly sections: Repair
  /** How many of the linearizable executions it rules out. */
  readonly disabled: number
}

export interface RootCauses {
  /** Fewest disabled executions first, then fewest sections, then fewest lines, then in the order of the source. */
  readonly repairs: readonly RankedRepair[]
  /** Violating executions that no atomic sections can rule out. */
  readonly serial: number
  /** True if a limit was reached: each repair rules out what it should, but there may be others, and smaller ones. */
  readonly capped: boolean
}

export interface RootCauseInput {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
  /** How many repairs to keep on the way from one violating execution to the next. */
  readonly limit?: number | undefined
}

/** A breath after each execution, and within those that take long. */
export function* rootCauses({ violating, linearizable, limit = 200 }: RootCauseInput): Unhurried<RootCauses> {
  const perExecution: Repairs[] = []
  for (const execution of violating) {
    perExecution.push(yield* executionRepairs(execution))
    yield
  }
  const alternatives = perExecution.map(({ repairs }) => repairs).filter((repairs) => repairs.length > 0)
  const combined = yield* combinedRepairs(alternatives, limit)
  return {
    repairs: yield* ranked(combined.repairs, linearizable),
    serial: perExecution.filter(({ repairs, capped }) => repairs.length === 0 && !capped).length,
    capped: combined.capped || perExecution.some(({ capped }) => capped),
  }
}

export interface Repairs {
  readonly repairs: readonly Repair[]
  readonly capped: boolean
}

/** The minimal repairs that rule out one execution; none if it is equivalent to a serial one. */
export function* executionRepairs(execution: RecordedExecution): Unhurried<Repairs> {
  const recording = recordingOf(execution)
  const { eliminators, capped } = yield* eliminatorsOf(recording)
  const needed: Repair[] = []
  for (const repair of yield* minimalRepairs(eliminators.map((each) => repairOf(recording, each))))
    needed.push(...(yield* withoutNeedlessLines(repair, recording)))
  return { repairs: yield* minimalRepairs(needed), capped }
}

/**
 * The repair without those of its one-line sections that need not be said.
 *
 * Unlinking `before.next = current.next` is a read and a write on one line. Since conflicts of locks are not part of the
 * search, such lines get into repairs of bugs somewhere else, as if the atomic section of the repair could run between the
 * two accesses; mostly the lock held around them prevents just that. A line stays if the execution would survive without it:
 * `this.count++` is a bug of one line. (The thesis does not say how it treats lines.)
 */
function* withoutNeedlessLines(repair: Repair, recording: Recording): Unhurried<readonly Repair[]> {
  const lines = repair.filter(({ lines: { first, last } }) => first === last)
  if (lines.length === 0) return [repair]
  const longer = repair.filter((section) => !lines.includes(section))
  const enough: Repair[] = []
  for (const subset of subsetsOf(lines)) {
    const each = flatten([...longer, ...subset])
    if (eliminates(each, recording)) enough.push(each)
    yield
  }
  // Sections in functions without a common caller cannot be made one; then the repair is only a hint.
  return enough.length === 0 ? [repair] : enough
}

function subsetsOf<T>([first, ...others]: readonly T[]): readonly (readonly T[])[] {
  if (first === undefined) return [[]]
  const without = subsetsOf(others)
  return [...without, ...without.map((subset) => [first, ...subset])]
}

/**
 * The minimal repairs that subsume one alternative of every execution. Minimal ones are kept from execution to execution:
 * joining is monotone, so what subsumes another repair now will do so at the end.
 */
export function* combinedRepairs(alternatives: readonly (readonly Repair[])[], limit: number): Unhurried<Repairs> {
  const distinct = new Map(alternatives.map((each) => [each.map(repairKey).sort().join(), each]))
  const smallestFirst = [...distinct.values()].sort((left, right) => left.length - right.length)
  let repairs: readonly Repair[] | undefined
  let capped = false
  for (const each of smallestFirst) {
    // One more than the limit, to see whether there are more.
    const minimal = yield* minimalRepairs(repairs === undefined ? each : joined(repairs, each), limit + 1)
    if (minimal.length > limit) capped = true
    repairs = minimal.slice(0, limit)
  }
  return { repairs: repairs ?? [], capped }
}

function* joined(repairs: readonly Repair[], alternatives: readonly Repair[]): Generator<Repair, void> {
  for (const repair of repairs) {
    if (alternatives.some((each) => subsumes(repair, each))) yield repair
    else for (const each of alternatives) yield flatten([...repair, ...each])
  }
}

function* ranked(
  repairs: readonly Repair[],
  linearizable: readonly RecordedExecution[],
): Unhurried<readonly RankedRepair[]> {
  const disabled = repairs.map(() => 0)
  for (const execution of linearizable) {
    const recording = recordingOf(execution)
    for (const [i, repair] of repairs.entries()) {
      if (eliminates(repair, recording)) disabled[i] = (disabled[i] ?? 0) + 1
      yield
    }
  }
  return repairs
    .map((sections, i) => ({ sections, disabled: disabled[i] ?? 0 }))
    .sort((left, right) => left.disabled - right.disabled || compareRepairs(left.sections, right.sections))
}
