/** What may be chosen, with where each option is possible: `choices` of the reference semantics for all executions at once. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Evaluation, LiftedScope } from './evaluation.ts'
import type { Instruction } from './function-run.ts'
import { lifted } from './summaries/concrete.ts'
import { equal } from './summaries/equality.ts'
import type { SeqSummary, Summary } from './summaries/summary.ts'

interface Option {
  readonly possible: Diagram
  readonly value: Summary
}

/** As P has it. */
const mostChoices = 10_000

export function options(
  evaluation: Evaluation,
  { among, from, place }: Instruction<'choose'>,
  scope: LiftedScope,
  guard: Diagram,
): readonly Option[] {
  const { lifting, live } = evaluation
  const { diagrams } = lifting
  if (among === 'boolean' || from === undefined)
    return [false, true].map((value) => ({ possible: diagrams.always, value: evaluation.value(value) }))
  if (among === 'below') {
    const count = lifting.count(evaluation.scalar(from, scope, guard))
    const isNegative = diagrams.not(lifting.beyond(count, -1))
    live.fails(diagrams.and(guard, isNegative), 'empty choice', place)
    live.fails(diagrams.and(guard, lifting.beyond(count, mostChoices)), 'too many choices', place)
    const most = diagrams.leavesWithin(count, guard).reduce((largest, one) => Math.max(largest, one), 1)
    return Array.from({ length: Math.min(most, mostChoices) }, (_, at) => ({
      // Below 0 there is 0 itself.
      possible: at === 0 ? lifting.beyond(count, -1) : lifting.beyond(count, at),
      value: evaluation.value(at),
    }))
  }
  const of = evaluation.part(from, scope, guard)
  const found = of.kind === 'seq' ? firstOnes(evaluation, of) : keyed(evaluation, of)
  const some = found.reduce<Diagram>((all, { possible }) => diagrams.or(all, possible), diagrams.never)
  live.fails(diagrams.minus(guard, some), 'empty choice', place)
  if (found.length > mostChoices) live.fails(guard, 'too many choices', place)
  return found
}

/** Equal elements are one choice: the first of them. */
function firstOnes({ lifting }: Evaluation, { size, items }: SeqSummary): readonly Option[] {
  const { diagrams } = lifting
  return items.map((value, at) => {
    const again = items
      .slice(0, at)
      .reduce<Diagram>((found, before) => diagrams.or(found, equal(lifting, before, value)), diagrams.never)
    return { possible: diagrams.minus(lifting.beyond(size, at), again), value }
  })
}

function keyed({ lifting }: Evaluation, of: Summary): readonly Option[] {
  if (of.kind !== 'set' && of.kind !== 'map') return []
  const keys = of.kind === 'set' ? of.elements : of.keys
  return keys.map((key, at) => ({
    possible: of.present[at] as Diagram,
    value: lifted(lifting, lifting.diagrams.leaf(key)),
  }))
}
