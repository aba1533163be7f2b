/**
 * Where a program may do something that depends on the order of machines, or on their names. Machines have such an order only so that sets and maps have one;
 * a program that never looks at it treats machines that are alike alike.
 */
import type { Place } from '../core/diagnostic.ts'
import type { Ir, IrEnd, IrExpression, IrInstruction, IrType } from './ir.ts'
import { mayRefer } from './references.ts'
import { expressionsOf, operandsOf } from './visit.ts'

export interface OrderUsed {
  /** 'goes over a set of machines' */
  readonly what: string
  readonly place: Place
}

/** The first such place, if there is one. */
export function orderUsed(ir: Ir): OrderUsed | undefined {
  for (const { blocks } of ir.functions) {
    for (const { instructions, end } of blocks) {
      for (const part of [...instructions, end]) {
        const found = usedBy(part)
        if (found !== undefined) return found
      }
    }
  }
  return undefined
}

function usedBy(part: IrInstruction | IrEnd): OrderUsed | undefined {
  if (part.kind === 'choose' && part.from !== undefined && isOrdered(part.from.type))
    return { what: 'chooses among machines of a set or a map', place: part.place }
  if (part.kind === 'foreign' && part.args.some(({ type }) => mayRefer(type)))
    return { what: 'gives machines to a function that is written elsewhere', place: part.place }
  // What is said of a failure, and what is printed, decides nothing.
  const isSaid = part.kind === 'fail' || part.kind === 'print'
  for (const expression of expressionsOf(part)) {
    const found = usedIn(expression, isSaid)
    if (found !== undefined) return found
  }
  return undefined
}

function usedIn(expression: IrExpression, isSaid: boolean): OrderUsed | undefined {
  const { place } = expression
  if (expression.kind === 'format' && !isSaid && expression.args.some(({ type }) => mayRefer(type)))
    return { what: 'writes the name of a machine into a text', place }
  if (expression.kind === 'unary' && listing.includes(expression.operator) && isOrdered(expression.of.type))
    return { what: 'goes over machines of a set or a map', place }
  if (expression.kind === 'element' && expression.of.type.kind !== 'map' && isOrdered(expression.of.type))
    return { what: 'takes a machine of a set by its place', place }
  for (const operand of operandsOf(expression)) {
    const found = usedIn(operand, isSaid)
    if (found !== undefined) return found
  }
  return undefined
}

const listing: readonly string[] = ['keys', 'values', 'elements']

/** Whether the order of its elements may be that of machines. */
function isOrdered(type: IrType): boolean {
  switch (type.kind) {
    case 'set':
      return mayRefer(type.of)
    case 'map':
      return mayRefer(type.key)
    case 'any':
      return true
    default:
      return false
  }
}
