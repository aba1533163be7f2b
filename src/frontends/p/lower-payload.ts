/**
 * Payloads of events that are not known before a program runs: `send m, e, payload` with a variable `e` may give an event what it does not carry. As in
 * P, whoever takes it finds out: a parameter, or the variable of a case of `receive`, is cast to its type before anything else is done with it.
 */
import type { Ir, IrBlock, IrExpression, IrFunction, IrInstruction } from '../../ir/ir.ts'
import { isWrittenElsewhere, namesEventsLate } from '../../ir/late-types.ts'

/** The program as it is, if all its events are known. */
export function withCastPayloads(ir: Ir): Ir {
  if (!namesEventsLate(ir)) return ir
  const takers = new Set(ir.machines.flatMap(({ states }) => states.flatMap(takersOf)))
  return { ...ir, functions: ir.functions.map((one, at) => withCasts(one, takers.has(at))) }
}

/** Functions that are called with a payload. */
function takersOf({ entry, handlers }: Ir['machines'][number]['states'][number]): readonly number[] {
  const called = [...handlers.values()].map((handler) => {
    if (handler.kind === 'do') return handler.function
    return handler.kind === 'goto' ? handler.with : undefined
  })
  return [entry, ...called].filter((one) => one !== undefined)
}

function withCasts(declared: IrFunction, takesPayload: boolean): IrFunction {
  /** By block, the locals that have just been given something. */
  const given = new Map<number, Set<number>>()
  const give = (block: number, local: number): void => {
    given.set(block, (given.get(block) ?? new Set()).add(local))
  }
  if (takesPayload && declared.params > 0) give(0, 0)
  for (const { end } of declared.blocks)
    if (end.kind === 'receive') for (const { into, to } of end.cases) if (into !== undefined) give(to, into)
  if (given.size === 0) return declared
  const blocks = declared.blocks.map((block, at): IrBlock => {
    const casts = [...(given.get(at) ?? [])].flatMap((local) => castOf(declared, local))
    return { ...block, instructions: [...casts, ...block.instructions] }
  })
  return { ...declared, blocks }
}

/** Of values that are written elsewhere nothing is known. */
function castOf({ locals, place }: IrFunction, local: number): readonly IrInstruction[] {
  const { type } = locals[local] as IrFunction['locals'][number]
  if (type.kind === 'any' || isWrittenElsewhere(type)) return []
  const of: IrExpression = { kind: 'local', local, type, place }
  return [{ kind: 'setLocal', local, value: { kind: 'cast', of, type, place }, place }]
}
