/**
 * `yield` and `yield*`. They are operations, at which a generator may be left by `return()` too: `finally` blocks around that suspend are
 * told so before, and that it has gone on after:
 *
 *   x = yield v
 *   x = ($c1 = 1, ($1 = yields(site, [live], v)) === stop ? $1 = yield* go() : $1, $c1 = 0, $1)
 */
import type { Node, YieldExpression } from 'oxc-parser'
import { evaluatedBefore, pause } from './calls.ts'
import type { Frame } from './frame.ts'
import { completions } from './jumps.ts'
import { inPlace, type Operand, operandsOf } from './operands.ts'
import { type EmittedOperation, operation, siteCode } from './operations.ts'
import { joined, Late } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { constant, stored, type Value } from './value.ts'

export function yielded(rewriter: Rewriter, frame: Frame, node: YieldExpression): Value {
  if (frame.kind === 'plain') return inPlace(rewriter, frame, node, node.argument === null ? [] : [node.argument])
  const operands = operandsOf(rewriter, frame, [yieldedOperand(rewriter, frame, node)], true)
  const kinds = frame.jumps.return().passes.flatMap(({ finalizer }) => finalizer.pending?.kind ?? [])
  const told = (completion: number) => kinds.map(({ code }) => `${code} = ${completion}`)
  frame.flow.define(...kinds)
  const setup = [...operands.setup, ...told(completions.return)]
  const request = { offset: node.start, operands: { ...operands, setup } }
  const value = node.delegate
    ? delegated(rewriter, frame, request)
    : operation(rewriter, frame, { ...request, name: 'yields' })
  mayReturn(frame)
  frame.flow.define(...kinds)
  if (kinds.length === 0 || value.variable === undefined) return value
  const { variable } = value
  frame.flow.use(variable)
  return stored(['(', joined([value.code, ...told(completions.normal), variable.code]), ')'], variable)
}

/** An async generator awaits what it yields. */
function yieldedOperand(rewriter: Rewriter, frame: Frame, { argument, start }: YieldExpression): Operand {
  const nothing: Node = evaluatedBefore
  const operand = argument === null ? { node: nothing, emit: () => constant('undefined') } : { node: argument }
  return frame.isAsync ? { node: operand.node, emit: () => pause(rewriter, frame, start, operand) } : operand
}

function delegated(
  rewriter: Rewriter,
  frame: Frame,
  { offset, operands: { setup, values } }: Pick<EmittedOperation, 'offset' | 'operands'>,
): Value {
  const live = new Late()
  const result = frame.temporary()
  frame.flow.operation({
    uses: values.flatMap(({ variable }) => (variable === undefined ? [] : [variable])),
    result,
    live,
    isVisible: (variable) => frame.isVisible(variable, offset),
  })
  const iterable = values.map(({ code }) => code)
  const site = siteCode(rewriter, frame, offset)
  const code = [`${result.code} = yield* `, rewriter.runtime('delegate'), '(', site, ', ', live, ', ', iterable, ')']
  return stored(['(', joined([...setup, code]), ')'], result)
}

/** `return()` goes through the `finally` blocks around. */
function mayReturn({ flow, jumps }: Frame): void {
  const onward = flow.label()
  flow.branch(onward)
  jumps.return().go()
  flow.place(onward)
}
