/** Where a filter does not fit: to the way of searching, or to the program. */
import type { Diagnostic, Place } from '../../../core/diagnostic.ts'
import type { Ir } from '../../../ir/ir.ts'
import { type OrderUsed, orderUsed } from '../../../ir/order-of-machines.ts'
import { machinesByFunction } from '../../../ir/reach.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'
import type { SymbolicOptions } from '../options.ts'

/** Undefined: the options fit to each other and to the program. */
export function refusal({ mode, filter }: SymbolicOptions, ir: Ir): Diagnostic | undefined {
  const [monitor] = ir.monitors
  if (mode === 'rounds' && monitor !== undefined) return watched(ir.machines[monitor.machine]?.name ?? '')
  if (mode === 'rounds' && filter !== 'none') return unfiltered(filter)
  if (mode === 'states' && filter === 'sleep') return forgetful
  if (filter !== 'symmetry') return undefined
  const order = orderUsed(ir)
  return mode === 'steps' ? stateless : order && ordered(order)
}

const stateless: Diagnostic = {
  code: 'E107',
  message: 'filter "symmetry" takes states for one, and step by step executions are told apart',
  hint: 'choose --mode states with --filter symmetry, or another --filter',
}

function ordered({ what, place }: OrderUsed): Diagnostic {
  return {
    code: 'E107',
    message: `machines cannot change places: the program ${what}`,
    hint: 'leave out --filter symmetry, or keep machines in lists',
    place,
  }
}

/** Of siblings: where they are created. */
export function createdApart(ir: Ir, { machine }: MachineRef): Diagnostic {
  const { name = '', place } = ir.machines[machine] ?? {}
  return {
    code: 'E107',
    message: `no machines can change places: those of "${name}" are created with different data`,
    hint: 'leave out --filter symmetry, or create machines alike and tell them apart by references alone',
    place: creationOf(ir, machine) ?? place,
  }
}

function creationOf(ir: Ir, machine: number): Place | undefined {
  for (const [at, owners] of machinesByFunction(ir).entries())
    for (const { instructions } of ir.functions[at]?.blocks ?? [])
      for (const one of instructions)
        if (one.kind === 'new' && [...owners].some((owner) => ir.machines[owner]?.creates[one.creates] === machine))
          return one.place
  return undefined
}

/** Whoever was in a state before may have had other moves asleep there. */
const forgetful: Diagnostic = {
  code: 'E107',
  message: 'filter "sleep" remembers what was explored before, and by states that is forgotten',
  hint: 'choose --mode steps with --filter sleep, or another --filter',
}

/** Those in one round happen in no order, and a monitor sees one. */
function watched(monitor: string): Diagnostic {
  return {
    code: 'E107',
    message: `monitor "${monitor}" sees in which order machines send, and rounds leave orders out`,
    hint: 'choose another --mode, or leave that to the engine',
  }
}

function unfiltered(filter: string): Diagnostic {
  return {
    code: 'E107',
    message: `filter "${filter}" says who moves next, and in rounds several machines move at a time`,
    hint: 'leave out --filter, since rounds take each order that makes a difference once; or leave out --mode',
  }
}
