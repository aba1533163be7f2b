/** Where machines may go from each state: by what the state says, and by every `goto` in the functions that it leads to. */
import type { StateDiagram } from '../../core/state-diagram.ts'
import type { Ir, IrHandler, IrMachine } from '../../ir/ir.ts'

export function stateDiagrams(ir: Ir): readonly StateDiagram[] {
  const targets = targetsByFunction(ir)
  return ir.machines.map((machine) => ({
    machine: machine.name,
    kind: machine.kind,
    states: machine.states.map(({ name, temperature }) => ({ name, temperature })),
    start: machine.start,
    steps: stepsOf(machine, ir, targets),
  }))
}

function stepsOf(
  { states }: IrMachine,
  { events }: Ir,
  targets: (place: number) => readonly number[],
): StateDiagram['steps'] {
  return states.flatMap(({ entry, handlers, onNull }, from) => {
    const reached = (on: string, to: readonly number[]): StateDiagram['steps'] =>
      to.map((one) => ({ from, to: one, on }))
    const after = (handler: IrHandler): readonly number[] => {
      if (handler.kind === 'goto') return [handler.state]
      return handler.kind === 'do' ? targets(handler.function) : []
    }
    return [
      ...(entry === undefined ? [] : reached('entry', targets(entry))),
      ...[...handlers].flatMap(([event, handler]) => reached(events[event]?.name ?? '', after(handler))),
      ...(onNull === undefined ? [] : reached('null', after(onNull))),
    ]
  })
}

/** States that a function goes to, or one that it calls, each once. */
function targetsByFunction({ functions }: Ir): (place: number) => readonly number[] {
  const known = new Map<number, readonly number[]>()
  return (place) => {
    const found = known.get(place)
    if (found !== undefined) return found
    const targets = new Set<number>()
    const met = new Set<number>()
    const pending = [place]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (met.has(next)) continue
      met.add(next)
      for (const { instructions, end } of functions[next]?.blocks ?? []) {
        if (end.kind === 'goto') targets.add(end.state)
        for (const one of instructions) if (one.kind === 'call') pending.push(one.function)
      }
    }
    known.set(place, [...targets])
    return [...targets]
  }
}
