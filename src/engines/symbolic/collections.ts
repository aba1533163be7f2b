/** Expressions that read or make collections, of all executions at once; each fails where the reference semantics does. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { IrExpression } from '../../ir/ir.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import type { Evaluation, LiftedScope } from './evaluation.ts'
import { added, dropped, has, keyList, put, valueAt, without } from './summaries/keyed.ts'
import { elementAt, inRange, insertedAt, removedAt, withElementAt } from './summaries/seq.ts'
import type { MapSummary, SeqSummary, Summary } from './summaries/summary.ts'

export type CollectionExpression = Extract<
  IrExpression,
  { readonly kind: 'element' | 'withElement' | 'inserted' | 'added' | 'removed' }
>

export function collection(
  evaluation: Evaluation,
  expression: CollectionExpression,
  scope: LiftedScope,
  guard: Diagram,
): Summary {
  const of = evaluation.part(expression.of, scope, guard)
  if (expression.kind === 'added') {
    const item = evaluation.scalar(expression.value, scope, guard)
    const isNull = evaluation.lifting.diagrams.guardOf(item, packedNull)
    evaluation.live.fails(evaluation.lifting.diagrams.and(guard, isNull), 'null element', expression.place)
    return of.kind === 'set' ? added(evaluation.lifting, of, item, guard) : of
  }
  const key = evaluation.scalar(expression.key, scope, guard)
  const at = { evaluation, expression, guard, key }
  if (expression.kind === 'element') return element(at, of)
  if (expression.kind === 'removed') return removed(at, of)
  const value = evaluation.evaluate(expression.value, scope, guard)
  if (of.kind === 'seq') return seqWith(at, of, value)
  return of.kind === 'map' ? mapWith(at, of, value) : of
}

interface At {
  readonly evaluation: Evaluation
  readonly expression: CollectionExpression
  readonly guard: Diagram
  readonly key: Diagram
}

/** The index, where it is one of the list; executions in which it is not end. */
function indexIn({ evaluation, expression, guard, key }: At, seq: SeqSummary, more = 0): Diagram {
  const { lifting, live } = evaluation
  const index = lifting.count(key)
  const isWithin = inRange(lifting, seq, index, more)
  live.fails(lifting.diagrams.minus(guard, isWithin), 'index out of range', expression.place)
  return index
}

function element(at: At, of: Summary): Summary {
  const { evaluation, expression, guard, key } = at
  const { lifting, live } = evaluation
  if (of.kind === 'map') {
    live.fails(lifting.diagrams.minus(guard, has(lifting, of, key)), 'missing key', expression.place)
    return valueAt(lifting, of, key)
  }
  if (of.kind !== 'seq' && of.kind !== 'set') return of
  const list = of.kind === 'seq' ? of : keyList(lifting, of.elements, of.present)
  return elementAt(lifting, list, indexIn(at, list))
}

function removed(at: At, of: Summary): Summary {
  const { lifting } = at.evaluation
  if (of.kind === 'seq') return removedAt(lifting, of, indexIn(at, of))
  if (of.kind === 'set') return dropped(lifting, of, at.key)
  return of.kind === 'map' ? without(lifting, of, at.key) : of
}

function seqWith(at: At, of: SeqSummary, value: Summary): Summary {
  const { lifting } = at.evaluation
  if (at.expression.kind === 'inserted') return insertedAt(lifting, of, indexIn(at, of, 1), value)
  return withElementAt(lifting, of, indexIn(at, of), value)
}

function mapWith(at: At, of: MapSummary, value: Summary): Summary {
  const { evaluation, expression, guard, key } = at
  const { lifting, live } = evaluation
  if (expression.kind === 'inserted')
    live.fails(lifting.diagrams.and(guard, has(lifting, of, key)), 'duplicate key', expression.place)
  return put(lifting, of, [key, value], guard)
}
