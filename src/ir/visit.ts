/** The parts of IR that others go over without caring what they mean: operands, expressions of an instruction, ways out of a block. */
import { unreachable } from '../core/invariant.ts'
import type { IrBlock, IrEnd, IrExpression, IrInstruction } from './ir.ts'

/** In the order of their evaluation. */
export function operandsOf(expression: IrExpression): readonly IrExpression[] {
  switch (expression.kind) {
    case 'constant':
    case 'local':
    case 'field':
    case 'this':
    case 'default':
      return []
    case 'tuple':
      return expression.items
    case 'format':
      return expression.args
    case 'item':
    case 'unary':
    case 'cast':
    case 'convert':
      return [expression.of]
    case 'withItem':
    case 'added':
      return [expression.of, expression.value]
    case 'element':
    case 'removed':
      return [expression.of, expression.key]
    case 'withElement':
    case 'inserted':
      return [expression.of, expression.key, expression.value]
    case 'binary':
      return [expression.left, expression.right]
    default:
      return unreachable(expression, 'expression')
  }
}

/** In the order of their evaluation. */
export function expressionsOf(part: IrInstruction | IrEnd): readonly IrExpression[] {
  switch (part.kind) {
    case 'setLocal':
    case 'setField':
      return [part.value]
    case 'choose':
      return present(part.from)
    case 'new':
    case 'goto':
      return present(part.payload)
    case 'send':
      return [part.to, part.event, ...present(part.payload)]
    case 'announce':
    case 'raise':
      return [part.event, ...present(part.payload)]
    case 'call':
    case 'foreign':
      return part.args
    case 'print':
    case 'fail':
      return [part.message]
    case 'jump':
    case 'receive':
      return []
    case 'branch':
      return [part.condition]
    case 'return':
      return present(part.value)
    default:
      return unreachable(part, 'part of a block')
  }
}

/** Blocks of the same function that may come next. */
export function successorsOf(end: IrEnd): readonly number[] {
  switch (end.kind) {
    case 'jump':
      return [end.to]
    case 'branch':
      return [end.then, end.otherwise]
    case 'receive':
      return end.cases.map(({ to }) => to)
    case 'return':
    case 'raise':
    case 'goto':
    case 'fail':
      return []
    default:
      return unreachable(end, 'end of a block')
  }
}

/** The same end with other blocks to go to. */
export function redirected(end: IrEnd, to: (block: number) => number): IrEnd {
  switch (end.kind) {
    case 'jump':
      return { ...end, to: to(end.to) }
    case 'branch':
      return { ...end, then: to(end.then), otherwise: to(end.otherwise) }
    case 'receive':
      return { ...end, cases: end.cases.map((one) => ({ ...one, to: to(one.to) })) }
    default:
      return end
  }
}

/** Blocks that can be reached, each before those that come after it, except where a loop begins again. */
export function inReversePostOrder(blocks: readonly Pick<IrBlock, 'end'>[]): readonly number[] {
  const seen = new Set<number>([0])
  const finished: number[] = []
  // A stack of its own, because functions may have more blocks than the host's stack has frames. Ways out are
  // visited from the last one, so that the first one ends up next to its block.
  const pending: { readonly block: number; readonly left: number[] }[] = [{ block: 0, left: waysOut(blocks, 0) }]
  for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
    const next = top.left.pop()
    if (next === undefined) {
      finished.push(top.block)
      pending.pop()
    } else if (!seen.has(next)) {
      seen.add(next)
      pending.push({ block: next, left: waysOut(blocks, next) })
    }
  }
  return finished.reverse()
}

function waysOut(blocks: readonly Pick<IrBlock, 'end'>[], block: number): number[] {
  const end = blocks[block]?.end
  return end === undefined ? [] : [...successorsOf(end)]
}

function present(expression: IrExpression | undefined): readonly IrExpression[] {
  return expression === undefined ? [] : [expression]
}
