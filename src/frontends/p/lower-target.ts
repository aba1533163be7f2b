/**
 * Assignments to parts of variables, as new values of the whole: `a.b[i] = e` gives `a` a value in which `b` has another element at `i`.
 * As in P, indices are evaluated in their order, then the value, and then the way down to the part is gone.
 */
import type { Place } from '../../core/diagnostic.ts'
import { InternalError, invariant, unreachable } from '../../core/invariant.ts'
import { mayFail } from '../../ir/failure.ts'
import type { IrExpression, IrType } from '../../ir/ir.ts'
import type { Expression, StatementOf, Target } from './ast.ts'
import { isEffect, itemIndex, lowerExpression, lowerInto, settled } from './lower-expression.ts'
import { adapted, type FunctionScope, nodePlace, readVariable, saved, typeOf } from './lower-scope.ts'

type Change = StatementOf<'assign' | 'insert' | 'add' | 'remove'>

/** A step from a value to one of its parts. */
type Step = { readonly type: IrType; readonly place: Place } & (
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'element'; readonly key: IrExpression }
)

export function lowerChange(change: Change, scope: FunctionScope): void {
  const place = nodePlace(change, scope)
  const chain = chainOf(change.target)
  const root = rootOf(chain, scope)
  if (change.kind === 'assign' && chain.length === 1 && root.kind === 'local' && isEffect(change.value)) {
    return lowerInto(change.value, root.local, scope)
  }
  const values = lowerInOrder(change, chain, scope)
  const keys = values.slice(0, values.length - operandsOf(change).length)
  const steps = stepsOf(chain.slice(1), [...keys], scope)
  const operands = values.slice(keys.length)
  write(
    root,
    updated(root, steps, (part) => changed(part, change, operands, place)),
    scope,
    place,
  )
}

/** Gives a variable a value, as `foreach` does. */
export function write(root: IrExpression, value: IrExpression, scope: FunctionScope, place: Place): void {
  if (root.kind === 'local') return scope.builder.emit({ kind: 'setLocal', local: root.local, value, place })
  if (root.kind === 'field') return scope.builder.emit({ kind: 'setField', field: root.field, value, place })
  throw new InternalError('only locals and fields are assigned to')
}

/** From the variable to the part. */
function chainOf(target: Target): readonly Expression[] {
  const chain: Expression[] = []
  let at = target
  for (; at.kind === 'item' || at.kind === 'field' || at.kind === 'element'; at = at.of) chain.push(at)
  return [at, ...chain.reverse()]
}

function rootOf([root]: readonly Expression[], scope: FunctionScope): IrExpression {
  invariant(root?.kind === 'name', 'what is assigned to begins with a name')
  const meaning = scope.program.checked.meanings.get(root.name)
  invariant(meaning?.kind === 'local' || meaning?.kind === 'field', `${root.name.text} is a variable`)
  return readVariable(meaning, nodePlace(root, scope), scope)
}

function operandsOf(change: Change): readonly Expression[] {
  if (change.kind === 'remove') return [change.key]
  return change.kind === 'insert' ? [change.key, change.value] : [change.value]
}

/** Keys, then operands. If the way down has more than one step, what may fail does so before the first of them. */
function lowerInOrder(change: Change, chain: readonly Expression[], scope: FunctionScope): readonly IrExpression[] {
  const keys = chain.flatMap((step) => (step.kind === 'element' ? [step.index] : []))
  const isDeep = chain.length > (change.kind === 'assign' ? 2 : 1)
  const expressions = [...keys, ...operandsOf(change)]
  return expressions.map((expression, index) => {
    const isLast = index === expressions.length - 1
    const value = adapted(lowerExpression(expression, scope), isLast ? valueType(change, scope) : undefined)
    if (expressions.slice(index + 1).some(scope.program.hasEffect)) return settled(value, scope)
    // Keys on the way occur twice, to read a part and to put it back.
    const isRepeated = index < keys.length && !['constant', 'local', 'field'].includes(value.kind)
    return isDeep && (isRepeated || mayFail(value)) ? saved(value, scope) : value
  })
}

/** Of what is put into the variable, where it is known. */
function valueType(change: Change, scope: FunctionScope): IrType | undefined {
  const type = typeOf(change.target, scope)
  if (change.kind === 'assign') return type
  if (change.kind === 'remove') return undefined
  if (type.kind === 'map') return type.value
  return type.kind === 'seq' || type.kind === 'set' ? type.of : undefined
}

function stepsOf(chain: readonly Expression[], keys: IrExpression[], scope: FunctionScope): readonly Step[] {
  return chain.map((step) => {
    const [type, place] = [typeOf(step, scope), nodePlace(step, scope)]
    if (step.kind === 'element') {
      const key = keys.shift()
      invariant(key !== undefined, 'each element has a key')
      return { kind: 'element', key, type, place }
    }
    invariant(step.kind === 'item' || step.kind === 'field', 'a part is an item or an element')
    return { kind: 'item', index: itemIndex(step, typeOf(step.of, scope)), type, place }
  })
}

/** The whole, with `change` applied to the part that the steps lead to. */
function updated(
  whole: IrExpression,
  [step, ...others]: readonly Step[],
  change: (part: IrExpression) => IrExpression,
): IrExpression {
  if (step === undefined) return change(whole)
  const part: IrExpression = { ...step, of: whole }
  const value = updated(part, others, change)
  const { place } = step
  return step.kind === 'item'
    ? { kind: 'withItem', of: whole, index: step.index, value, type: whole.type, place }
    : { kind: 'withElement', of: whole, key: step.key, value, type: whole.type, place }
}

/** What the part becomes. An assignment does not ask what it was, so nothing fails if it was not there. */
function changed(
  part: IrExpression,
  change: Change,
  [first, second]: readonly IrExpression[],
  place: Place,
): IrExpression {
  invariant(first !== undefined, 'a change has an operand')
  const { type } = part
  switch (change.kind) {
    case 'assign':
      return first
    case 'insert':
      invariant(second !== undefined, 'an insertion has a key and a value')
      return { kind: 'inserted', of: part, key: first, value: second, type, place }
    case 'add':
      return { kind: 'added', of: part, value: first, type, place }
    case 'remove':
      return { kind: 'removed', of: part, key: first, type, place }
    default:
      return unreachable(change, 'change')
  }
}
