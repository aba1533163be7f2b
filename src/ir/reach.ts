/** Which machines can run which function: their handlers', and what those call. */
import type { Ir, IrHandler, IrMachine } from './ir.ts'

/** By the place of the function. */
export function machinesByFunction(ir: Ir): readonly ReadonlySet<number>[] {
  const callees = ir.functions.map(({ blocks }) =>
    blocks.flatMap(({ instructions }) => instructions.flatMap((one) => (one.kind === 'call' ? [one.function] : []))),
  )
  const owners = ir.functions.map(() => new Set<number>())
  for (const [place, machine] of ir.machines.entries()) {
    const pending = [...handlerFunctions(machine)]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const known = owners[next]
      if (known === undefined || known.has(place)) continue
      known.add(place)
      pending.push(...(callees[next] ?? []))
    }
  }
  return owners
}

/** Functions that a machine's states name. */
function handlerFunctions({ states }: IrMachine): readonly number[] {
  return states.flatMap(({ entry, exit, handlers, onNull }) => {
    const ofHandlers = [...handlers.values(), ...(onNull === undefined ? [] : [onNull])].map(functionOf)
    return [entry, exit, ...ofHandlers].filter((place) => place !== undefined)
  })
}

function functionOf(handler: IrHandler): number | undefined {
  if (handler.kind === 'do') return handler.function
  return handler.kind === 'goto' ? handler.with : undefined
}
