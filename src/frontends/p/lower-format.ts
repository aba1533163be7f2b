/** `format("{1} after {0}", a, b)`: texts, and arguments in the order in which the text has them. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { mayFail } from '../../ir/failure.ts'
import type { IrExpression } from '../../ir/ir.ts'
import { type FunctionScope, saved } from './lower-scope.ts'

/** Arguments are evaluated in the order they were written in, each one once, whatever the text does with them. */
export function formatted(
  template: string,
  args: readonly IrExpression[],
  place: Place,
  scope: FunctionScope,
): IrExpression {
  const { texts, order } = partsOf(template)
  const values = isSorted(order, args.length) ? args : args.map((arg) => (mayFail(arg) ? saved(arg, scope) : arg))
  const placed = order.map((index) => {
    const value = values[index]
    invariant(value !== undefined, 'the text of a format names arguments that it has')
    return value
  })
  return { kind: 'format', texts, args: placed, type: { kind: 'string' }, place }
}

/** A text without arguments. It is a format to P as well, so a brace is written twice. */
export function plainText(template: string): string {
  return partsOf(template).texts.join('')
}

/** Whether the text has each of so many arguments once, in their order. Otherwise they may have to be saved. */
export function isInOrder(template: string, count: number): boolean {
  return isSorted(partsOf(template).order, count)
}

function isSorted(order: readonly number[], count: number): boolean {
  return order.length === count && order.every((index, at) => index === at)
}

/** `{{` and `}}` stand for braces. */
function partsOf(template: string): { readonly texts: readonly string[]; readonly order: readonly number[] } {
  const texts = ['']
  const order: number[] = []
  for (const [piece] of template.matchAll(/\{\{|\}\}|\{\d+\}|[^{}]+|[{}]/g)) {
    const text = texts.pop() ?? ''
    if (/^\{\d/.test(piece)) {
      order.push(Number(piece.slice(1, -1)))
      texts.push(text, '')
    } else {
      texts.push(text + (piece === '{{' || piece === '}}' ? piece.slice(1) : piece))
    }
  }
  return { texts, order }
}
